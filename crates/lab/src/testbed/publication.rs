//! The SMP of the access point under test: what it publishes about its participant, asked for as a
//! correct sender does (SMP 1.4.0, 5).

use futures::FutureExt;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::smp;

use super::bench::Bench;
use super::case::{CaseArea, TestCase, act};
use super::verdict::{CaseFailure, CaseFixer, CaseVerdict, wrong};
use quoin_access_point::net::{HttpAnswer, HttpCall};

/// The largest answer that is read, in bytes.
const LARGEST: usize = smp::ANSWER_LIMIT;

/// The cases.
pub(super) static CASES: &[TestCase] = &[
    act(
        "S-01",
        CaseArea::Publication,
        "the participant is found, and its signed metadata names the door under test",
        "E-06, E-07, B-13; SMP 1.4.0, 5.5",
        |bench| found(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "S-02",
        CaseArea::Publication,
        "the service group lists the document type",
        "SMP 1.4.0, 5.3.1",
        |bench| group(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "S-03",
        CaseArea::Publication,
        "what is not registered is answered with 404",
        "SMP 1.4.0, 5.2",
        |bench| unknown(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "S-04",
        CaseArea::Publication,
        "an address in raw and in encoded characters leads to the same answer",
        "SMP 1.4.0, 5.3",
        |bench| spelling(bench).map(CaseVerdict::from).boxed(),
    ),
];

async fn found(bench: &Bench) -> Result<String, CaseFailure> {
    let forge = &bench.forge;
    let place = forge.to.to_string();
    let looked = bench.lookup.find(&forge.to, &forge.document_type, &forge.process).await;
    let found = looked.map_err(|failure| {
        let place = format!("{place} ({})", failure.report.dns_name);
        wrong("an endpoint that can be used", failure.to_string(), place).by(CaseFixer::Smp)
    })?;
    let endpoint = &found.endpoint;
    if endpoint.address != bench.url {
        let found = endpoint.address.clone();
        return Err(
            wrong(format!("the door under test, {}", bench.url), found, place).by(CaseFixer::Smp)
        );
    }
    if endpoint.certificate.certificate().der() != bench.certificate.der() {
        let found = endpoint.certificate.certificate().subject().to_string();
        let expected = "the certificate under test";
        return Err(wrong(expected, format!("another one, of {found}"), place).by(CaseFixer::Smp));
    }
    let registration = found.report.registration.unwrap_or_default();
    Ok(format!("{} by {registration}", endpoint.address))
}

/// The base address of the SMP.
async fn base(bench: &Bench) -> Result<String, CaseFailure> {
    let found = bench.lookup.registrations(&bench.forge.to).await;
    let found = found.map_err(|error| {
        let place = bench.forge.to.to_string();
        wrong("a service group", error.to_string(), place).by(CaseFixer::Smp)
    })?;
    Ok(found.smp)
}

async fn get(bench: &Bench, url: &str) -> Result<HttpAnswer, CaseFailure> {
    let answer = bench.peers.call(HttpCall::get(url, bench.patience(), LARGEST)).await;
    answer.map_err(|error| wrong("an answer", error.to_string(), url).by(CaseFixer::Smp))
}

async fn group(bench: &Bench) -> Result<String, CaseFailure> {
    let forge = &bench.forge;
    let found = bench.lookup.registrations(&forge.to).await.map_err(|error| {
        wrong("a service group", error.to_string(), forge.to.to_string()).by(CaseFixer::Smp)
    })?;
    if found.document_types.contains(&forge.document_type) {
        return Ok(format!("{} document types", found.document_types.len()));
    }
    let listed: Vec<String> = found.document_types.iter().map(ToString::to_string).collect();
    let expected = format!("a reference to {}", forge.document_type);
    Err(wrong(expected, listed.join(", "), found.smp).by(CaseFixer::Smp))
}

async fn unknown(bench: &Bench) -> Result<String, CaseFailure> {
    let base = base(bench).await?;
    let own = &bench.forge;
    let nobody: Option<ParticipantId> = "9915:testbed-nobody".parse().ok();
    let other = "busdox-docid-qns::urn:testbed::Nothing##urn:testbed:none::2.1";
    let other: Option<DocumentTypeId> = other.parse().ok();
    let participant = |id: &ParticipantId| format!("{base}/{}", encoded(&id.uri()));
    let metadata = |id: &ParticipantId, of: &DocumentTypeId| {
        format!("{}/services/{}", participant(id), encoded(&of.to_string()))
    };
    let mut urls = Vec::new();
    if let (Some(nobody), Some(other)) = (nobody, other) {
        urls.push(participant(&nobody));
        urls.push(metadata(&nobody, &own.document_type));
        urls.push(metadata(&own.to, &other));
    }
    for url in &urls {
        let answer = get(bench, url).await?;
        if answer.status != 404 {
            return Err(
                wrong("HTTP 404", format!("HTTP {}", answer.status), url).by(CaseFixer::Smp)
            );
        }
    }
    Ok(format!("{} addresses, each 404", urls.len()))
}

async fn spelling(bench: &Bench) -> Result<String, CaseFailure> {
    let base = base(bench).await?;
    let forge = &bench.forge;
    let (who, what) = (forge.to.uri(), forge.document_type.to_string());
    // A number sign would begin a fragment, so that it cannot travel raw.
    let raw = format!("{base}/{who}/services/{}", what.replace('#', "%23"));
    let full = format!("{base}/{}/services/{}", encoded(&who), encoded(&what));
    let (one, other) = (get(bench, &full).await?, get(bench, &raw).await?);
    for (answer, url) in [(&one, &full), (&other, &raw)] {
        if answer.status != 200 {
            return Err(
                wrong("HTTP 200", format!("HTTP {}", answer.status), url).by(CaseFixer::Smp)
            );
        }
    }
    if one.body != other.body {
        let found = "two answers that differ".to_owned();
        return Err(wrong("the same answer for both spellings", found, raw).by(CaseFixer::Smp));
    }
    Ok(format!("the same {} bytes for both", one.body.len()))
}

fn encoded(segment: &str) -> String {
    percent_encoding::utf8_percent_encode(segment, percent_encoding::NON_ALPHANUMERIC).to_string()
}
