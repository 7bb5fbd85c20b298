//! The default file is true, and a file full of mistakes gets all of them told.

mod borders;
mod complete;
mod told;

use std::path::PathBuf;

use super::*;
use crate::config::*;

fn problems(text: &str) -> Vec<String> {
    match Config::parse(text) {
        Ok(_) => Vec::new(),
        Err(ConfigError::Problems(problems)) => problems.iter().map(|p| p.to_string()).collect(),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn the_default_file_says_the_defaults() {
    assert_eq!(Config::parse(DEFAULT_TOML).unwrap(), Config::default());
    assert_eq!(Config::parse("").unwrap(), Config::default());
}

#[test]
fn the_commented_organisation_parses() {
    let example = DEFAULT_TOML.split_once("# [[organisation]]").unwrap().1;
    let text: String = format!("# [[organisation]]{example}")
        .lines()
        .map(|line| line.trim_start_matches("# ").trim_start_matches('#'))
        .filter(|line| !line.trim_start().starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|line| format!("{}\n", line.replace("env:ACME_SECRET", "s")))
        .collect();
    let config = Config::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(config.organisation[0].parties[0].identifiers.len(), 2);
}

#[test]
fn all_problems_come_at_once_with_their_lines() {
    let text = "data_dri = 'x'\nroles = ['api', 'cook']\n[listen.api]\naddress = '0.0.0.0:1'\n\
                [limits]\nconnections = 'many'\nrequest_bytes = 0\n\
                [api]\nheader_prefix = 'X'\n";
    let found = problems(text);
    assert_eq!(found.len(), 6, "{found:#?}");
    assert!(found[0].starts_with("line 1: data_dri: unknown field"), "{found:#?}");
    let roles =
        "line 2: roles: expected one of \"api\", \"worker\", \"as4\", \"smp\", found \"cook\"";
    assert_eq!(found[1], roles);
    let connections =
        "line 6: limits.connections: expected a whole number from 0 on, found \"many\"";
    assert_eq!(found[2], connections);
    assert!(found[3].contains("listen.api: 0.0.0.0:1 is reachable from outside"), "{found:#?}");
}

#[test]
fn syntax_errors_name_the_line() {
    let found = problems("data_dir = \"x\"\nroles = [\n");
    assert!(found[0].starts_with("line "), "{found:?}");
}

#[test]
fn plain_http_outside_needs_a_proxy() {
    let open = "[listen.as4]\naddress = \"0.0.0.0:443\"\n";
    assert_eq!(problems(open).len(), 1);
    assert!(problems(&format!("{open}behind_proxy = true\n")).is_empty());
    assert!(problems(&format!("{open}certificate_file='c'\nkey_file='k'\n")).is_empty());
    assert_eq!(problems(&format!("{open}certificate_file='c'\n")).len(), 1);
}

#[test]
fn secrets_come_from_files_and_are_never_printed() {
    let path = std::env::temp_dir().join(format!("quoin-secret-{}", std::process::id()));
    std::fs::write(&path, "from-a-file\n").unwrap();
    let text = format!(
        "[[organisation]]\nid='a'\nname='A'\nclients=[{{id='c',secret='file:{}'}}]\n",
        path.display()
    );
    let config = Config::parse(&text).unwrap();
    std::fs::remove_file(&path).unwrap();
    let secret = config.organisation[0].clients[0].secret.clone().unwrap();
    assert_eq!(secret.expose(), "from-a-file");
    assert!(!format!("{config:?}").contains("from-a-file"));
    assert!(!serde_json::to_string(&config).unwrap().contains("from-a-file"));
    let home = ConfigSecret::resolve("env:PATH").unwrap();
    assert_eq!(home.expose(), std::env::var("PATH").unwrap());
    assert!(ConfigSecret::resolve("env:QUOIN_NO_SUCH").unwrap_err().contains("QUOIN_NO_SUCH"));
    assert!(ConfigSecret::resolve("").is_err());
}

#[test]
fn an_address_is_told_with_what_is_expected() {
    let found = Config::parse("[network]\ndns_servers = [\"8.8.8.8\"]\n");
    let found = found.unwrap_err().to_string();
    assert!(found.contains("\"8.8.8.8\"") && found.contains("192.0.2.53:53"), "{found}");
}

#[test]
fn seeds_are_checked_across_organisations() {
    let twice = "[[organisation]]\nid='a'\nname='A'\nclients=[{id='c',secret='s'}]\n\
                 [[organisation]]\nid='a'\nname='B'\nclients=[{id='c'}]\n";
    let found = problems(twice);
    assert_eq!(found.len(), 3, "{found:#?}");
    let missing = problems("[[organisation]]\nname='A'\n[[organisation]]\nid='b'\n");
    assert_eq!(missing.len(), 2, "{missing:#?}");
}

/// What is declared is published: nonsense is refused as in the interface.
#[test]
fn item_18_declared_parties_are_called_what_the_network_takes() {
    let party = |identifier: &str, country: &str| {
        problems(&format!(
            "[[organisation]]\nid='a'\nname='A'\n[[organisation.parties]]\nname='P'\n\
             identifiers=['{identifier}']\ncountry='{country}'\n"
        ))
    };
    assert!(party("0106:12345678", "NL").is_empty());
    for (identifier, country, word) in [
        ("0106:123", "NL", "0106:123"),
        ("9999:12", "NL", "9999"),
        ("0208:1234567890", "BE", "0208:1234567890"),
        ("nobody", "NL", "nobody"),
        ("0106:12345678", "XX", "ISO 3166-1"),
        ("0106:12345678", "UK", "GB"),
    ] {
        let found = format!("{:?}", party(identifier, country));
        assert!(found.contains(word), "{identifier} {country}: {found}");
    }
}

#[test]
fn what_a_role_needs_is_asked_for_before_the_start() {
    let mut config = Config { roles: vec![ServiceRole::Api], ..Config::default() };
    assert!(config.ready().is_err());
    config.access_point.as4_domain = Some("ap.example.org".into());
    assert!(config.ready().is_ok());
    config.roles = vec![ServiceRole::As4, ServiceRole::Smp];
    let Err(ConfigError::Problems(found)) = config.ready() else { panic!("not ready") };
    assert!(found.len() >= 7, "{found:#?}");
}

#[test]
fn the_zone_follows_the_stage_and_ends_with_a_dot() {
    let mut config = Config::default();
    assert_eq!(config.sml_zone(), "participant.sml.test.tech.peppol.org.");
    config.network.sml_zone = Some("lab.example".into());
    assert_eq!(config.sml_zone(), "lab.example.");
}

#[test]
fn paths_start_at_the_folder_of_the_file() {
    let folder = std::env::temp_dir().join(format!("quoin-config-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("quoin.toml");
    std::fs::write(&file, "data_dir='d'\n[smp]\ncertificate_file='s.pem'\nkey_file='/k'\n")
        .unwrap();
    let config = Config::load(&file).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(config.data_dir, folder.join("d"));
    assert_eq!(config.smp.certificate_file, Some(folder.join("s.pem")));
    assert_eq!(config.smp.key_file, Some(PathBuf::from("/k")));
    assert!(matches!(Config::load(&file), Err(ConfigError::Unreadable { .. })));
}

#[test]
fn the_default_waits_are_those_of_the_deciding_room() {
    assert_eq!(Config::default().retry.policy(), quoin_delivery::RetryPolicy::default());
}

#[test]
fn a_key_has_one_place() {
    let at = |text: &str| problems(&format!("[access_point]\n{text}\n"));
    let token = "token = { module = '/m.so', label = 't', key = 'k', pin = '1' }";
    for good in [
        "certificate_file = 'c'\nkey_file = 'k'".to_owned(),
        "pkcs12_file = 'p'\npkcs12_password = 's'".to_owned(),
        format!("certificate_file = 'c'\n{token}"),
    ] {
        assert_eq!(at(&good), Vec::<String>::new(), "{good}");
    }
    for bad in [
        "certificate_file = 'c'".to_owned(),
        "key_file = 'k'".to_owned(),
        "certificate_file = 'c'\npkcs12_file = 'p'".to_owned(),
        "certificate_file = 'c'\nkey_file = 'k'\npkcs12_password = 's'".to_owned(),
        "pkcs12_password = 's'".to_owned(),
        format!("certificate_file = 'c'\nkey_file = 'k'\n{token}"),
        token.to_owned(),
        "certificate_file = 'c'\nkey_file = 'k'\nold_keys = [{ key_file = 'o' }]".to_owned(),
    ] {
        assert_eq!(at(&bad).len(), 1, "{bad}");
    }
    let config = Config::parse(&format!("[access_point]\ncertificate_file = 'c'\n{token}\n"));
    let shown = format!("{:?}", config.unwrap().access_point);
    assert!(!shown.contains("\"1\""), "the PIN is not shown: {shown}");
}

#[test]
fn the_default_breaker_is_that_of_the_deciding_room() {
    assert_eq!(Config::default().breaker.policy(), quoin_delivery::BreakerPolicy::default());
}

#[test]
fn what_takes_over_needs_its_time_and_its_place() {
    let with = |next: &str| {
        problems(&format!("[access_point]\ncertificate_file='c'\nkey_file='k'\nnext = {next}\n"))
    };
    let key = "key = { certificate_file = 'n', key_file = 'o' }";
    assert!(with(&format!("{{ from = '2026-02-11T00:00:00Z', {key} }}")).is_empty());
    assert_eq!(with(&format!("{{ {key} }}")).len(), 1);
    assert_eq!(with("{ from = '2026-02-11T00:00:00Z' }").len(), 1);
    let token = "token = { module = '/m.so', label = 't', pin = '1' }";
    let found = problems(&format!("[access_point]\ncertificate_file = 'c'\n{token}\n"));
    assert!(found[0].contains("a token needs module, label, key and pin"), "{found:?}");
}

#[test]
fn what_is_outside_is_of_the_network_of_the_certificates() {
    let test = "https://api.sml.test.tech.peppol.org/edelivery-sml";
    let of =
        |stage: &str, setting: &str| problems(&format!("[trust]\nstage = \"{stage}\"\n{setting}"));
    let sml = format!(
        "[sml]\nurl = \"{test}\"\nsmp_id = \"P\"\n\
         [smp]\npublic_url = \"https://smp.example.org\"\n\
         certificate_file = \"a.pem\"\nkey_file = \"a.key\"\n"
    );
    assert_eq!(of("test", &sml), Vec::<String>::new());
    let token = "token = { module = '/m.so', label = 't', key = 'k', pin = '1' }";
    let directory = "[directory]\nurl = \"https://directory.example.org\"\n";
    for key in ["pkcs12_file = \"a.p12\"\n", &format!("certificate_file = \"a.pem\"\n{token}")] {
        let files = "certificate_file = \"a.pem\"\nkey_file = \"a.key\"\n";
        let elsewhere = format!("{}\n{directory}", sml.replace(files, key));
        assert_eq!(of("test", &elsewhere), Vec::<String>::new(), "{elsewhere}");
    }
    assert_eq!(of("test", directory).len(), 1, "the Directory asks for the SMP's certificate");
    let wrong = of("production", &sml);
    assert!(wrong.iter().any(|said| said.contains("sml.url") && said.contains("test network")));
    for (stage, setting, is_wrong) in [
        ("test", "[network]\nsml_zone = \"participant.sml.prod.tech.peppol.org\"", true),
        ("test", "[network]\nsml_zone = \"Participant.SML.test.tech.peppol.org.\"", false),
        ("production", "[network]\nsml_zone = \"acc.edelivery.tech.ec.europa.eu\"", true),
        ("production", "[network]\nsml_zone = \"participant.sml.lab.test\"", false),
        ("test", "[directory]\nurl = \"https://directory.peppol.eu\"", true),
        ("production", "[directory]\nurl = \"https://directory.peppol.eu\"", false),
    ] {
        let said = of(stage, setting);
        let found = said.iter().any(|line| line.contains("network, but trust.stage is"));
        assert_eq!(found, is_wrong, "{stage} {setting}: {said:?}");
    }
}

#[test]
fn addresses_that_others_find_keep_the_rules_of_the_network() {
    let found = |setting: &str, any: bool| {
        problems(&format!("{setting}\n[network]\nallow_any_port = {any}\n"))
    };
    for (setting, key) in [
        ("[smp]\npublic_url = \"https://smp.example.org:8443\"", "smp.public_url"),
        ("[access_point]\npublic_url = \"https://ap.example.org:8443/as4\"", "access_point"),
        ("[smp]\npublic_url = \"https://a@smp.example.org\"", "smp.public_url"),
        ("[ksef]\nurl = \"ftp://x\"", "ksef.url"),
        ("[ksef]\ncodes_url = \"x\"", "ksef.codes_url"),
    ] {
        let told = found(setting, false);
        assert!(told.len() == 1 && told[0].contains(key), "{setting}: {told:?}");
        assert_eq!(found(setting, true).is_empty(), setting.contains(":8443"), "{setting}");
    }
}

#[test]
fn exchanges_are_kept_for_as_long_as_a_report_may_be_corrected() {
    let months = |number: u32| problems(&format!("[documents]\nexchange_months = {number}"));
    for (number, good) in [(0, true), (1, false), (2, false), (3, true), (24, true)] {
        assert_eq!(months(number).is_empty(), good, "{number}: {:?}", months(number));
    }
}

#[test]
fn a_weight_has_borders() {
    let found = |weight: &str| {
        problems(&format!("[[organisation]]\nid = \"a\"\nname = \"A\"\nweight = {weight}\n"))
    };
    for within in ["1", "2", "100"] {
        assert_eq!(found(within), Vec::<String>::new(), "{within}");
    }
    for outside in ["0", "-1", "101", "5000000000"] {
        let told = format!("organisation \"a\": weight must be from 1 to 100, and is {outside}");
        assert_eq!(found(outside), [told]);
    }
    assert_eq!(
        Config::parse("[[organisation]]\nid = \"a\"\nname = \"A\"\n").unwrap().organisation[0]
            .weight,
        1
    );
}

/// Which of several clients it is, and which of its settings.
#[test]
fn a_secret_that_is_not_there_is_named_by_its_key() {
    let text = "[[organisation]]\nid = 'acme'\nname = 'Acme'\nclients = [\n    { id = 'web', \
                secret = 'written' },\n    { id = 'erp', secret = 'env:QUOIN_NO_SUCH_SECRET' },\n]\n";
    let said = problems(text).concat();
    assert!(said.contains("organisation \"acme\", clients \"erp\", secret: "), "{said}");
    assert!(said.contains("variable QUOIN_NO_SUCH_SECRET is not set"), "{said}");
}

#[test]
fn an_address_of_a_door_is_told_with_what_was_found_and_what_is_expected() {
    for wrong in ["localhost:8080", "8080", "127.0.0.1"] {
        let said = problems(&format!("[listen.api]\naddress = '{wrong}'\n")).concat();
        assert!(said.contains("listen.api.address: expected an address"), "{said}");
        assert!(said.contains(&format!("found \"{wrong}\"")), "{said}");
    }
}

#[test]
fn an_empty_data_dir_is_no_folder() {
    let said = problems("data_dir = ''\n").concat();
    assert!(said.contains("data_dir: is empty"), "{said}");
    for address in ["file:/var/lib/quoin", "file:data", "https://example.org/data"] {
        let said = problems(&format!("data_dir = '{address}'\n")).concat();
        assert!(said.contains("data_dir: ") && said.contains("is no folder"), "{said}");
    }
}

#[test]
fn declared_hooks_may_be_whatever_the_configuration_has_a_way_for() {
    let hook = |action: &str, more: &str| {
        format!(
            "{more}\n[[organisation]]\nid = \"a\"\nname = \"A\"\n\
             hooks = [{{ id = \"h\", action = \"{action}\", topics = [\"*\"] }}]\n"
        )
    };
    let mail = "[mail]\nserver = \"smtps://mail.example.org\"\nfrom = \"us@example.org\"";
    let ksef = "[ksef]\nurl = \"https://ksef.example.org\"\n\
                codes_url = \"https://qr.example.org\"";
    let of_hook = |text: &str| -> Vec<String> {
        problems(text).into_iter().filter(|said| said.contains("organisation \"a\"")).collect()
    };
    let to = "mailto:b@example.org";
    assert_eq!(of_hook(&hook(to, mail)), [""; 0]);
    assert!(of_hook(&hook(to, ""))[0].contains("sends no mail"), "{:?}", of_hook(&hook(to, "")));
    // What else it lacks is another matter than that there is no way.
    let without = of_hook(&hook("ksef", ""));
    assert_eq!(without.len(), 1, "{without:?}");
    assert_ne!(of_hook(&hook("ksef", ksef)), without);
}
