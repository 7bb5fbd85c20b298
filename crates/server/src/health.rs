//! Whether the service is well. *Live*: the process answers at all. *Ready*: it can do its work
//! now, which each [`Check`] says for one thing; and which budget has nothing left.
//!
//! A further check is a type that implements [`Check`] and a line in [`Health::of`].

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use quoin_store::Store;
use serde::Serialize;
use utoipa::ToSchema;

use crate::budget::Budgets;

/// One thing that the service needs to do its work.
pub trait Check: Send + Sync {
    /// Its name in answers and in the manual.
    fn name(&self) -> &'static str;

    /// Looks now. What is wrong is told in words that give away nothing of a customer.
    fn look(&self) -> BoxFuture<'_, Result<(), String>>;
}

/// What is looked at.
#[derive(Clone, Default)]
pub struct Health {
    checks: Vec<Arc<dyn Check>>,
    budgets: Option<Budgets>,
}

/// How the service is.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// `ok`, `degraded` (a budget has nothing left for some), or `failed`.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// Whether it can do its work now.
    #[schema(example = true)]
    pub ready: bool,
    /// What it needs, and whether that is well.
    #[schema(example = json!([{ "name": "store", "ok": true }]))]
    pub checks: Vec<Looked>,
    /// The budgets that had nothing left for somebody within the last seconds.
    #[schema(example = json!(["bytes"]))]
    pub exhausted: Vec<&'static str>,
    /// The version of the program.
    #[schema(example = "0.1.0")]
    pub version: &'static str,
}

/// What a check said.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Looked {
    /// What was looked at.
    #[schema(example = "store")]
    pub name: &'static str,
    /// Whether it is well.
    #[schema(example = true)]
    pub ok: bool,
    /// What is wrong with it.
    #[schema(example = "the store does not answer")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Health {
    /// The checks of a service.
    pub fn of(store: &Store, budgets: &Budgets) -> Health {
        let checks: Vec<Arc<dyn Check>> = vec![Arc::new(StoreAnswers(store.clone()))];
        Health { checks, budgets: Some(budgets.clone()) }
    }

    /// The same with a further check.
    #[must_use]
    pub fn and(mut self, check: Arc<dyn Check>) -> Health {
        self.checks.push(check);
        self
    }

    /// Looks at everything.
    pub async fn look(&self) -> Standing {
        let mut checks = Vec::new();
        for check in &self.checks {
            let problem = check.look().await.err();
            checks.push(Looked { name: check.name(), ok: problem.is_none(), problem });
        }
        let meters = self.budgets.iter().flat_map(Budgets::all);
        let exhausted: Vec<_> =
            meters.map(|meter| meter.read()).filter(|it| it.exhausted).map(|it| it.name).collect();
        let well = checks.iter().all(|looked| looked.ok);
        let status = match (well, exhausted.is_empty()) {
            (false, _) => "failed",
            (true, false) => "degraded",
            (true, true) => "ok",
        };
        let (ready, version) = (status == "ok", env!("CARGO_PKG_VERSION"));
        Standing { status, ready, checks, exhausted, version }
    }
}

/// The store answers.
struct StoreAnswers(Store);

impl Check for StoreAnswers {
    fn name(&self) -> &'static str {
        "store"
    }

    fn look(&self) -> BoxFuture<'_, Result<(), String>> {
        async {
            self.0.check().await.map_err(|error| {
                tracing::error!(%error, "the store is not well");
                "the store does not answer".to_owned()
            })
        }
        .boxed()
    }
}
