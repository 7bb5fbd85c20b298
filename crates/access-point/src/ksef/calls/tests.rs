//! What the system says that is shown to people.

use std::time::Duration;

use quoin_ksef::api::SessionStatus;

use super::*;

const TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl";

fn answer(body: &str) -> HttpAnswer {
    HttpAnswer {
        status: 400,
        headers: hyper::HeaderMap::new(),
        body: body.to_owned().into(),
        cut: None,
        elapsed: Duration::ZERO,
        repeated: false,
        shown: vec![format!("Bearer {TOKEN}").parse().unwrap()],
    }
}

#[test]
fn a_token_that_the_system_says_again_is_in_no_text() {
    let refusal = format!(
        r#"{{"exception":{{"exceptionDetailList":[{{"exceptionCode":21405,
            "exceptionDescription":"no: Bearer {TOKEN}","details":["{TOKEN}"]}}]}}}}"#
    );
    let problem = read_problem(&said(&answer(&refusal))).unwrap();
    assert!(problem.line().contains("***") && !problem.line().contains(TOKEN), "{problem:?}");
    let status = format!(
        r#"{{"status":{{"code":440,"description":"{TOKEN}","details":["no: {TOKEN}"]}},
            "dateCreated":"2026-11-26T10:00:00Z","dateUpdated":"2026-11-26T10:00:00Z"}}"#
    );
    let status: SessionStatus = told(answer(&status)).unwrap();
    let line = status.status.line();
    assert!(line.contains("***") && !line.contains(TOKEN), "{line}");
}
