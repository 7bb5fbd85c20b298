//! The contract, row by row: each row of the interface specification and of the conventions names
//! the test that holds it, and each endpoint is described. A row whose test is gone, or an endpoint
//! that is not there, fails here.

use std::collections::BTreeSet;
use std::path::Path;

use crate::world::{answer, world};

/// The requests of the public PHP client, each of them with its answer.
const PHP: &str = "the_requests_of_the_php_client_are_taken";

/// Endpoints: section, method, path, test.
const ENDPOINTS: &[(&str, &str, &str, &str)] = &[
    ("4.1", "post", "/api/v1/{partyId}/salesInvoice/send", "an_invoice_crosses_four_corners"),
    (
        "4.2",
        "post",
        "/api/v1/{partyId}/salesInvoice/queryRecipientParty",
        "r4_2_several_identifiers_give_the_first_that_can_be_reached",
    ),
    (
        "4.3",
        "post",
        "/api/v1/{partyId}/purchaseOrder/queryRecipientParty",
        "r4_3_a_recipient_of_orders_is_one_that_takes_orders",
    ),
    ("4.4", "get", "/api/v1/queryRecipientParty", "recipients_are_looked_up"),
    ("4.5", "get", "/api/v1/peppol/deliveryOption", "r4_5_delivery_options_come_best_first"),
    (
        "4.6",
        "get",
        "/api/v1/{partyId}/purchaseInvoice/{documentId}/download",
        "r4_6_a_document_is_downloaded_in_another_format",
    ),
    (
        "4.7",
        "post",
        "/api/v1/{partyId}/purchaseInvoice/{documentId}/response",
        "r4_7_an_invoice_response_reaches_the_sender_and_is_linked",
    ),
    (
        "4.8",
        "get",
        "/api/v1/{partyId}/salesInvoice/{documentId}/response/{responseDocumentId}/download",
        "r4_7_an_invoice_response_reaches_the_sender_and_is_linked",
    ),
    (
        "4.9",
        "get",
        "/api/v1/peppol/config",
        "what_an_organisation_sets_holds_for_parties_that_inherit",
    ),
    (
        "4.9",
        "put",
        "/api/v1/peppol/config",
        "what_an_organisation_sets_holds_for_parties_that_inherit",
    ),
    ("4.9", "put", "/api/v1/peppol/config/party/{partyId}", "any_state_can_be_set_from_any_state"),
    ("4.10", "post", "/api/v1/hook", "hooks_are_registered_shown_without_secret_and_removed"),
    (
        "4.11",
        "put",
        "/api/v1-beta/{partyId}/enroll",
        "enrolling_publishes_links_and_registers_in_one_call",
    ),
    (
        "4.11",
        "delete",
        "/api/v1-beta/{partyId}/enroll",
        "withdrawing_takes_services_links_and_hooks_away_and_keeps_the_verification",
    ),
    // What section 4.12 leaves open, as conventions A2 fill it.
    ("A2", "get", "/api/v1/{partyId}/hook", "ids_that_would_hide_something_are_reserved"),
    ("A2", "get", "/api/v1/{partyId}/hook/ping", "a_ping_is_owed_to_every_hook_of_the_party"),
    (
        "A2",
        "delete",
        "/api/v1/{partyId}/hook/{hookId}",
        "the_requests_of_the_dotnet_client_are_taken",
    ),
    (
        "A2",
        "delete",
        "/api/v1/hook/{hookId}",
        "hooks_are_registered_shown_without_secret_and_removed",
    ),
    ("A2", "get", "/api/v1/me", "a_user_signs_in_with_name_and_password"),
    ("A2", "get", "/api/v1/me/party", "what_an_account_may_act_for_comes_page_by_page"),
    ("A2", "get", "/api/v1/peppol/config/party", "parties_come_page_by_page"),
    (
        "A2",
        "delete",
        "/api/v1/peppol/config/party/{partyId}",
        "a_configuration_publishes_once_somebody_verified_and_a_user_is_linked",
    ),
    (
        "A2",
        "get",
        "/api/v1/peppol/{partyId}/prepareToMigrate",
        "a_participant_is_published_once_and_moves_with_its_key",
    ),
    (
        "A2",
        "post",
        "/api/v1/{partyId}/salesInvoice/recognize",
        "the_invoice_in_a_pdf_is_recognized_and_sent_and_handed_in",
    ),
    (
        "A2",
        "post",
        "/api/v1/{partyId}/purchaseInvoice/recognize",
        "the_invoice_in_a_pdf_is_recognized_and_sent_and_handed_in",
    ),
    (
        "A2",
        "get",
        "/api/v1/{partyId}/salesInvoice/{documentId}/status",
        "an_invoice_is_sent_followed_received_and_downloaded",
    ),
    (
        "A2",
        "get",
        "/api/v1/{partyId}/salesInvoice",
        "r4_1_multipart_with_meta_attributes_keeps_them",
    ),
    (
        "A2",
        "delete",
        "/api/v1/{partyId}/purchaseInvoice/{documentId}",
        "r3_3_a_sales_invoice_cannot_be_deleted_and_a_purchase_invoice_can",
    ),
    (
        "A2",
        "post",
        "/api/v1/{partyId}/purchaseOrder/send",
        "an_order_is_sent_answered_and_cancelled",
    ),
    (
        "A2",
        "post",
        "/api/v1/{partyId}/purchaseOrder/{documentId}/cancel",
        "an_order_is_sent_answered_and_cancelled",
    ),
    (
        "A2",
        "post",
        "/api/v1/{partyId}/salesOrder/{documentId}/response",
        "an_order_is_sent_answered_and_cancelled",
    ),
    (
        "A2",
        "get",
        "/api/v1/{partyId}/salesOrder/{documentId}/download",
        "an_order_is_sent_answered_and_cancelled",
    ),
    ("A2", "put", "/api/v1/user", "a_user_signs_in_with_name_and_password"),
    ("A2", "put", "/api/v1/user/{name}/party", "a_user_is_linked_to_parties_and_held_to_them"),
    (
        "A2",
        "post",
        "/api/v1/{partyId}/generic/send",
        "a_document_of_another_kind_travels_by_the_code_list",
    ),
    (
        "A2",
        "post",
        "/api/v1/{partyId}/generic/receive",
        "a_document_that_is_handed_in_is_announced_and_kept",
    ),
    (
        "A2",
        "get",
        "/api/v1/{partyId}/generic/{documentId}/download",
        "a_document_of_another_kind_travels_by_the_code_list",
    ),
    ("A13", "post", "/api/v1/generic/validate", "what_is_wrong_is_told_with_its_place"),
    ("A13", "get", "/api/v1/generic/validate/options", "options_are_listed_and_taken"),
    ("A2", "get", "/api/v1/hook", "hooks_are_registered_shown_without_secret_and_removed"),
    ("A2", "put", "/api/v1/hook", "a_hook_that_was_read_can_be_put_back_as_it_is"),
    ("A2", "put", "/api/v1/{partyId}/hook", PHP),
    (
        "A2",
        "get",
        "/api/v1/peppol/config/party/{partyId}",
        "a_configuration_that_was_read_can_be_written_back",
    ),
    (
        "A2",
        "get",
        "/api/v1/{partyId}/purchaseInvoice/{documentId}/status",
        "r3_5_a_purchase_document_is_kept_90_days_after_receipt_and_7_after_download",
    ),
    ("A2", "post", "/api/v1/{partyId}/purchaseInvoice/queryRecipientParty", PHP),
    ("A2", "get", "/api/v1/{partyId}/purchaseOrder/{documentId}/status", PHP),
    ("A2", "post", "/api/v1/{partyId}/salesOrder/queryRecipientParty", PHP),
    (
        "A2",
        "get",
        "/api/v1/{partyId}/salesOrder/{documentId}/status",
        "an_order_is_sent_answered_and_cancelled",
    ),
    (
        "A2",
        "delete",
        "/api/v1/{partyId}/salesOrder/{documentId}",
        "an_order_is_sent_answered_and_cancelled",
    ),
    ("A2", "get", "/api/v1/user", "what_is_taken_away_counts_at_once"),
    ("A2", "delete", "/api/v1/user/{name}", "what_is_taken_away_counts_at_once"),
    ("A2", "get", "/api/v1/user/{name}/party", "a_user_is_linked_to_parties_and_held_to_them"),
    (
        "A2",
        "delete",
        "/api/v1/user/{name}/party/{partyId}",
        "a_user_is_linked_to_parties_and_held_to_them",
    ),
    (
        "A2",
        "post",
        "/api/v1-beta/{partyId}/generic/send",
        "the_requests_of_the_dotnet_client_are_taken",
    ),
    (
        "A2",
        "post",
        "/api/v1-beta/{partyId}/generic/receive",
        "the_requests_of_the_dotnet_client_are_taken",
    ),
    ("A1", "get", "/.well-known/openid-configuration", "the_issuer_can_be_discovered"),
    ("A1", "get", "/.well-known/jwks.json", "the_issuer_can_be_discovered"),
    ("A1", "post", "/connect/token", "both_clients_get_tokens_their_way"),
];

