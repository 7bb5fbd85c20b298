//! What the tools that manage an SMP send and are shown: service groups and
//! service metadata without a signature, the list of groups, a group with everything in it.

use quoin_xml::tree::Element;
use quoin_xml::write::escape_attribute;

use super::read::{
    expect_root, only, parse, participant, read_information, read_redirect, submitted,
};
use super::write::{DECLARATION, PEPPOL};
use super::{NAMESPACE, PublishRefusal, ServiceMetadata, SmpRefusal, service_group_url};
use crate::identifiers::{DocumentTypeId, ParticipantId};
use crate::sml::SmpBase;

/// The participant of a submitted service group; its references are ours to make.
///
/// # Errors
/// [`SmpRefusal`] for anything else than a service group.
pub fn submitted_group(bytes: &[u8]) -> Result<ParticipantId, SmpRefusal> {
    let document = parse(bytes)?;
    expect_root(document.root(), "ServiceGroup")?;
    participant(document.root())
}

/// Submitted service metadata: what it says, before anybody has signed it. A signed one is taken as
/// well, and its signature is not looked at: who submits it has signed in.
///
/// # Errors
/// [`SmpRefusal`].
pub fn submitted_metadata(bytes: &[u8]) -> Result<ServiceMetadata, SmpRefusal> {
    let document = parse(bytes)?;
    let root = document.root();
    let metadata = match root.is(NAMESPACE, "SignedServiceMetadata") {
        true => only(root, "ServiceMetadata")?,
        false => {
            expect_root(root, "ServiceMetadata")?;
            root
        }
    };
    is_whole(metadata)?;
    match metadata.child(NAMESPACE, "Redirect") {
        Some(redirect) => {
            alone(metadata)?;
            Ok(ServiceMetadata::Redirect(read_redirect(redirect)?))
        }
        None => {
            let element = only(metadata, "ServiceInformation")?;
            let information = read_information(element, submitted)?;
            every_process(element, information.processes.len())?;
            Ok(ServiceMetadata::Information(information))
        }
    }
}

/// What is not published is not taken: who submits it would believe that the network is told.
fn is_whole(metadata: Element<'_>) -> Result<(), SmpRefusal> {
    for found in metadata.descendants().filter(|found| found.namespace() == NAMESPACE) {
        let text = found.text();
        let text = text.trim();
        let is_empty = text.is_empty() && found.descendants().count() == 1;
        let (element, expected) = match found.local() {
            "RequireBusinessLevelSignature" if matches!(text, "true" | "1") => {
                ("RequireBusinessLevelSignature", "false, as documents in Peppol have no signature")
            }
            "MinimumAuthenticationLevel" if !is_empty => {
                ("MinimumAuthenticationLevel", "none: it is not published")
            }
            "Extension" if !is_empty => ("Extension", "none: extensions are not published"),
            _ => continue,
        };
        let found = text.chars().take(100).collect();
        return Err(SmpRefusal::Value { element, found, expected });
    }
    Ok(())
}

/// A process whose identifier is none would be left out.
fn every_process(information: Element<'_>, read: usize) -> Result<(), SmpRefusal> {
    let lists = information.children_named(NAMESPACE, "ProcessList");
    let there = lists.flat_map(|list| list.children_named(NAMESPACE, "Process")).count();
    if there == read {
        return Ok(());
    }
    Err(SmpRefusal::Value {
        element: "ProcessIdentifier",
        found: format!("none that can be read in {} of {there}", there - read),
        expected: "an identifier under its scheme in each process",
    })
}

/// A record is either here or elsewhere.
fn alone(metadata: Element<'_>) -> Result<(), SmpRefusal> {
    match metadata.child(NAMESPACE, "ServiceInformation") {
        None => Ok(()),
        Some(_) => Err(SmpRefusal::Value {
            element: "ServiceMetadata",
            found: "Redirect and ServiceInformation".to_owned(),
            expected: "one of them",
        }),
    }
}

/// The list of service groups, as addresses.
pub fn group_list(base: &SmpBase, participants: &[ParticipantId]) -> String {
    let mut out = format!("{DECLARATION}<smp:ServiceGroupReferenceList xmlns:smp=\"{NAMESPACE}\">");
    for participant in participants {
        out.push_str("<smp:ServiceGroupReference href=\"");
        escape_attribute(&service_group_url(base, participant), &mut out);
        out.push_str("\"/>");
    }
    out.push_str("</smp:ServiceGroupReferenceList>");
    out
}

/// A service group with its metadata, as it is before signing.
///
/// # Errors
/// [`PublishRefusal`] for metadata that may not be published.
pub fn complete_group(
    base: &SmpBase,
    participant: &ParticipantId,
    records: &[(DocumentTypeId, ServiceMetadata)],
) -> Result<String, PublishRefusal> {
    let mut out = PEPPOL.start("CompleteServiceGroup");
    out.push_str("<smp:ServiceGroup>");
    let document_types: Vec<_> = records.iter().map(|(id, _)| id.clone()).collect();
    PEPPOL.group(&mut out, base, participant, &document_types);
    out.push_str("</smp:ServiceGroup>");
    for (_, metadata) in records {
        PEPPOL.metadata(&mut out, metadata)?;
    }
    out.push_str("</smp:CompleteServiceGroup>");
    Ok(out)
}
