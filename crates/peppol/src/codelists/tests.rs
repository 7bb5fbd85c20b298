//! The tables agree with themselves, with the identifiers and with the published lists.

use std::collections::HashSet;

use jiff::civil::date;

use super::*;

#[test]
fn every_row_is_a_valid_identifier() {
    for row in DOCUMENT_TYPES {
        row.id().unwrap_or_else(|e| panic!("{}: {e}", row.name));
        for process in row.processes {
            process.parse::<ProcessId>().unwrap_or_else(|e| panic!("{process}: {e}"));
        }
    }
    for row in PROCESSES {
        row.value.parse::<ProcessId>().unwrap();
    }
    for row in TRANSPORT_PROFILES {
        row.value.parse::<crate::identifiers::TransportProfile>().unwrap();
    }
    assert_eq!((DOCUMENT_TYPES.len(), PROCESSES.len()), (321, 109));
}

#[test]
fn types_are_unique() {
    let types: HashSet<_> = DOCUMENT_TYPES.iter().map(|d| (d.scheme, d.value)).collect();
    assert_eq!(types.len(), DOCUMENT_TYPES.len());
}

#[test]
fn a_capability_is_registered_while_its_rows_are_active() {
    let day = date(2026, 11, 20);
    let may = |name: &str| capability(name).unwrap().rows().all(|(row, _)| row.may_register(day));
    assert!(may("invoices") && !may("invoice_bisv2"));
}

#[test]
fn every_capability_names_rows_of_the_list_with_their_processes() {
    let names: Vec<&str> = CAPABILITIES.iter().map(|capability| capability.name).collect();
    assert_eq!(names.len(), 13);
    for each in CAPABILITIES {
        assert_eq!(each.rows().count(), each.registrations.len(), "{}", each.name);
        for (name, _) in each.registrations {
            let rows = DOCUMENT_TYPES.iter().filter(|row| row.name == *name);
            assert_eq!(rows.count(), 1, "{name} names one row");
        }
        for (row, process) in each.rows() {
            assert!(row.processes.contains(&process), "{}: {process}", row.name);
            let pint = each.name == "pint";
            let scheme =
                if pint { DocumentTypeScheme::Wildcard } else { DocumentTypeScheme::Busdox };
            assert_eq!((row.scheme, row.is_abstract), (scheme, pint), "{}", row.name);
            let registered = row.registered_as().unwrap();
            assert_eq!(registered.is_pattern(), pint, "{registered}");
            if row.state == CodeState::Active {
                registrable(&registered, date(2026, 11, 20)).unwrap();
            }
            let old = each.name == "invoice_bisv2";
            assert_eq!(row.state == CodeState::Deprecated, old, "{}", row.name);
        }
    }
    assert!(capability("Invoices").is_none());
}

#[test]
fn capabilities_agree_with_the_research() {
    let path = "network-data/derived/capability-doctypes.json";
    let Some(text) = quoin_testing::shared_text(path) else { return };
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut pairs = Vec::new();
    for (name, rows) in found.as_object().unwrap() {
        for row in rows.as_array().unwrap() {
            for process in row["registerWithProcess"].as_array().unwrap() {
                let value = row["value"].as_str().unwrap().to_owned();
                pairs.push((name.clone(), value, process.as_str().unwrap().to_owned()));
            }
        }
    }
    // The families besides those of the specification are not in the research.
    let ours: Vec<_> = CAPABILITIES
        .iter()
        .filter(|each| found.get(each.name).is_some())
        .flat_map(|c| c.rows().map(|(row, process)| (c.name, row.value, process)))
        .map(|(name, value, process)| (name.to_owned(), value.to_owned(), process.to_owned()))
        .collect();
    assert_eq!(ours, pairs);
}

/// The official list, as it is published: what may be registered is exactly what it says.
#[test]
fn every_row_of_the_official_list_is_registered_as_its_state_says() {
    let path = "network-data/codelists/Peppol_Code_Lists_-_Document_types_v9.7.json";
    let Some(text) = quoin_testing::shared_text(path) else { return };
    let list: serde_json::Value = serde_json::from_str(&text).unwrap();
    let day = jiff::civil::date(2026, 7, 2);
    let mut active = 0;
    for row in list["values"].as_array().unwrap() {
        let text = |key: &str| row[key].as_str().unwrap();
        let removed = row["removal-date"].as_str().is_some_and(|on| {
            on.get(..10)
                .and_then(|on| on.parse::<jiff::civil::Date>().ok())
                .is_some_and(|on| on <= day)
        });
        let name = text("name");
        let exact = DocumentTypeId::new(text("scheme").parse().unwrap(), text("value")).unwrap();
        let found = registrable(&exact, day);
        match text("state") {
            "active" if row["abstract"].as_bool().unwrap() => {
                assert!(matches!(found, Err(RegistrationRefusal::Abstract { .. })), "{name}");
                let pattern = text("value").replace("::2.1", "*::2.1");
                let pattern = DocumentTypeId::new(exact.scheme(), &pattern).unwrap();
                assert!(registrable(&pattern, day).is_ok(), "{name}");
            }
            "active" if !removed => {
                active += 1;
                let found = found.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
                for process in row["process-ids"].as_array().unwrap() {
                    let (scheme, value) =
                        (process["scheme"].as_str().unwrap(), process["value"].as_str().unwrap());
                    found.demand_process(&ProcessId::new(scheme, value).unwrap()).unwrap();
                }
                let other = ProcessId::new(ProcessId::SCHEME, "urn:nobody").unwrap();
                assert!(found.demand_process(&other).is_err(), "{name}");
                if exact.scheme() == DocumentTypeScheme::Wildcard {
                    let wrong = DocumentTypeId::new(DocumentTypeScheme::Busdox, exact.value());
                    let wrong = registrable(&wrong.unwrap(), day);
                    assert!(matches!(wrong, Err(RegistrationRefusal::Scheme { .. })), "{name}");
                }
            }
            "deprecated" if !removed => {
                assert!(matches!(found, Err(RegistrationRefusal::Deprecated { .. })), "{name}");
            }
            // PINT types moved to the other scheme.
            _ => assert!(
                matches!(
                    found,
                    Err(RegistrationRefusal::Removed { .. } | RegistrationRefusal::Scheme { .. })
                ),
                "{name}"
            ),
        }
    }
    assert!(active > 150, "{active} rows are active");
}

#[test]
fn what_the_list_does_not_have_is_not_registered() {
    let day = jiff::civil::date(2026, 11, 21);
    for text in [
        "busdox-docid-qns::urn:other::Root##custom::1.0",
        "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
         Invoice##urn:peppol:pint:billing-1@xx-1*::2.1",
    ] {
        let refusal = registrable(&text.parse().unwrap(), day).unwrap_err();
        assert!(matches!(refusal, RegistrationRefusal::Unknown(_)), "{refusal}");
    }
}
