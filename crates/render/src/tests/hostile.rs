//! What nobody would send: endless names, many lines, characters that turn the text around.

use quoin_model::Language;

use super::html;

#[test]
fn a_tree_of_very_many_elements_is_bounded_and_says_so() {
    let mut document = String::from("<x>");
    for number in 0..60_000 {
        document.push_str(&format!("<y>{number}</y>"));
    }
    document.push_str("</x>");
    let page = html(&quoin_formats::read(document.as_bytes()), Language::En);
    assert!(page.contains("more are in the document and not on this page"));
    assert!(page.len() < 6_000_000, "{}", page.len());
}

#[test]
fn an_endless_name_is_cut() {
    let name = "n".repeat(100_000);
    let page = html(&quoin_formats::read(format!("<{name}>a</{name}>").as_bytes()), Language::En);
    assert!(page.len() < 30_000, "{}", page.len());
}

#[test]
fn very_many_lines_are_bounded_and_the_rest_is_counted() {
    let mut document = super::INVOICE.replace("</Invoice>", "");
    for number in 0..25_000 {
        document.push_str(&format!(
            "<cac:InvoiceLine><cbc:ID>{number}</cbc:ID><cac:Item><cbc:Name>x{number}</cbc:Name>\
             </cac:Item></cac:InvoiceLine>"
        ));
    }
    document.push_str("</Invoice>");
    let page = html(&quoin_formats::read(document.as_bytes()), Language::De);
    assert!(page.contains("15001 weitere stehen im Dokument und nicht auf dieser Seite"));
    assert!(page.len() < 12_000_000, "{}", page.len());
}

#[test]
fn characters_that_turn_the_text_around_are_shown_as_their_number() {
    let document = "<x>pay \u{202e}001\u{202c} EUR&#x85;</x>";
    let page = html(&quoin_formats::read(document.as_bytes()), Language::En);
    assert!(page.contains("pay [U+202E]001[U+202C] EUR"), "{page}");
}

#[test]
fn a_secret_is_on_no_page() {
    let document = "<cXML><Header><Sender><Credential domain='D'><Identity>me</Identity>\
                    <SharedSecret>very-secret</SharedSecret></Credential></Sender></Header>\
                    <Request><InvoiceDetailRequest/></Request></cXML>";
    let page = html(&quoin_formats::read(document.as_bytes()), Language::En);
    assert!(page.contains("SharedSecret") && page.contains("•••"));
    assert!(!page.contains("very-secret"));
}
