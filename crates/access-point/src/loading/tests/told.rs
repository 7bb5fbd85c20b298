//! What is wrong is told before the start, by the setting, and all of it.

use super::*;

/// What is said of a text is this, beginning with the setting.
fn says(text: &str, setting: &str) {
    let found = problems(text);
    let told = found.iter().any(|said| said.contains(setting));
    assert!(told && found.len() == 1, "{setting}: {found:#?}\n{text}");
}

#[test]
fn what_cannot_work_is_refused_by_its_setting() {
    for (text, setting) in [
        ("[smp]\nendpoint_exceptions = { nobody = 'https://a.example.org/as4' }", "\"nobody\""),
        ("[smp]\nendpoint_exceptions = { '0106:123' = 'https://a.example.org/' }", "0106:123"),
        ("[smp]\nendpoint_exceptions = { '0106:12345678' = 'nope' }", "smp.endpoint_exceptions"),
        ("[trust]\nwarn_organisations = ['nobody']", "trust.warn_organisations: expected"),
        ("[trust]\nwarn_organisations = ['a b']", "found \"a b\""),
        ("[log]\nfilter = 'a'\nfilter = 'b'", "line 3: filter: duplicate key"),
        ("[log]\n[smp]\n[log]", "line 3: log: duplicate key"),
        (
            "[[api.issuers]]\nissuer = 'https://i.example'\naudience = 'a'\njwks_url = \
             'https://i.example/keys'\norganisation = 'nobody'",
            "api.issuers \"https://i.example\", organisation: expected the id",
        ),
        (
            "[[api.issuers]]\nissuer = 'https://i.example'\naudience = 'a'\njwks_url = \
             'https://i.example/keys'\norganisation_claim = 'org'\n[[api.issuers]]\nissuer = \
             'https://i.example'\naudience = 'a'\njwks_url = 'https://i.example/more'\n\
             organisation_claim = 'tenant'",
            "is there twice with audience \"a\"",
        ),
        ("[network]\nsml_zone = 'a b'", "network.sml_zone: expected the name"),
        ("[network]\nsml_zone = 'a..b'", "network.sml_zone"),
        ("[network]\nhook_hosts_allowed = ['https://x:1/y']", "found \"https://x:1/y\""),
        ("[network]\nhook_hosts_allowed = ['a b']", "network.hook_hosts_allowed"),
        ("[network]\nhook_hosts_allowed = ['*.internal']", "network.hook_hosts_allowed"),
        ("[mail]\nfrom_domains = ['@x']", "mail.from_domains: expected"),
        ("[mail]\nfrom_domains = ['a b']", "mail.from_domains: expected"),
        ("[mail]\nbounce_address = 'b@example.org'", "mail.bounce_address: is set, but"),
        ("[ksef]\nonline_up_to = 50", "ksef.online_up_to: expected 30 at most, found 50"),
        ("[ksef]\npurchases_seconds = 1", "ksef.purchases_seconds: expected at least 180"),
        (
            "[ksef]\npurchases_seconds = 200\npurchases_as = ['buyer', 'third-party']",
            "expected at least 360",
        ),
        ("[ksef]\npurchases_as = []", "ksef.purchases_as: is empty: expected at least one of"),
        (
            "[[tax.profiles]]\ncountry = 'BE'\nregime = 'vida-1.1'\nauthority = '0242:000123-TAX'\n\
             scopes = ['D', 'IP']",
            "tax.profiles[0].scopes: expected D, IC, INTL",
        ),
        (
            "[[tax.profiles]]\ncountry = 'AE'\nregime = 'ae-1.0'\nauthority = '0242:000123-TAX'\n\
             scopes = ['IC']",
            "expected D, IP, INP, which invoices of ae-1.0 are of, found \"IC\"",
        ),
        ("[provider]\ncountry = 'Holland'", "provider.country: expected a code of ISO 3166-1"),
        ("[provider]\nreport_receiver = 'nobody'", "provider.report_receiver: expected"),
        ("[provider]\nstatus_identifier = 'x'", "provider.status_identifier: expected"),
    ] {
        says(text, setting);
    }
}