/// Everything else: section, the row in few words, the test.
const ROWS: &[(&str, &str, &str)] = &[
    ("2.1", "aliases and identifiers", "letter_aliases_and_all_identifiers_name_the_same_party"),
    (
        "2.1",
        "aliases in paths, queries, bodies",
        "r2_1_numbers_and_letters_name_the_same_party_in_paths_queries_and_bodies",
    ),
    ("2.1", "shapes of identifiers", "mistyped_numbers_and_closed_registers_are_refused"),
    (
        "2.1",
        "rule 2, the enterprise number",
        "a_belgian_vat_number_brings_its_enterprise_number_in_front",
    ),
    ("2.2", "document types of capabilities", "capabilities_agree_with_the_research"),
    ("2.2", "both spellings", "both_spellings_of_self_billing_are_one_capability"),
    ("2.6", "the shapes of the body", "the_three_shapes_mean_the_same"),
    ("2.6", "codes are optional", "r2_6_a_rejection_without_a_code_has_the_reason_other"),
    ("2.2", "any state from any state (3.1)", "any_state_can_be_set_from_any_state"),
    ("2.3", "card", "a_business_card_without_names_or_country_is_refused_word_for_word"),
    ("2.4", "hook record", "a_hook_that_was_read_can_be_put_back_as_it_is"),
    ("2.6", "bodies of responses", "r2_6_bodies_that_are_wrong_say_what_is_expected"),
    ("2.7", "whole or nothing", "an_enrolment_is_whole_or_nothing"),
    ("3.2", "order of states", "r3_2_the_order_of_states_is_kept_and_told"),
    ("3.2", "any order", "r3_2_any_order_where_the_operator_allows_it"),
    ("3.3", "invalid", "r3_3_an_invalid_document_ends_in_error_and_stays_90_days_for_audit"),
    ("3.3", "EndpointID", "r3_3_and_7_endpoint_id_missing_or_incorrect_is_an_error"),
    ("3.3", "SI-UBL 1.2", "r3_3_and_7_si_ubl_1_2_is_an_error_that_names_customization_id"),
    ("3.3", "not registered", "r3_3_and_7_a_recipient_that_is_not_registered_is_an_error"),
    ("3.3", "5xx", "r3_3_and_7_a_5xx_of_the_receiving_side_is_retried_with_an_event_each"),
    ("3.3", "attempts exhausted", "r3_3_and_8_eight_attempts_are_all_and_then_it_is_an_error"),
    ("3.3", "repeat", "r3_3_and_7_the_same_document_id_twice_is_a_conflict"),
    ("3.3", "only 5xx is retried", "c_10_a_status_of_the_callers_fault_is_final"),
    ("3.3", "deletion", "r3_3_a_sales_invoice_cannot_be_deleted_and_a_purchase_invoice_can"),
    (
        "3.5",
        "90 days, 7 days",
        "r3_5_a_purchase_document_is_kept_90_days_after_receipt_and_7_after_download",
    ),
    ("3.5", "self-billing", "r6_1_and_3_5_a_self_billing_invoice_is_received_as_an_invoice"),
    ("3.5", "self-billing", "r6_1_and_3_5_a_self_billing_credit_note_is_received_as_an_invoice"),
    ("4.1", "attachments", "r4_1_an_embedded_attachment_is_delivered_with_the_invoice"),
    ("4.1", "prefixes", "r4_1_prefixed_namespaces_are_valid_xml"),
    ("4.1", "receiverId", "r4_1_receiver_id_is_written_into_the_document_and_enforced"),
    ("4.1", "channel", "peppol_fallback_bypasses_peppol_on_purpose"),
    ("4.7", "capability", "r4_7_requires_the_capability_invoice_response"),
    ("5", "a token for everything", "nothing_is_answered_without_a_good_token"),
    ("5", "roles", "the_role_decides_about_registrations_and_users"),
    ("5", "permissions", "each_permission_opens_its_operations_and_no_other_does"),
    ("5", "verification", "a_verification_recorded_before_is_enough"),
    ("6", "both signatures", "a_call_carries_both_signatures_over_the_raw_body"),
    (
        "6",
        "switched off",
        "r6_a_hook_is_switched_off_after_days_of_failure_with_a_notice_and_misses_nothing",
    ),
    ("6", "order", "one_dead_receiver_among_a_thousand_hooks_delays_nobody_else"),
    ("6", "no loss", "every_event_reaches_every_hook_in_order_over_kills_and_a_dead_receiver"),
    ("6", "payload", "r3_3_the_lines_of_a_timeline_and_the_details_of_its_event"),
    ("6.2", "the choice as a table", "the_choice_follows_the_table"),
    (
        "6.2",
        "party before environment",
        "r6_2_a_hook_of_the_party_goes_before_one_of_the_environment",
    ),
    ("6.2", "fallback", "a_receiver_that_is_not_on_peppol_gets_it_by_mail"),
    ("6.3", "peppol-fallback", "peppol_fallback_bypasses_peppol_on_purpose"),
    (
        "6.4",
        "every kind of document",
        "r6_4_credit_notes_orders_and_their_answers_take_other_channels_too",
    ),
    ("6.5", "output", "r6_5_a_hook_publishes_the_topic_of_the_status_that_it_ended_with"),
    ("6.6", "ids", "r6_6_a_response_id_is_taken_once"),
    ("6.7", "capability of the sender", "r6_7_a_sender_without_the_capability_gets_no_responses"),
    ("7", "409", "r3_3_and_7_the_same_document_id_twice_is_a_conflict"),
    ("7", "24 MB", "r7_more_than_24_mb_is_answered_500_before_the_application"),
    ("7", "invalid", "r3_3_an_invalid_document_ends_in_error_and_stays_90_days_for_audit"),
    ("7", "scientific notation", "r7_scientific_notation_is_an_invalid_payload"),
    ("7", "EndpointID", "r3_3_and_7_endpoint_id_missing_or_incorrect_is_an_error"),
    ("7", "not registered", "r3_3_and_7_a_recipient_that_is_not_registered_is_an_error"),
    ("7", "SI-UBL 1.2", "r3_3_and_7_si_ubl_1_2_is_an_error_that_names_customization_id"),
    ("7", "business card", "a_business_card_without_names_or_country_is_refused_word_for_word"),
    ("7", "mismatch", "r7_a_mismatch_of_sml_and_smp_ends_with_the_time_limit"),
    ("7", "enrolment by ApUser", "only_the_role_ap_manager_enrols"),
    ("7", "5xx", "r3_3_and_7_a_5xx_of_the_receiving_side_is_retried_with_an_event_each"),
    ("8", "request size", "r8_more_than_24_mb_with_the_head_never_reaches_the_application"),
    ("8", "retries", "r3_3_and_8_eight_attempts_are_all_and_then_it_is_an_error"),
    (
        "8",
        "purchase documents",
        "r3_5_a_purchase_document_is_kept_90_days_after_receipt_and_7_after_download",
    ),
    ("8", "failed", "r3_3_an_invalid_document_ends_in_error_and_stays_90_days_for_audit"),
    ("8", "look-ups", "a_client_that_asks_too_often_waits"),
    ("8", "time-out of deliveryOption", "r7_a_mismatch_of_sml_and_smp_ends_with_the_time_limit"),
    ("8", "10K", "r4_6_a_document_is_downloaded_in_another_format"),
    ("8", "synchronisation", "enrolling_publishes_links_and_registers_in_one_call"),
    ("8", "one EndpointID", "r8_an_invoice_has_exactly_one_endpoint_id"),
    ("8", "one OrderReference", "r8_an_invoice_has_at_most_one_order_reference"),
    ("A1", "tokens", "a_token_is_fetched_and_used"),
    ("A4", "lines", "r3_3_the_lines_of_a_timeline_and_the_details_of_its_event"),
    ("A7", "test vector", "a7_the_signature_test_vector_holds_byte_for_byte"),
    ("A2", "names of parameters", "names_of_parameters_are_taken_in_any_case"),
    ("A11", "write back", "what_is_shown_twice_can_be_changed_in_either_place"),
    ("A14", "problem bodies", "problems_carry_what_both_kinds_of_client_read"),
    ("A15", "rate limit", "a_client_that_asks_too_often_waits"),
    ("D11", "PHP", "the_requests_of_the_php_client_are_taken"),
    ("D11", ".NET", "the_requests_of_the_dotnet_client_are_taken"),
];

