//! Holding a dossier against itself and against the roots that its verifier trusts.

use std::collections::{BTreeMap, BTreeSet};

use data_encoding::{BASE64, HEXLOWER};
use quoin_xml::tree::{Document, Limits};
use quoin_xmldsig::enveloped;
use quoin_xmldsig::keys::{PublicKey, sha256};

use super::judges::{AnyPeer, CertificateJudge, certificate};
use super::{DossierManifest, DossierVerdict, names, times};
use crate::as4::{SignedMessage, SignedReceipt, gunzip, read_signed_message, read_signed_receipt};
use crate::instant::instant;
use crate::pki::{Certificate, CertificateRole};
use crate::sbdh;

/// SHA-256 of the roots of the network, which need not be given: PEPPOL Root CA - G3 and PEPPOL
/// Root TEST CA - G3.
pub const KNOWN_ROOTS: [&str; 2] = [
    "b6075b9f8655e756777f182d1407c0049442d3a2f57dff9781523828f331f211",
    "8b4e0e5dc7c8208cba88edebfad31e064740d896ab6e18de0b03386fd24be734",
];

type PartsByName = BTreeMap<String, Vec<u8>>;

/// Verifies the parts of a dossier. Roots in it count where they are among `roots` or
/// [`KNOWN_ROOTS`].
pub fn verify(parts: &PartsByName, roots: &[Certificate]) -> DossierVerdict {
    let mut verdict = DossierVerdict::default();
    let known = |root: &Certificate| {
        let print = HEXLOWER.encode(root.fingerprint());
        roots.contains(root) || KNOWN_ROOTS.contains(&print.as_str())
    };
    let judge = CertificateJudge::of(parts, known);
    manifest(&mut verdict, parts, &judge);
    listed(&mut verdict, parts);
    page(&mut verdict, parts);
    let message = message(&mut verdict, parts, &judge);
    payload(&mut verdict, parts, message.as_ref());
    let receipt = receipt(&mut verdict, parts, message.as_ref(), &judge);
    smp(&mut verdict, parts, (message.as_ref(), receipt.as_ref()), &judge);
    verdict
}

/// The manifest can be read, its signature verifies, and its signer is one of the network.
fn manifest(verdict: &mut DossierVerdict, parts: &PartsByName, judge: &CertificateJudge) {
    let Some(bytes) = parts.get(names::MANIFEST) else {
        verdict.add("manifest", Err("the dossier has no manifest.json".to_owned()));
        return;
    };
    let read = DossierManifest::read(bytes);
    let about = |read: &DossierManifest| {
        let about = &read.about;
        format!("{} document {}, made on {}", about.direction, about.document_id, about.made_on)
    };
    verdict.add("manifest", read.as_ref().map(about).map_err(Clone::clone));
    let signer = parts.get(names::SIGNER).and_then(|pem| certificate(pem));
    let signature =
        parts.get(names::SIGNATURE).and_then(|text| BASE64.decode(text.trim_ascii()).ok());
    let signed = match (&signer, signature) {
        (Some(signer), Some(signature)) => PublicKey::from_spki(signer.spki())
            .and_then(|key| key.verify_rsa_sha256(bytes, &signature))
            .map(|()| format!("by {}", signer.subject()))
            .map_err(|error| format!("{error}: the manifest was changed, or another key signed")),
        (None, _) => Err("manifest.pem is missing or no certificate".to_owned()),
        (_, None) => Err("manifest.sig is missing or not Base64".to_owned()),
    };
    verdict.add("manifest-signature", signed);
    if let (Some(signer), Ok(read)) = (&signer, &read) {
        let made = read.about.made_on;
        verdict.add("manifest-signer", judge.judge(signer, CertificateRole::AccessPoint, made));
    }
    verdict.manifest = read.ok();
}

/// Every part is as listed, the chain holds, and nothing is there that is not listed.
fn listed(verdict: &mut DossierVerdict, parts: &PartsByName) {
    let Some(manifest) = verdict.manifest.clone() else { return };
    let mut names: BTreeSet<&str> =
        BTreeSet::from([names::MANIFEST, names::SIGNATURE, names::SIGNER]);
    for part in &manifest.parts {
        names.insert(&part.name);
        let found = match parts.get(&part.name) {
            None => Err("it is listed, but not in the dossier".to_owned()),
            Some(bytes) if HEXLOWER.encode(&sha256(bytes)) != part.sha256 => {
                Err("it was changed: its digest is not the one in the manifest".to_owned())
            }
            Some(bytes) => Ok(format!("{} bytes", bytes.len())),
        };
        verdict.add(format!("part {}", part.name), found);
    }
    for name in parts.keys().filter(|name| !names.contains(name.as_str())) {
        let found = Err("it is in the dossier, but not listed in the manifest".to_owned());
        verdict.add(format!("part {name}"), found);
    }
    let chain = match manifest.broken_link() {
        None => Ok(format!("{} links", manifest.parts.len())),
        Some(place) => Err(format!("it breaks at {place}")),
    };
    verdict.add("hash-chain", chain);
}