/// What the reader says in the words of the program is said in those of the file.
#[test]
fn what_is_expected_is_named_in_the_words_of_the_file() {
    for (text, said) in [
        ("[trust]\nstage = 1", "trust.stage: expected \"production\" or \"test\", found 1"),
        ("[log]\nformat = true", "found true"),
        ("[trust]\nrevocation = ['x']", "found a list"),
        ("[ksef]\npurchases_as = [1]", "\"authorised\", found 1"),
        (
            "[[organisation]]\nid = 'a'\nname = 'A'\nclients = [{ id = 'c', secret = 's', \
             role = 3 }]",
            "clients \"c\", role: expected \"ApUser\" or \"ApManager\", found 3",
        ),
        (
            "[documents]\nreceived_days = -1",
            "documents.received_days: expected a whole number from 0 on, found -1",
        ),
        (
            "[documents]\nreceived_days = 4294967296",
            "expected a whole number from 0 to 4294967295, found 4294967296",
        ),
        (
            "[limits]\nconnections = 'x'",
            "limits.connections: expected a whole number from 0 on, found",
        ),
        ("[documents]\nfailed_days = 0", "documents.failed_days: expected at least 1, found 0"),
        ("[network]\nfolder_seconds = 0", "network.folder_seconds: expected at least 1, found 0"),
        ("[mail]\ntimeout_seconds = 0", "mail.timeout_seconds: expected at least 1, found 0"),
        ("[api]\npublic_url = 'ftp://x'", "must be an http or https address without"),
    ] {
        says(text, said);
    }
}

/// The reader would take a list for the settings of a section, in the order of the program.
#[test]
fn a_list_is_no_section() {
    let said = "expected a table, which names its settings, found a list";
    for (text, setting) in [
        ("breaker = [1, 2.0, 3.0, 4.0]", "breaker"),
        ("log = ['debug', 'json']", "log"),
        ("secrets = []", "secrets"),
        ("[access_point]\ncertificate_file = 'c'\ntoken = ['/m.so', 't', 'k', '1']", "token"),
        ("[listen]\napi = ['127.0.0.1:8443']", "listen.api"),
        (
            "[[organisation]]\nid = 'a'\nname = 'A'\nclients = [['c', 's']]",
            "organisation \"a\", clients",
        ),
    ] {
        let found = problems(text);
        let told = found.iter().any(|told| told.contains(said) && told.contains(setting));
        assert!(told, "{text}: {found:#?}");
    }
}

#[test]
fn what_works_is_taken() {
    let mail = "[mail]\nserver = 'smtps://mail.example.org'\nfrom = 'us@example.org'\n";
    for text in [
        "[smp]\nendpoint_exceptions = { '0106:12345678' = 'https://a.example.org/as4' }".to_owned(),
        "[trust]\nwarn_organisations = ['provider', 'a']\n[[organisation]]\nid='a'\nname='A'"
            .to_owned(),
        "[network]\nsml_zone = 'participant.sml.lab.test.'".to_owned(),
        "[[api.issuers]]\nissuer = 'https://i.example'\naudience = 'a'\njwks_url = \
         'https://i.example/keys'\norganisation_claim = 'org'\n[[api.issuers]]\nissuer = \
         'https://i.example'\naudience = 'b'\njwks_url = 'https://i.example/keys'\n\
         organisation_claim = 'org'"
            .to_owned(),
        "[network]\nhook_hosts_allowed = ['ERP.internal', '10.0.0.7', '[fd00::7]', 'localhost']"
            .to_owned(),
        format!(
            "{mail}from_domains = ['example.com']\ndkim = [\n\
             {{ domain = 'example.org', selector = 's', key_file = 'k' }},\n\
             {{ domain = 'Example.com', selector = 's', key_file = 'k' }}]"
        ),
        format!("{mail}dkim = [{{ domain = 'org', selector = 's', key_file = 'k' }}]"),
        "[ksef]\nonline_up_to = 30\npurchases_seconds = 180".to_owned(),
    ] {
        assert_eq!(problems(&text), Vec::<String>::new(), "{text}");
    }
    let text = format!("{mail}dkim = [{{ domain = 'ample.org', selector = 's', key_file = 'k' }}]");
    says(&text, "mail.dkim: \"ample.org\" signs no mail");
}

#[test]
fn a_prefix_of_headers_is_none_of_http() {
    for prefix in ["Content-", "accept-", "X-Forwarded-"] {
        says(&format!("[api]\nheader_prefix = '{prefix}'\n"), "api.header_prefix");
    }
}

#[test]
fn the_address_of_the_publisher_is_needed() {
    let config = Config { roles: vec![ServiceRole::Smp], ..Config::default() };
    let said = config.ready().unwrap_err().to_string();
    assert!(said.contains("smp.public_url: is not set, but"), "{said}");
}

#[test]
fn a_hook_is_declared_once_where_it_is_found() {
    let hooks = "hooks = [{ id = 'h', action = 'https://a.example/', topics = ['*'] }, \
                 { id = 'h', action = 'https://b.example/', topics = ['*'] }]\n";
    let organisation = "[[organisation]]\nid = 'a'\nname = 'A'\n";
    let party = "[[organisation.parties]]\nidentifiers = ['0106:12345678']\nname = 'P'\n\
                 country = 'NL'\n";
    says(&format!("{organisation}{hooks}"), "organisation \"a\": hook \"h\": the id must be");
    let text = format!("{organisation}{party}{hooks}");
    says(&text, "organisation \"a\", party \"P\": hook \"h\": the id must be unique");
    // One of the organisation and one of a party are two.
    let one = "hooks = [{ id = 'h', action = 'https://a.example/', topics = ['*'] }]\n";
    assert_eq!(problems(&format!("{organisation}{one}{party}{one}")), Vec::<String>::new());
}