/// The names of all tests below a folder.
fn tests(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, found);
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut is_test = false;
        for line in text.lines() {
            is_test |= line.starts_with("#[tokio::test") || line.starts_with("#[test]");
            let Some((_, rest)) = line.split_once("fn ").filter(|_| is_test) else { continue };
            found.extend(rest.split_once('(').map(|(name, _)| name.to_owned()));
            is_test = false;
        }
    }
}

#[test]
fn every_row_of_the_contract_has_its_test() {
    let mut known = BTreeSet::new();
    let rooms = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for place in [
        "quoin/tests/it",
        "quoin/src",
        "lab/src",
        "server/src",
        "api/src",
        "access-point/src",
        "delivery/src",
        "peppol/src",
    ] {
        tests(&rooms.join(place), &mut known);
    }
    assert!(known.len() > 200 && known.contains("every_row_of_the_contract_has_its_test"));
    let endpoints = ENDPOINTS.iter().map(|(section, _, path, test)| (section, path, test));
    let rows = ROWS.iter().map(|(section, row, test)| (section, row, test));
    let lost: Vec<_> = endpoints.chain(rows).filter(|(.., test)| !known.contains(**test)).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

#[tokio::test]
async fn every_endpoint_of_the_contract_is_described() {
    let world = world().await;
    let (_, document) = answer(world.http.get(format!("{}/openapi.json", world.base))).await;
    for (section, method, path, _) in ENDPOINTS {
        assert!(document["paths"][path][method].is_object(), "{section}: {method} {path}");
    }
}
