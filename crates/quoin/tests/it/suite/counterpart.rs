//! The other side of a channel, as the suite sees it.

use futures::future::BoxFuture;
use quoin_access_point::config::Config;
use quoin_formats::samples::{SampleKind, document};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use serde_json::Value;

use crate::https::with_picture;
use crate::stage::Stage;

/// How the other side behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// It takes documents.
    Takes,
    /// It says no, and would say so again.
    Refuses,
    /// It says no, and says again what it was shown, in every form.
    Repeats,
    /// It says that it cannot now.
    Later,
    /// It takes connections and says nothing.
    Silent,
    /// It takes its time.
    Slow,
    /// Its disk is full.
    Full,
    /// The connection breaks in the middle of the document.
    CutsBefore,
    /// The connection breaks when it has the document, before it said so.
    CutsAfter,
    /// It is not who it should be.
    Stranger,
    /// It cannot now, and takes other credentials than before when it can.
    Rotated,
    /// It has the document a good while before it says so.
    Late,
}

/// What is the same for all documents of a channel.
#[derive(Debug, Clone, Copy)]
pub struct CounterpartRow {
    /// The member of attempts in which its report is.
    pub report: &'static str,
    /// The code of what may pass.
    pub unavailable: &'static str,
    /// The code of a final no.
    pub refused: &'static str,
    /// The code of a stranger.
    pub stranger: &'static str,
    /// Bytes of a picture that makes the largest document that it has to take.
    pub picture: usize,
    /// Whether a connection carries one document after the other.
    pub keeps_connections: bool,
    /// Lines of a document that is long enough to be cut in the middle.
    pub lines: usize,
}

/// A document as the other side has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenDocument {
    /// By which two of the same are known as one: it holds the document's id, or is the id of the
    /// message.
    pub key: String,
    /// What came.
    pub content: Vec<u8>,
}

/// The other side of a channel.
pub trait Counterpart: Send + Sync {
    /// Starts it; none, and the test counts as skipped, where it is not installed.
    fn start(stage: &Stage) -> BoxFuture<'_, Option<Self>>
    where
        Self: Sized;

    /// What is the same for all documents.
    fn row(&self) -> CounterpartRow;

    /// What the service needs to know besides the hook.
    fn configure(&self, _config: &mut Config) {}

    /// Gets into a mood; the members of the hook that meets it so. The error is why the channel
    /// has no such thing.
    fn meets(&self, mood: Mood) -> BoxFuture<'_, Result<Value, &'static str>>;

    /// A document that may be sent to it: an invoice with so many lines.
    fn sample(&self, lines: usize) -> String {
        document(SampleKind::Invoice, SENDER, RECEIVER, "SUITE-1", lines)
    }

    /// The same with a picture of so many bytes in it.
    fn large(&self, picture: usize) -> String {
        with_picture(picture)
    }

    /// What the upload says besides the channel.
    fn query(&self) -> &'static str {
        ""
    }

    /// Whether what came is the document that was uploaded; where it was converted, whether it is
    /// made of it.
    fn is_the_document(&self, came: &[u8], uploaded: &str) -> bool {
        came == uploaded.as_bytes()
    }

    /// What it has, in the order in which it came where there is one.
    fn documents(&self) -> Vec<TakenDocument>;

    /// Everything that came, repeats too, where it keeps them.
    fn arrivals(&self) -> Vec<TakenDocument> {
        self.documents()
    }

    /// Whether a repeat takes the place of what was there.
    fn writes_over(&self) -> bool {
        false
    }

    /// Whether it is a network with a form of its own, which has none for every family.
    fn has_a_form(&self) -> bool {
        false
    }

    /// How many connections were made since it last got into a mood.
    fn connections(&self) -> usize;

    /// Ends the connections that there are, where the mood does not do so itself.
    fn cut(&self) {}

    /// What nobody may see.
    fn secrets(&self) -> Vec<String>;
}
