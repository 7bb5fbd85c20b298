//! `quoin tax` on the store of a service that is stopped: what is there, why it is where it is, and
//! what is asked is done by the service when it starts.

use std::process::{Command, Output};
use std::time::Duration;

use quoin_access_point::config::Config;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::tax_office::{OfficeFault, profile};
use quoin_taxdata::{Regime, TaxSubmission};
use uuid::Uuid;

use super::apart::{Apart, PATIENCE, send};

fn settings(mut config: Config, role: &str) -> Config {
    if role == "C2" {
        config.tax.profiles = vec![profile("NL", Regime::Vida11, &["C2"])];
    }
    config.log.filter = "warn".to_owned();
    config
}

impl Apart {
    fn tax(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_quoin"))
            .args(["tax", "--organisation", "sender", "--config"])
            .arg(self.config())
            .args(arguments)
            .output()
            .unwrap()
    }

    /// The lines that a command prints, by their fields.
    #[track_caller]
    fn lines(&self, arguments: &[&str]) -> Vec<Vec<String>> {
        let output = self.tax(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
    }

    /// A command that cannot be done says why.
    #[track_caller]
    fn refuses(&self, arguments: &[&str], word: &str) {
        let output = self.tax(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(word), "{arguments:?}: {output:?}");
    }

    async fn told(&self, document: &str, topic: &str) {
        let found = self.around.sink.wait_for(PATIENCE, |told| {
            told.text("documentId") == document && told.text("topic") == topic
        });
        assert!(found.await.is_some(), "{document}: no {topic}\n{}", self.one.log());
    }

    async fn kinds(&self, number: &str, last: TaxSubmission) -> Vec<TaxSubmission> {
        crate::stage::until("the office has it", async || {
            let kept = self.office.about(number);
            let kinds: Vec<_> = kept.iter().map(|kept| kept.report.submission).collect();
            (kinds.last() == Some(&last)).then_some(kinds)
        })
        .await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_of_a_stopped_service_are_listed_repeated_and_taken_back() {
    let apart = Apart::start(settings).await;
    apart.office.plan("CMD-RE", OfficeFault::Rejects(1));
    let caller = apart.caller().await;
    let mut ids = Vec::new();
    for (number, topic) in [("CMD-AP", "TaxReportAccepted"), ("CMD-RE", "TaxReportRejected")] {
        let id = Uuid::new_v4().to_string();
        send(&caller, &id, &quoin_formats::samples::invoice(SENDER, RECEIVER, number)).await;
        apart.told(&id, topic).await;
        ids.push(id);
    }
    apart.refuses(&["list", SENDER], "in use by a running service");
    apart.one.terminate(Duration::from_secs(60)).expect("it ends");

    let all = apart.lines(&["list", SENDER]);
    let rows: Vec<[&str; 6]> =
        all.iter().map(|line| [1, 2, 3, 4, 6, 7].map(|at| line[at].as_str())).collect();
    let expected = [
        ["accepted", "C2", "submit", "NL", &ids[0], "CMD-AP"],
        ["rejected", "C2", "submit", "NL", &ids[1], "CMD-RE"],
    ];
    assert_eq!(rows, expected);
    let (accepted, rejected) = (all[0][0].clone(), all[1][0].clone());
    assert_eq!(apart.lines(&["list", SENDER, "--unreported"]), all[1..]);
    assert_eq!(apart.lines(&["list", "--unreported"]), all[1..]);
    apart.refuses(&["list", RECEIVER], "has no party");
    let shown = apart.lines(&["show", &rejected]);
    assert_eq!(shown[0], all[1]);
    let text = shown.concat().join("\n");
    assert!(text.contains("The tax office rejected the report."), "{text}");
    assert!(text.contains("BT-48 (VAT number of the buyer)"), "{text}");

    let nil = Uuid::nil().to_string();
    apart.refuses(&["show", &nil], "no tax report");
    apart.refuses(&["resubmit", &nil], "no tax report");
    apart.refuses(&["resubmit", &accepted], "is accepted");
    apart.refuses(&["disregard", &rejected], "is rejected");
    let again = apart.lines(&["resubmit", &rejected]);
    assert_eq!(again[0][1..4], ["due", "C2", "resubmit"]);
    let back = apart.lines(&["disregard", &accepted]);
    assert_eq!(back[0][1..4], ["due", "C2", "disregard"]);
    apart.refuses(&["resubmit", &rejected], &again[0][0]);

    apart.one.start();
    let repeated = apart.kinds("CMD-RE", TaxSubmission::Resubmit).await;
    assert_eq!(repeated, [TaxSubmission::Submit, TaxSubmission::Resubmit]);
    let taken = apart.kinds("CMD-AP", TaxSubmission::Disregard).await;
    assert_eq!(taken, [TaxSubmission::Submit, TaxSubmission::Disregard]);
    apart.office.stop().await;
}