/// The page for people: that it is a PDF. What it shows is the word of who signed the manifest.
fn page(verdict: &mut DossierVerdict, parts: &PartsByName) {
    let Some(bytes) = parts.get(names::PAGE) else {
        return verdict.absent("page", "the dossier has no PDF of the document");
    };
    let found = match bytes.starts_with(b"%PDF-") {
        true => Ok("as the access point that signed shows the document to people".to_owned()),
        false => Err("document.pdf is no PDF".to_owned()),
    };
    verdict.add("page", found);
}

/// The AS4 message: its signature, and its signer when it was made here, or came.
fn message(
    verdict: &mut DossierVerdict,
    parts: &PartsByName,
    judge: &CertificateJudge,
) -> Option<SignedMessage> {
    let Some(bytes) = parts.get(names::MESSAGE) else {
        verdict.absent("message-signature", "the signed message was not kept");
        return None;
    };
    let read = read_signed_message(bytes, &AnyPeer);
    let found = read.as_ref().map(|read| {
        format!(
            "{} by {}, at {}",
            read.message.message_id, read.message.from, read.message.timestamp
        )
    });
    verdict.add("message-signature", found.map_err(ToString::to_string));
    let read = read.ok()?;
    let signer = Certificate::from_der(&read.signer.certificate).map_err(|e| e.to_string());
    let said = read.message.timestamp;
    let times = times::of_message(verdict.manifest.as_ref(), said);
    let said = (Some(said), &*said.to_string());
    let trusted = signer.and_then(|signer| times::judged((judge, &signer), &times, said));
    verdict.add("message-signer", trusted);
    let same = match read.signer.common_name == read.message.from {
        true => Ok(read.message.from.clone()),
        false => Err(format!("{} signed for {}", read.signer.common_name, read.message.from)),
    };
    verdict.add("message-sender", same);
    about_message(verdict, &read);
    Some(read)
}

/// The manifest is about this very message.
fn about_message(verdict: &mut DossierVerdict, read: &SignedMessage) {
    let Some(manifest) = &verdict.manifest else { return };
    let found = match manifest.about.message_id.as_deref() {
        Some(id) if id == read.message.message_id => Ok(id.to_owned()),
        other => Err(format!("the manifest says {other:?}, not {}", read.message.message_id)),
    };
    verdict.add("message-id", found);
}

/// What travelled is what was signed, and the document is what travelled.
fn payload(verdict: &mut DossierVerdict, parts: &PartsByName, message: Option<&SignedMessage>) {
    let Some(bytes) = parts.get(names::PAYLOAD) else {
        verdict.absent("payload-digest", "the document is no longer kept");
        return;
    };
    let digest = sha256(bytes);
    let signed = message.map(|message| {
        let mut attachments = message.parts.iter().filter(|part| part.uri.starts_with("cid:"));
        attachments.any(|part| part.digest == digest)
    });
    match signed {
        Some(true) => {
            verdict.add("payload-digest", Ok("it is the attachment that was signed".to_owned()));
        }
        Some(false) => {
            let why = "its digest is not in the signature of the message".to_owned();
            verdict.add("payload-digest", Err(why));
        }
        None => verdict.absent("payload-digest", "there is no message to hold it against"),
    }
    let inside = gunzip(bytes).map_err(|refusal| refusal.to_string());
    let envelope = match (&inside, parts.get(names::ENVELOPE)) {
        (Ok(inside), Some(envelope)) if inside == envelope => Ok("what was compressed".to_owned()),
        (Ok(_), Some(_)) => Err("it is not what the payload holds".to_owned()),
        (Ok(_), None) => Err("envelope.xml is missing".to_owned()),
        (Err(why), _) => Err(why.clone()),
    };
    verdict.add("envelope", envelope);
    let content = inside.and_then(|inside| {
        let read = sbdh::read(&inside).map_err(|refusal| refusal.to_string())?;
        let content = read.content(&inside).map_err(|refusal| refusal.to_string())?;
        match parts.get(names::DOCUMENT) {
            Some(document) if **document == *content => {
                Ok(format!("from {} to {}", read.sbdh.sender, read.sbdh.receiver))
            }
            Some(_) => Err("it is not what the envelope holds".to_owned()),
            None => Err("document.xml is missing".to_owned()),
        }
    });
    verdict.add("document", content);
}

