//! A rule is explained in the language asked for; one that is not there is near to others.

use clap::Parser;

use super::*;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    explain: Explain,
}

fn line(arguments: &[&str]) -> Result<Explain, clap::Error> {
    let parsed = Line::try_parse_from(std::iter::once(&"quoin").chain(arguments));
    parsed.map(|line| line.explain)
}

#[test]
fn it_is_told_as_text_and_as_json() {
    let told = explain("br-co-10", Language::De).unwrap();
    let text = rendered(&told, ExplainFormat::Text).unwrap();
    assert!(text.starts_with("BR-CO-10\n") && text.contains("zu beheben"), "{text}");
    let json = rendered(&told, ExplainFormat::Json).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["id"], &json["language"]), (&"BR-CO-10".into(), &"de".into()));
    assert!(json["meanings"][0]["asks"].as_str().unwrap().contains("(BT-106)"), "{json}");
}

#[test]
fn the_command_line_names_rule_language_and_format() {
    let given = line(&["BR-CO-10", "--lang", "nl-BE", "--format", "json"]).unwrap();
    assert_eq!((given.lang, given.format), (Language::Nl, ExplainFormat::Json));
    assert_eq!(line(&["BR-CO-10"]).unwrap().lang, Language::En);
    let wrong = line(&["BR-CO-10", "--lang", "es"]).unwrap_err();
    assert_eq!(wrong.exit_code(), 2);
    assert!(wrong.to_string().contains("expected en, nl, de, fr or pl"), "{wrong}");
    assert!(line(&[]).is_err());
}

#[test]
fn a_rule_that_is_not_there_is_an_error_that_helps() {
    let refused = |rule: &str| run(&line(&[rule]).unwrap()).unwrap_err();
    let message = refused("BRCO10");
    assert!(message.contains("\"BRCO10\"; did you mean BR-CO-10"), "{message}");
    let message = refused("the total is wrong");
    assert!(message.contains("named as reports name it"), "{message}");
    assert!(refused(&"\u{1b}[2J".repeat(1_000)).len() < 600);
    assert!(!refused("\u{1b}[2J").contains('\u{1b}'));
}