#[test]
fn all_mistakes_of_a_hook_are_told() {
    let text = "[[organisation]]\nid = 'a'\nname = 'A'\nhooks = [{ id = 'h', action = \
                'nowhere', topics = ['InvoiceSend', 'Nothing'] }]\n";
    let found = problems(text);
    assert_eq!(found.len(), 3, "{found:#?}");
    for word in ["InvoiceSent?", "Nothing", "nowhere"] {
        assert!(found.iter().any(|said| said.contains(word)), "{word}: {found:#?}");
    }
}

#[test]
fn all_mistakes_of_a_party_are_told() {
    let text = "[[organisation]]\nid = 'a'\nname = 'A'\n[[organisation.parties]]\nidentifiers = \
                ['x1', '0106:12345678', 'x2', '0106:7']\nname = 'P'\ncountry = 'NL'\n\
                capabilities = { 'invoices' = 'x3', 'x4' = 'on' }\n";
    let found = problems(text);
    for word in ["\"x1\"", "\"x2\"", "0106:7", "x3", "x4"] {
        assert!(found.iter().any(|said| said.contains(word)), "{word}: {found:#?}");
    }
    assert_eq!(found.len(), 5, "{found:#?}");
}

/// An id that hides a channel or an address is refused here as over the interface, and so is a hook
/// that would never be called.
#[test]
fn a_hook_is_declared_as_it_is_registered() {
    for (hook, said) in [
        ("id = 'ping', action = 'https://a.example/', topics = ['*']", "the id ping is reserved"),
        (
            "id = 'peppol-fallback', action = 'https://a.example/', topics = ['*']",
            "the id peppol-fallback is reserved",
        ),
        ("id = 'peppol', action = 'https://a.example/', topics = ['*']", "the id peppol is"),
        ("id = 'net', action = 'peppol', topics = ['Send*']", "give that id"),
        ("id = 'h', action = 'https://a.example/', topics = []", "expected 1 to 64 topics"),
    ] {
        let organisation = "[[organisation]]\nid = 'a'\nname = 'A'\n";
        says(&format!("{organisation}hooks = [{{ {hook} }}]\n"), said);
        let party = "[[organisation.parties]]\nidentifiers = ['0106:12345678']\nname = 'P'\n\
                     country = 'NL'\n";
        says(&format!("{organisation}{party}hooks = [{{ {hook} }}]\n"), said);
    }
}

#[test]
fn a_mistake_in_a_row_is_told_with_its_line_and_what_it_is_of() {
    let text = "[[organisation]]\nid = 'acme'\nname = 'Acme'\nclients = [\n    \
                { id = 'web', secret = 's' },\n    { id = 'erp', secret = 'env:QUOIN_NO_SUCH', \
                role = 'ApMnager' },\n]\nwieght = 3\n[[organisation.hooks]]\nid = 'h'\naction = \
                'env:QUOIN_NO_SUCH'\ntopics = ['Nothing']\n[[organisation.parties]]\nname = 'P'\n\
                country = 'NL'\n[[organisation]]\nid = 'b'\nname = 'B'\nclients = [{ id = 'c', \
                secret = 's', role = 'ApMnager' }]\n";
    let found = problems(text);
    for said in [
        "line 6: organisation \"acme\", clients \"erp\", role: expected \"ApUser\" or \"ApManager\", \
         found \"ApMnager\"",
        "line 6: organisation \"acme\", clients \"erp\", secret: the environment variable",
        "line 8: organisation \"acme\", wieght: unknown field `wieght`",
        "line 11: organisation \"acme\", hooks \"h\", action: the environment variable",
        "line 13: organisation \"acme\", parties \"P\": missing field `identifiers`",
        "line 19: organisation \"b\", clients \"c\", role: expected \"ApUser\" or \"ApManager\", \
         found \"ApMnager\"",
        "organisation \"acme\": hook \"h\": \"Nothing\" matches no topic",
    ] {
        assert!(found.iter().any(|told| told.starts_with(said)), "{said}: {found:#?}");
    }
    assert_eq!(found.len(), 7, "{found:#?}");
}

#[test]
fn a_secret_that_is_not_there_hides_nothing_and_makes_up_nothing() {
    let text = "[secrets]\nmaster_key = 'env:QUOIN_NO_SUCH'\n[mail]\nserver = \
                'smtps://mail.example.org'\nusername = 'u'\npassword = 'env:QUOIN_NO_SUCH'\n";
    let found = problems(text);
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(found[2].starts_with("mail.from:"), "{found:#?}");
}
