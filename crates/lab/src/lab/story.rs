//! What `quoin lab` shows: an invoice on its way through four corners, with the times it really
//! took.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::Method;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use quoin_formats::samples::{FrenchBuyer, PintSample, french_invoice, pint_invoice};
use serde_json::Value;
use uuid::Uuid;

use super::network::{
    BUSY, Customer, LabNetwork, POLISH, RECEIVER, REFUSING, SENDER, UNREGISTERED, VARIABLES,
    write_sample,
};
use super::sink::ReceivedCall;
use super::tax_office;
use quoin_access_point::clock::Clock;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_server::start::Running;

/// How long one call, and the whole way of an invoice, may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The largest answer that is read, in bytes.
const LARGEST_ANSWER: usize = 4 << 20;

/// Starts the lab, sends an invoice, tells what happened, and stays up unless `once`.
///
/// # Errors
/// What went wrong, in a sentence.
pub async fn tell(folder: &Path, once: bool, out: &mut impl Write) -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    let begun = Instant::now();
    let network = LabNetwork::start(folder, Clock::default()).await.map_err(|e| e.to_string())?;
    introduce(&network, begun.elapsed(), out).map_err(said)?;
    let first = first_delivery(&network, out).await;
    let outcome = match first {
        Ok(()) if once => Ok(()),
        Ok(()) => {
            invite(&network, out).map_err(said)?;
            quoin_server::ending::wait_for_end().await.map_err(said)
        }
        Err(problem) => Err(problem),
    };
    let gone = std::fs::remove_file(folder.join(VARIABLES));
    network.stop().await;
    // There is none before somebody is invited.
    if let Err(error) = gone
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return outcome.and(Err(format!("{VARIABLES} could not be removed: {error}")));
    }
    outcome
}

fn introduce(network: &LabNetwork, took: Duration, out: &mut impl Write) -> std::io::Result<()> {
    let around = &network.around;
    let smp = |config: &quoin_access_point::config::Config| {
        config.smp.public_url.clone().unwrap_or_default()
    };
    let as4 = |config: &quoin_access_point::config::Config| {
        config.access_point.public_url.clone().unwrap_or_default()
    };
    let (one, two) = (&network.one.parts.config, &network.two.parts.config);
    writeln!(out, "A Peppol network is up on this machine ({} ms).", took.as_millis())?;
    writeln!(out, "  SML (DNS)   {}", around.sml.address)?;
    writeln!(out, "  corner 2    POP000001  AS4 {}  SMP {}", as4(one), smp(one))?;
    writeln!(out, "  corner 3    POP000002  AS4 {}  SMP {}", as4(two), smp(two))?;
    writeln!(out, "  corner 5    POP000005  the tax authorities, {}-…", tax_office::PROVIDER)?;
    writeln!(out, "  webhooks    {}", around.sink_url)?;
    writeln!(out, "  files       {}\n", around.folder.display())
}

/// Corner 1 uploads; then its own events and those of corner 4 are waited for.
async fn first_delivery(network: &LabNetwork, out: &mut impl Write) -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    let api = ApiClient::of(network).await?;
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "LAB-1");
    let document = Uuid::new_v4().to_string();
    writeln!(out, "{SENDER} sends invoice LAB-1 to {RECEIVER}.").map_err(said)?;
    let begun = Instant::now();
    api.send(SENDER, &document, invoice).await?;
    let stored = begun.elapsed();
    let sink = &network.around.sink;
    let sent = sink
        .wait_for(PATIENCE, |told| {
            told.text("documentId") == document && told.text("topic").starts_with("InvoiceSent")
        })
        .await
        .ok_or("no InvoiceSent event arrived within 30 s")?;
    let received = sink
        .wait_for(PATIENCE, |told| told.text("topic") == "InvoiceReceived")
        .await
        .ok_or("no InvoiceReceived event arrived within 30 s")?;
    let status = sink
        .wait_for(PATIENCE, |told| {
            told.text("documentId") == document
                && told.text("topic") == "MessageLevelStatusReceived"
        })
        .await
        .ok_or("no MessageLevelStatusReceived event arrived within 30 s")?;
    let whole = begun.elapsed();
    let report = sink
        .wait_for(PATIENCE, |told| {
            told.text("documentId") == document && told.text("topic") == "TaxReportAccepted"
        })
        .await
        .ok_or("no TaxReportAccepted event arrived within 30 s")?;
    writeln!(out, "  {:>8.1} ms  stored durably, 200 OK", milliseconds(stored)).map_err(said)?;
    api.timeline(&document, out).await?;
    for told in [&sent, &received, &status, &report] {
        tell_event(told, out).map_err(said)?;
    }
    taken(network, out).map_err(said)?;
    writeln!(
        out,
        "  {:>8.1} ms  from upload to the status of the other provider\n",
        milliseconds(whole)
    )
    .map_err(said)?;
    if sent.text("topic") != "InvoiceSent" {
        return Err(format!("the invoice was not delivered: {}", sent.text("message")));
    }
    if !sent.signed || !received.signed {
        return Err("a webhook was not signed as it should be".to_owned());
    }
    let proof = sent.payload.pointer("/details/returnedMessageId").and_then(Value::as_str);
    writeln!(out, "Delivered. The receipt {} verified.", proof.unwrap_or_default()).map_err(said)
}

