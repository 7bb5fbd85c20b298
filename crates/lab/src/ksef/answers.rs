//! Answers of the system, and its refusals in both forms that it speaks.

use axum::http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

/// A request, taken apart.
#[derive(Debug, Clone)]
pub(super) struct LabRequest {
    pub(super) method: String,
    /// Behind the base, without the slash at its begin.
    pub(super) path: String,
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: axum::http::HeaderMap,
    pub(super) body: axum::body::Bytes,
}

impl LabRequest {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn bearer(&self) -> Option<&str> {
        self.header("authorization")?.strip_prefix("Bearer ")
    }

    /// Whether errors are asked for in the newer form.
    pub(super) fn wants_problems(&self) -> bool {
        self.header("x-error-format").is_some_and(|value| value == "problem-details")
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub(super) struct LabAnswer {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

impl LabAnswer {
    pub(super) fn json(status: StatusCode, value: &impl Serialize) -> LabAnswer {
        let body = serde_json::to_vec(value).unwrap_or_default();
        LabAnswer { status: status.as_u16(), kind: "application/json", headers: Vec::new(), body }
    }

    pub(super) fn empty(status: StatusCode) -> LabAnswer {
        LabAnswer { status: status.as_u16(), kind: "", headers: Vec::new(), body: Vec::new() }
    }

    /// The page of something before the system.
    pub(super) fn gateway(status: u16) -> LabAnswer {
        let body = b"<html><body>gateway</body></html>".to_vec();
        LabAnswer { status, kind: "text/html", headers: Vec::new(), body }
    }

    /// The same with other bytes.
    pub(super) fn altered(mut self) -> LabAnswer {
        self.body.push(b'\n');
        self
    }

    /// A document with its digest in the header.
    pub(super) fn document(xml: Vec<u8>) -> LabAnswer {
        let headers = vec![("x-ms-meta-hash", quoin_ksef::package::digest(&xml))];
        LabAnswer { status: 200, kind: "application/xml", headers, body: xml }
    }
}

/// What a call comes to.
pub(super) type LabAnswered = Result<LabAnswer, LabRefusal>;

/// Why the system refuses a call.
#[derive(Debug, Clone)]
pub(super) enum LabRefusal {
    /// 400 with a code.
    Bad { code: u32, description: String, details: Vec<String> },
    /// 401.
    Unauthorized(&'static str),
    /// 403 with its reason.
    Forbidden(&'static str),
    /// There is no such call.
    NotFound,
    /// 429, with the seconds to wait.
    Limited(u64),
    /// What was planned.
    Planned(u16),
}

impl LabRefusal {
    /// A 400 with the text of its code, and with one detail.
    pub(super) fn bad(code: u32, detail: impl Into<String>) -> LabRefusal {
        let detail = detail.into();
        let details = if detail.is_empty() { Vec::new() } else { vec![detail] };
        LabRefusal::Bad { code, description: text_of(code).to_owned(), details }
    }

    pub(super) fn answer(self, request: &LabRequest, now: Timestamp) -> LabAnswer {
        let instance = format!("/v2/{}", request.path);
        let trace = format!("00-{}", Uuid::new_v4().simple());
        let problem = |title: &str, status: u16, detail: &str, mut more: Value| {
            more["title"] = json!(title);
            more["status"] = json!(status);
            more["instance"] = json!(instance);
            more["detail"] = json!(detail);
            more["timestamp"] = json!(now);
            more["traceId"] = json!(trace);
            let body = serde_json::to_vec(&more).unwrap_or_default();
            let kind = "application/problem+json";
            LabAnswer { status, kind, headers: Vec::new(), body }
        };
        match self {
            LabRefusal::Bad { code, description, details } if request.wants_problems() => {
                let error = json!({"code": code, "description": description, "details": details});
                problem(
                    "Bad Request",
                    400,
                    "Żądanie jest nieprawidłowe.",
                    json!({"errors": [error]}),
                )
            }
            LabRefusal::Bad { code, description, details } => {
                let one = json!({"exceptionCode": code, "exceptionDescription": description,
                    "details": details});
                let body = json!({"exception": {"exceptionDetailList": [one], "serviceCode": trace,
                    "serviceCtx": "lab", "serviceName": "lab", "timestamp": now}});
                LabAnswer::json(StatusCode::BAD_REQUEST, &body)
            }
            LabRefusal::Unauthorized(detail) => problem("Unauthorized", 401, detail, json!({})),
            LabRefusal::Forbidden(reason) => {
                let more = json!({"reasonCode": reason});
                problem("Forbidden", 403, "Brak wymaganych uprawnień.", more)
            }
            LabRefusal::NotFound => problem("Not Found", 404, "Brak zasobu.", json!({})),
            LabRefusal::Limited(seconds) => {
                let detail = format!("Przekroczono limit żądań. Spróbuj ponownie po {seconds} s.");
                let mut answer = if request.wants_problems() {
                    problem("Too Many Requests", 429, &detail, json!({}))
                } else {
                    let status = json!({"code": 429, "description": "Too Many Requests",
                        "details": [detail]});
                    let status = json!({"status": status});
                    LabAnswer::json(StatusCode::TOO_MANY_REQUESTS, &status)
                };
                answer.headers.push(("Retry-After", seconds.to_string()));
                answer
            }
            LabRefusal::Planned(status) => {
                problem("Planned", status, "Awaria zaplanowana.", json!({}))
            }
        }
    }
}

/// The text of a code, as the description has it.
fn text_of(code: u32) -> &'static str {
    match code {
        9101 => "Nieprawidłowy dokument.",
        9102 => "Brak podpisu.",
        9103 => "Przekroczona liczba dozwolonych podpisów.",
        9105 => "Nieprawidłowy podpis.",
        21_001 => "Nieczytelna treść.",
        21_111 => "Nieprawidłowe wyzwanie autoryzacyjne.",
        21_115 => "Nieprawidłowy certyfikat.",
        21_117 => "Nieprawidłowy identyfikator podmiotu dla wskazanego typu kontekstu.",
        21_155 => "Przekroczono dozwoloną liczbę faktur w sesji.",
        21_157 => "Nieprawidłowy rozmiar części pakietu.",
        21_161 => "Przekroczono dozwoloną liczbę części pakietu.",
        21_164 => "Faktura o podanym identyfikatorze nie istnieje.",
        21_166 => "Korekta techniczna niedostępna.",
        21_167 => "Status faktury nie pozwala na korektę techniczną.",
        21_173 => "Brak sesji o wskazanym numerze referencyjnym.",
        21_175 => "Brak faktury o wskazanym numerze referencyjnym.",
        21_178 => "Nie znaleziono UPO dla podanych kryteriów.",
        21_180 => "Status sesji nie pozwala na wykonanie operacji.",
        21_181 => "Nieprawidłowe żądanie eksportu faktur.",
        21_182 => "Osiągnięto limit trwających eksportów.",
        21_183 => "Zakres filtrowania wykracza poza dostępny zakres danych.",
        21_205 => "Pakiet nie może być pusty.",
        21_208 => "Czas oczekiwania na requesty upload lub finish został przekroczony.",
        21_217 => "Nieprawidłowe kodowanie znaków.",
        21_301 => "Brak autoryzacji.",
        21_304 => "Brak uwierzytelnienia.",
        21_401 => "Dokument nie jest zgodny ze schemą (xsd).",
        21_402 => "Nieprawidłowy rozmiar pliku.",
        21_403 => "Nieprawidłowy skrót pliku.",
        21_406 => "Konflikt podpisu i typu uwierzytelnienia.",
        21_418 => "Przekazany token kontynuacji ma nieprawidłowy format.",
        21_470 => "Przesłany identyfikator klucza jest nieznany lub wskazuje na wycofany klucz.",
        _ => "Błąd walidacji danych wejściowych.",
    }
}
