//! Tests of the action of SFTP hooks.

use super::*;

const KEY: &str = "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8";

fn parse(text: &str) -> SftpAction {
    SftpAction::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn an_action_names_account_server_and_folder() {
    for (text, user, host, port, folder, shown) in [
        ("sftp://a@h.example/in", "a", "h.example", 22, "/in", "sftp://a@h.example/in"),
        (
            "sftp://a@H.example:2222/in/b/",
            "a",
            "h.example",
            2222,
            "/in/b",
            "sftp://a@h.example:2222/in/b",
        ),
        ("sftp://a@h.example", "a", "h.example", 22, ".", "sftp://a@h.example/~"),
        ("sftp://a@h.example/~", "a", "h.example", 22, ".", "sftp://a@h.example/~"),
        ("sftp://a@h.example/~/in", "a", "h.example", 22, "in", "sftp://a@h.example/~/in"),
        ("sftp://a@h.example/", "a", "h.example", 22, "/", "sftp://a@h.example/"),
        (
            "sftp://a%40b@h.example/x%20y",
            "a@b",
            "h.example",
            22,
            "/x y",
            "sftp://a%40b@h.example/x y",
        ),
        (
            "sftp://a@[2001:db8::1]:22/in",
            "a",
            "[2001:db8::1]",
            22,
            "/in",
            "sftp://a@[2001:db8::1]/in",
        ),
        ("sftp://a@[2001:db8::1]/in", "a", "[2001:db8::1]", 22, "/in", "sftp://a@[2001:db8::1]/in"),
    ] {
        let action = parse(text);
        let found = (action.user.as_str(), action.host.to_string(), action.port);
        assert_eq!(found, (user, host.to_owned(), port), "{text}");
        assert_eq!((action.folder.as_str(), action.endpoint().as_str()), (folder, shown), "{text}");
    }
}

#[test]
fn every_way_to_write_a_number_is_an_address() {
    for text in ["127.0.0.1", "0x7f.1", "2130706433", "0177.0.0.1"] {
        let host = parse(&format!("sftp://a@{text}/in")).host;
        assert_eq!(host, Host::<String>::Ipv4([127, 0, 0, 1].into()), "{text}");
    }
}

#[test]
fn a_file_lies_in_the_folder() {
    let path = |text: &str| parse(text).path("a.xml");
    assert_eq!(path("sftp://a@h.example/in"), "/in/a.xml");
    assert_eq!(path("sftp://a@h.example/"), "/a.xml");
    assert_eq!(path("sftp://a@h.example/~/in"), "in/a.xml");
    assert_eq!(path("sftp://a@h.example"), "a.xml");
}

#[test]
fn host_keys_are_fingerprints_as_tools_print_them() {
    let other = KEY.replace("nThbg", "+/hbg");
    let text = format!("sftp://a@h.example/in?hostKey={KEY}=,{}", other.replace('+', "%2B"));
    assert_eq!(parse(&text).host_keys, [KEY.to_owned(), other.clone()]);
    let plain = format!("sftp://a@h.example/in?hostKey={other}");
    assert_eq!(parse(&plain).host_keys, [other], "a plus sign is one");
    assert!(parse("sftp://a@h.example/in").host_keys.is_empty());
}

#[test]
fn what_cannot_work_is_refused_with_its_reason() {
    let long = "x".repeat(501);
    let keys = [KEY; 9].join(",");
    for (text, reason) in [
        ("sftp://h.example/in".to_owned(), "sftp://user@host"),
        ("sftp://a:secret@h.example/in".to_owned(), "behind #"),
        ("sftp://@h.example/in".to_owned(), "the user"),
        ("sftp://a%0Ab@h.example/in".to_owned(), "the user"),
        ("sftp://a@/in".to_owned(), "is not the name"),
        ("sftp://a@h example/in".to_owned(), "is not the name"),
        ("sftp://a@h.example:0/in".to_owned(), "is not a port"),
        ("sftp://a@h.example:ssh/in".to_owned(), "is not a port"),
        ("sftp://a@h.example/in/../out".to_owned(), "the folder"),
        ("sftp://a@h.example/in/%2e%2e/out".to_owned(), "the folder"),
        ("sftp://a@h.example/~/..".to_owned(), "the folder"),
        ("sftp://a@h.example/in%00".to_owned(), "the folder"),
        (format!("sftp://a@h.example/{long}"), "the folder"),
        ("sftp://a@h.example/in?hostkey=x".to_owned(), "there are hostKey"),
        ("sftp://a@h.example/in?hostKey=MD5:aa".to_owned(), "ssh-keygen"),
        ("sftp://a@h.example/in?hostKey=SHA256:short".to_owned(), "ssh-keygen"),
        (format!("sftp://a@h.example/in?hostKey={keys}"), "ssh-keygen"),
        ("sftp://a@h.example/in?filename=a.xml".to_owned(), "{{id}}"),
        ("sftpfrom://a@h.example/in?filename=%7B%7Bid%7D%7D".to_owned(), "where files are written"),
    ] {
        let error = SftpAction::parse(&text).expect_err(&text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
        assert!(!error.contains("secret"), "{error}");
    }
}

#[test]
fn a_secret_is_for_one_account_of_one_server() {
    let before = parse("sftp://a@h.example/in");
    for (text, same) in [
        ("sftp://a@h.example/out?hostKey=", false),
        ("sftp://a@H.EXAMPLE:22/out", true),
        ("sftp://b@h.example/in", false),
        ("sftp://a@i.example/in", false),
        ("sftp://a@h.example:23/in", false),
    ] {
        let found = SftpAction::parse(text).is_ok_and(|after| after.has_account_of(&before));
        assert_eq!(found, same, "{text}");
    }
}
