//! The other networks of the lab: counterparts of the channels over HTTPS. They check what they are
//! sent as real ones do, remember it, and misbehave when they are told to.

mod cxml;
mod plain;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

/// The largest message that is taken, in bytes.
const LARGEST: usize = 64 << 20;

/// What a network does with the next message instead of taking it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartnerAct {
    /// Takes it, as it does without being told.
    Take,
    /// Answers with a status of its own, and takes the message where that is one of success.
    Status(u16, &'static str),
    /// Answers with a status of HTTP, and nothing else.
    Http(u16),
    /// Never answers, and does not take it.
    Silent,
    /// Takes it, and breaks off before it answers.
    Lost,
    /// Takes it, and answers late.
    Late(Duration),
    /// Takes it, and answers with something that nobody understands.
    Garbage,
    /// Refuses it with an answer that repeats the secret.
    Echo,
    /// Takes it, and says in the receipt that it is refused, for a reason.
    Rejects(&'static str),
}

/// A message that came.
#[derive(Debug, Clone)]
pub struct PartnerPost {
    /// Which network.
    pub network: &'static str,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
    /// By which id a repeat is known.
    pub id: String,
    /// Who sends, and who receives.
    pub ends: (String, String),
    /// The environment that it is for.
    pub mode: String,
    /// Files beside it.
    pub files: usize,
    /// What is wrong with it; empty where it is right.
    pub problem: String,
    /// Whether the network has it.
    pub taken: bool,
}

impl PartnerPost {
    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// The networks; clones share their memory.
#[derive(Clone, Default)]
pub struct PartnerNetworks(Arc<Mutex<PartnerMemory>>);

#[derive(Default)]
struct PartnerMemory {
    secret: String,
    plan: VecDeque<PartnerAct>,
    habit: Option<PartnerAct>,
    posts: Vec<PartnerPost>,
}

impl PartnerNetworks {
    /// Networks that believe a secret.
    pub fn new(secret: &str) -> PartnerNetworks {
        let networks = PartnerNetworks::default();
        networks.believe(secret);
        networks
    }

    /// Believes another secret from now on.
    pub fn believe(&self, secret: &str) {
        secret.clone_into(&mut self.memory().secret);
    }

    /// What they do with the next messages, one after the other.
    pub fn plan(&self, acts: &[PartnerAct]) {
        self.memory().plan.extend(acts.iter().cloned());
    }

    /// What they do with every message for which nothing else is planned; none, and they take it.
    pub fn always(&self, act: Option<PartnerAct>) {
        self.memory().habit = act;
    }

    /// Acts that are still to come.
    pub fn planned(&self) -> usize {
        self.memory().plan.len()
    }

    /// Every message that came, also those that were not taken.
    pub fn posts(&self) -> Vec<PartnerPost> {
        self.memory().posts.clone()
    }

    /// The messages that they have, each id once: what a receiver behind them sees.
    pub fn taken(&self) -> Vec<PartnerPost> {
        let mut taken: Vec<PartnerPost> = Vec::new();
        for post in self.posts().into_iter().filter(|post| post.taken) {
            if taken.iter().all(|known| known.id != post.id) {
                taken.push(post);
            }
        }
        taken
    }

    /// The routes: `/cxml`, `/dico` and `/collaboration` take messages, `/received` lists what
    /// came.
    pub fn routes(&self) -> Router {
        Router::new()
            .route("/cxml", post(cxml::take))
            .route("/dico", post(plain::dico))
            .route("/collaboration", post(plain::collaboration))
            .route("/received", get(received))
            .layer(axum::extract::DefaultBodyLimit::max(LARGEST))
            .with_state(self.clone())
    }

    fn memory(&self) -> MutexGuard<'_, PartnerMemory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn secret(&self) -> String {
        self.memory().secret.clone()
    }

    /// The next act.
    async fn act(&self) -> PartnerAct {
        let act = {
            let mut memory = self.memory();
            let planned = memory.plan.pop_front();
            planned.or_else(|| memory.habit.clone()).unwrap_or(PartnerAct::Take)
        };
        if act == PartnerAct::Silent {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
        }
        act
    }

    /// Remembers a message, and waits where the answer is to be late.
    async fn remember(&self, post: PartnerPost, act: &PartnerAct) {
        self.memory().posts.push(post);
        if let PartnerAct::Late(wait) = act {
            tokio::time::sleep(*wait).await;
        }
    }
}

/// An answer that breaks off after its head.
fn broken() -> Response {
    let end = futures::stream::once(async { Err::<Bytes, _>(std::io::Error::other("cut")) });
    Body::from_stream(end).into_response()
}

/// One line a message: the network, whether it was taken, the environment, sender, receiver, id.
async fn received(State(networks): State<PartnerNetworks>) -> (StatusCode, String) {
    let line = |post: PartnerPost| {
        let PartnerPost { network, taken, mode, ends: (from, to), id, files, .. } = post;
        let taken = if taken { "taken" } else { "refused" };
        format!("{network} {taken} {mode} {from} {to} {id} files={files}\n")
    };
    (StatusCode::OK, networks.posts().into_iter().map(line).collect())
}
