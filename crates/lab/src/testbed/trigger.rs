//! How the access point under test is asked to send: over its interface, or by a person.

use std::path::PathBuf;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::interface::Interface;
use super::submission::{ReportedEnding, SubmissionRequest, TestDocument, Trigger};

/// Asks over the interface.
pub struct ByInterface<'i>(pub &'i Interface);

impl ByInterface<'_> {
    /// The part of the path under which a document is.
    fn resource(order: &SubmissionRequest) -> &'static str {
        match order.document {
            TestDocument::Report => "generic",
            TestDocument::Invoice
            | TestDocument::LargeInvoice
            | TestDocument::Pint
            | TestDocument::Enveloped => "salesInvoice",
        }
    }
}

impl Trigger for ByInterface<'_> {
    fn send<'a>(&'a self, order: &'a SubmissionRequest) -> BoxFuture<'a, Result<(), String>> {
        let (sender, resource) = (&order.sender, ByInterface::resource(order));
        let ends = match order.document {
            TestDocument::Report => format!("?senderId={sender}&receiverId={}", order.receiver),
            TestDocument::Invoice
            | TestDocument::LargeInvoice
            | TestDocument::Pint
            | TestDocument::Enveloped => String::new(),
        };
        let path = format!("/api/v1/{sender}/{resource}/send{ends}");
        async move { self.0.send(&path, &order.id, order.content.clone()).await }.boxed()
    }

    fn ending<'a>(&'a self, order: &'a SubmissionRequest) -> BoxFuture<'a, ReportedEnding> {
        let (sender, resource) = (&order.sender, ByInterface::resource(order));
        let path = format!("/api/v1/{sender}/{resource}/{}/status", order.id);
        async move {
            match self.0.status(&path).await {
                Ok((status, _)) if status == "Delivered" => ReportedEnding::Delivered,
                Ok((status, text)) if status == "Failed" || status == "Rejected" => {
                    ReportedEnding::Failed(format!("{status}: {text}"))
                }
                Ok((status, text)) => ReportedEnding::Pending(format!("{status}: {text}")),
                Err(problem) => ReportedEnding::Pending(problem),
            }
        }
        .boxed()
    }
}

/// Asks a person: the documents are written into a folder, and what to do with them is printed.
pub struct ByHand {
    /// Where the documents are written.
    pub folder: PathBuf,
}

impl Trigger for ByHand {
    fn send<'a>(&'a self, order: &'a SubmissionRequest) -> BoxFuture<'a, Result<(), String>> {
        async move {
            let path = self.folder.join(format!("{}.xml", order.case));
            let written = std::fs::create_dir_all(&self.folder)
                .and_then(|()| std::fs::write(&path, &order.content));
            written.map_err(|error| format!("{}: {error}", path.display()))?;
            let (from, to) = (&order.sender, &order.receiver);
            eprintln!("{:6} send {} from {from} to {to}", order.case, path.display());
            Ok(())
        }
        .boxed()
    }

    fn is_by_hand(&self) -> bool {
        true
    }

    fn ending<'a>(&'a self, _order: &'a SubmissionRequest) -> BoxFuture<'a, ReportedEnding> {
        std::future::ready(ReportedEnding::Unknown).boxed()
    }
}