/// The receipt: its signature, that it is about the message, and that it repeats every digest.
fn receipt(
    verdict: &mut DossierVerdict,
    parts: &PartsByName,
    message: Option<&SignedMessage>,
    judge: &CertificateJudge,
) -> Option<SignedReceipt> {
    let Some(bytes) = parts.get(names::RECEIPT) else {
        let why = match message {
            Some(_) => {
                "no receipt is recorded: the dossier shows the message, not that it was taken"
            }
            None => "there is no receipt: it was not delivered over AS4",
        };
        verdict.absent("receipt-signature", why);
        return None;
    };
    let read = read_signed_receipt(&content_type(bytes), bytes, &AnyPeer);
    let found = read.as_ref().map(|read| {
        format!("{} by {}, at {}", read.message_id, read.signer.common_name, read.timestamp)
    });
    verdict.add("receipt-signature", found.map_err(ToString::to_string));
    let read = read.ok()?;
    let signer = Certificate::from_der(&read.signer.certificate).map_err(|e| e.to_string());
    let said = (instant(&read.timestamp), read.timestamp.as_str());
    let times = times::of_receipt(verdict.manifest.as_ref(), parts, said.0);
    let trusted = signer.and_then(|signer| times::judged((judge, &signer), &times, said));
    verdict.add("receipt-signer", trusted);
    let Some(message) = message else {
        verdict.absent("receipt-digests", "there is no message to hold it against");
        return Some(read);
    };
    let id = &message.message.message_id;
    let about = match &read.about {
        Some(about) if about == id => Ok(format!("about {id}")),
        other => Err(format!("it is about {other:?}, not about {id}")),
    };
    verdict.add("receipt-message", about);
    let missing = message.parts.iter().find(|part| !read.parts.contains(part));
    let digests = match missing {
        None => Ok(format!("{} digests, as they were signed", message.parts.len())),
        Some(part) => Err(format!("the digest of {} is not the one that was sent", part.uri)),
    };
    verdict.add("receipt-digests", digests);
    let to = &message.message.to;
    let by = match read.signer.common_name == *to {
        true => Ok(to.clone()),
        false => Err(format!("{} signed it, the message went to {to}", read.signer.common_name)),
    };
    verdict.add("receipt-receiver", by);
    Some(read)
}

/// The answers of the SMP: their signatures, and that one names who gave the receipt.
fn smp(
    verdict: &mut DossierVerdict,
    parts: &PartsByName,
    (message, receipt): (Option<&SignedMessage>, Option<&SignedReceipt>),
    judge: &CertificateJudge,
) {
    let mut named: Option<bool> = None;
    for name in [names::SMP_ANSWER, names::REDIRECTED_ANSWER] {
        let Some(bytes) = parts.get(name) else { continue };
        let stem = name.trim_end_matches(".xml");
        let document = Document::parse(bytes, &Limits::default()).map_err(|e| e.to_string());
        let signer = document.as_ref().map_err(Clone::clone).and_then(|document| {
            let der = enveloped::verify(document).map_err(|error| error.to_string())?;
            Certificate::from_der(&der).map_err(|error| error.to_string())
        });
        let found = signer.as_ref().map(|signer| format!("by {}", signer.subject()));
        verdict.add(format!("{stem}-signature"), found.map_err(Clone::clone));
        if let Ok(signer) = &signer {
            let at = message.map(|message| message.message.timestamp);
            let at = at.ok_or_else(|| "there is no message that tells the time".to_owned());
            let trusted = at.and_then(|at| judge.judge(signer, CertificateRole::Smp, at));
            verdict.add(format!("{stem}-signer"), trusted);
        }
        if let (Ok(document), Some(receipt)) = (&document, receipt) {
            named = Some(named.unwrap_or(false) || names_signer(document, receipt));
        }
    }
    match named {
        Some(true) => {
            let detail = "it names the access point that gave the receipt".to_owned();
            verdict.add("smp-endpoint", Ok(detail));
        }
        Some(false) => {
            let detail = "it names another access point than the one that gave the receipt";
            verdict.add("smp-endpoint", Err(detail.to_owned()));
        }
        None => verdict.absent("smp-endpoint", "the answer of an SMP belongs to what is sent"),
    }
}

/// Whether an answer has a certificate of the seat that signed a receipt.
fn names_signer(document: &Document, receipt: &SignedReceipt) -> bool {
    let certificates = document.root().descendants().filter(|one| one.local() == "Certificate");
    let mut seats = certificates.filter_map(|one| Certificate::from_text(&one.text()).ok());
    seats.any(|found| found.subject().common_name() == Some(&receipt.signer.common_name))
}

/// How a receipt was sent: as it stands, or as the first part of a package, whose boundary is its
/// first line.
fn content_type(bytes: &[u8]) -> String {
    let start = bytes.trim_ascii_start();
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match std::str::from_utf8(line).ok().and_then(|line| line.trim_end().strip_prefix("--")) {
        Some(boundary) => {
            format!("multipart/related; type=\"application/soap+xml\"; boundary=\"{boundary}\"")
        }
        None => "application/soap+xml; charset=UTF-8".to_owned(),
    }
}
