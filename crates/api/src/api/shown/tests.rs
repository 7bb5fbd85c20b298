//! Which form a caller would rather have.

use super::*;

#[test]
fn the_form_is_what_accept_likes_best() {
    for (accept, form) in [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Some(RenderForm::Html)),
        ("application/pdf", Some(RenderForm::Pdf)),
        ("text/html;q=0.5, application/pdf;q=0.7", Some(RenderForm::Pdf)),
        ("application/xml, text/html", None),
        ("application/xml;q=0.1, text/html", Some(RenderForm::Html)),
        ("text/html;q=0", None),
        ("*/*", None),
        ("application/json", None),
        ("", None),
    ] {
        let headers = [(ACCEPT, HeaderValue::from_static(accept))].into_iter().collect();
        assert_eq!(wanted(&headers), form, "{accept}");
    }
    assert_eq!(wanted(&HeaderMap::new()), None);
}