/// What the tax authority has by now.
fn taken(network: &LabNetwork, out: &mut impl Write) -> std::io::Result<()> {
    for kept in network.office.about("LAB-1") {
        let (role, regime) = (kept.report.role.code(kept.report.regime), kept.report.regime);
        let answer = kept.answer.unwrap_or("no answer");
        writeln!(out, "    tax data  {role} reported LAB-1 by {regime}: {answer}")?;
    }
    Ok(())
}

fn tell_event(told: &ReceivedCall, out: &mut impl Write) -> std::io::Result<()> {
    let signed = if told.signed { "both signatures verified" } else { "SIGNATURE WRONG" };
    let topic = told.text("topic");
    writeln!(out, "     webhook  {topic} for {} ({signed})", told.text("partyId"))
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn invite(network: &LabNetwork, out: &mut impl Write) -> std::io::Result<()> {
    let sample = sample(network)?;
    writeln!(out, "\nThe network stays up; Ctrl-C ends it. To play:\n")?;
    let corners =
        [("sender", &network.one, &network.sender), ("receiver", &network.two, &network.receiver)];
    for (role, running, customer) in corners {
        let url = running.api.as_ref().map(|door| door.url()).unwrap_or_default();
        let Customer { client, secret, .. } = customer;
        let name = role.to_uppercase();
        writeln!(out, "  # the {role}'s API: {url}")?;
        writeln!(
            out,
            "  {name}=$(curl -s {url}/connect/token -u {client}:{secret} \\\n    \
             -d grant_type=client_credentials -d scope=ap \
             | sed 's/.*\"access_token\":\"\\([^\"]*\\)\".*/\\1/')\n"
        )?;
    }
    let url = network.one.api.as_ref().map(|door| door.url()).unwrap_or_default();
    writeln!(
        out,
        "  curl {url}/api/v1/{SENDER}/salesInvoice/send -H \"Authorization: Bearer $SENDER\" \\\n    \
         -H 'Content-Type: application/xml' --data-binary '@{sample}'\n"
    )?;
    writeln!(out, "  Recipients (EndpointID of the buyer):")?;
    writeln!(out, "    {RECEIVER}  takes every invoice")?;
    writeln!(out, "    {BUSY}  its access point answers 503 twice, then takes it")?;
    writeln!(out, "    {UNREGISTERED}  is registered nowhere")?;
    writeln!(out, "    {REFUSING}  its access point answers that it does not serve it")?;
    writeln!(out, "  A sample to change: {sample}")?;
    let page = network.one.api.as_ref().map(|door| door.url()).unwrap_or_default();
    writeln!(out, "  All of this for the shell: . {}", variables(network)?)?;
    writeln!(out, "  The interface, to read and to try: {page}/docs")
}

/// Addresses, accounts and parties as variables of the shell, written beside the other files of the
/// lab: whole, or not at all.
fn variables(network: &LabNetwork) -> std::io::Result<String> {
    let corners = [
        ("SENDER", SENDER, &network.one, &network.sender),
        ("RECEIVER", RECEIVER, &network.two, &network.receiver),
    ];
    let line = |(name, party, running, customer): (&str, &str, &Running, &Customer)| {
        let api = running.api.as_ref().map(|door| door.url()).unwrap_or_default();
        let Customer { client, secret, .. } = customer;
        format!("{name}={party} {name}_API={api} {name}_CLIENT={client} {name}_SECRET={secret}\n")
    };
    let around = &network.around;
    let partner =
        format!("PARTNER={} PARTNER_SECRET={}\n", around.partner_host, around.partner_secret);
    let others = [partner, format!("POLISH={POLISH}\n")];
    let text: String = corners.into_iter().map(line).chain(others).collect();
    let folder = &network.around.folder;
    let (draft, path) = (folder.join("lab.env.new"), folder.join(VARIABLES));
    std::fs::write(&draft, text)?;
    std::fs::rename(&draft, &path)?;
    Ok(path.display().to_string())
}

/// An invoice to start from, written beside the other files of the lab; and one of each country
/// that has a form of its own.
fn sample(network: &LabNetwork) -> std::io::Result<String> {
    let folder = &network.around.folder;
    for (country, name) in [(PintSample::Emirates, "pint-ae"), (PintSample::Oman, "pint-om")] {
        let text = pint_invoice(country, SENDER, RECEIVER, &format!("LAB-{name}"));
        write_sample(folder, &format!("{name}.xml"), &text)?;
    }
    let text = french_invoice(FrenchBuyer::Company, SENDER, RECEIVER, "LAB-france");
    write_sample(folder, "france.xml", &text)?;
    let text = quoin_formats::samples::invoice(SENDER, RECEIVER, "LAB-2");
    Ok(write_sample(folder, "invoice.xml", &text)?.display().to_string())
}

/// The sender's API, as a client of it sees it.
struct ApiClient {
    base: String,
    token: HeaderValue,
    http: HttpClient,
}

impl ApiClient {
    /// Fetches a token.
    async fn of(network: &LabNetwork) -> Result<ApiClient, String> {
        let base = network.one.api.as_ref().map(|door| door.url()).ok_or("the API is closed")?;
        let http = network.around.client().map_err(|error| error.to_string())?;
        let Customer { client, secret, .. } = &network.sender;
        let basic = data_encoding::BASE64.encode(format!("{client}:{secret}").as_bytes());
        let form = "grant_type=client_credentials&scope=ap";
        let headers = vec![
            (AUTHORIZATION, value(&format!("Basic {basic}"))?),
            (CONTENT_TYPE, value("application/x-www-form-urlencoded")?),
        ];
        let url = format!("{base}/connect/token");
        let answer = call(&http, Method::POST, &url, headers, Some(form.into())).await?;
        let token = answer.get("access_token").and_then(Value::as_str);
        let token = token.ok_or_else(|| format!("no token was issued: {answer}"))?;
        Ok(ApiClient { base, token: value(&format!("Bearer {token}"))?, http })
    }

    async fn send(&self, party: &str, document: &str, invoice: String) -> Result<(), String> {
        let id = HeaderName::from_static("x-service-documentid");
        let headers = vec![
            (AUTHORIZATION, self.token.clone()),
            (CONTENT_TYPE, value("application/xml")?),
            (id, value(document)?),
        ];
        let url = format!("{}/api/v1/{party}/salesInvoice/send", self.base);
        call(&self.http, Method::POST, &url, headers, Some(invoice.into())).await?;
        Ok(())
    }

    /// Prints the timeline of a document, in milliseconds since it was stored.
    async fn timeline(&self, document: &str, out: &mut impl Write) -> Result<(), String> {
        let url = format!("{}/api/v1/{SENDER}/salesInvoice/{document}/status", self.base);
        let headers = vec![(AUTHORIZATION, self.token.clone())];
        let answer = call(&self.http, Method::GET, &url, headers, None).await?;
        let lines = answer.as_array().ok_or_else(|| format!("not a timeline: {answer}"))?;
        let text = |line: &Value, name: &str| {
            line.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let time = |line: &Value| text(line, "createdOn").parse::<jiff::Timestamp>().ok();
        let start = lines.first().and_then(time);
        for line in lines {
            let since = start.and_then(|start| Some(time(line)?.duration_since(start)));
            let since = since.map_or(0.0, |since| since.as_secs_f64() * 1000.0);
            let (name, description) = (text(line, "name"), text(line, "description"));
            writeln!(out, "  {since:>8.1} ms  {name:<10} {description}")
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

fn value(text: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_str(text).map_err(|error| error.to_string())
}

async fn call(
    http: &HttpClient,
    method: Method,
    url: &str,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Option<Bytes>,
) -> Result<Value, String> {
    let call = HttpCall { method, headers, body, ..HttpCall::get(url, PATIENCE, LARGEST_ANSWER) };
    let answer = http.call(call).await.map_err(|error| format!("{url}: {error}"))?;
    let json: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if (200..300).contains(&answer.status) {
        return Ok(json);
    }
    Err(format!("{url} answered {}: {json}", answer.status))
}
