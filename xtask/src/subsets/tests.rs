//! Shapes that are told, and shapes that are not.

use super::*;

fn told(test: &str) -> Option<String> {
    let prefixes = ["cbc", "cac", "ram"].map(|p| (p.to_owned(), p.to_owned())).into();
    let mut lists = Lists::default();
    lists.release("now");
    let documents = BTreeMap::new();
    let mut scope = Scope {
        prefixes: &prefixes,
        global: BTreeMap::new(),
        local: BTreeMap::new(),
        documents: &documents,
        lists: &mut lists,
        rule: "X-1".to_owned(),
    };
    let codes = xpath::parse(r"tokenize('A B', '\s')").expect("an expression");
    scope.global.insert("clThings".to_owned(), codes);
    scope.local.insert("scheme".to_owned(), xpath::parse("@schemeID").expect("an expression"));
    scope.test(test).map(|test| test.to_string())
}

#[test]
fn shapes_of_structure_are_told() {
    for (test, expected) in [
        ("false()", "(never)"),
        ("cbc:ID", "(has cbc:ID)"),
        ("not(cac:A/cbc:B/@c)", "(no cac:A/cbc:B/@c)"),
        ("not(//@schemeName)", "(no //@schemeName)"),
        ("not(@*:schemaLocation)", "(no @*:schemaLocation)"),
        ("not((cac:A|cac:B)/cbc:C)", "(no cac:A/cbc:C cac:B/cbc:C)"),
        ("(count(cac:A) <= 1)", "(count 0 1 cac:A)"),
        ("count(cac:A[cbc:C='130']/cbc:ID) = 1", "(count 1 1 cac:A[(is e '130' cbc:C)]/cbc:ID)"),
        ("normalize-space(cbc:ID) != ''", "(isnt t1 '' cbc:ID)"),
        ("normalize-space(text()) = 'VAT'", "(is t1 'VAT' text())"),
        ("exists(cbc:A) or exists(cbc:B)", "(or (has cbc:A) (has cbc:B))"),
        ("string-length(substring-after(cbc:Amount,'.'))<=2", "(decimals 2 cbc:Amount)"),
        (
            "some $code in $clThings satisfies $code = normalize-space(text())",
            "(in t1 things@now text())",
        ),
        (
            "not(@s) or (some $c in $clThings satisfies $c = @s)",
            "(or (no @s) (in e things@now @s))",
        ),
        (
            "((not(contains(normalize-space(.), ' ')) and \
             contains(' A B ', concat(' ', normalize-space(.), ' '))))",
            "(in t x-1@now .)",
        ),
        ("(string(.) castable as xs:date) and (string-length(.) = 10)", "(date .)"),
        (
            "cac:T[cac:S/normalize-space(upper-case(cbc:ID))='VAT']/cbc:ID",
            "(has cac:T[(has cac:S[(is tu1 'VAT' cbc:ID)])]/cbc:ID)",
        ),
        ("not(ram:A) or self::ram:B", "(or (no ram:A) (has self::ram:B))"),
        ("$scheme = 'X'", "(is e 'X' @schemeID)"),
        ("@a = ../cbc:B", "(same @a = ../cbc:B)"),
        ("@a = /cac:B/cbc:C/text()", "(same @a = /cac:B/cbc:C/text())"),
        (
            "namespace-uri()='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'",
            "(has self::cbc:*)",
        ),
        ("upper-case(cbc:ID) != 'VAT'", "(not (is u1 'VAT' cbc:ID))"),
    ] {
        assert_eq!(told(test).as_deref(), Some(expected), "{test}");
    }
}

#[test]
fn what_is_no_structure_is_left_to_be_written() {
    for test in [
        "xs:decimal(cbc:A) = 1.0",
        "cbc:A >= 0",
        "every $x in cac:A satisfies $x/cbc:B",
        "cac:A[1]/cbc:B",
        "u:gln(normalize-space())",
        "matches(., '^[0-9]+$')",
        "if (cbc:A) then cbc:B else true()",
        "cac:A[$scheme = 'X']",
        "$unknown",
    ] {
        assert_eq!(told(test), None, "{test}");
    }
}

#[test]
fn a_context_that_cannot_be_read_hides_what_follows() {
    assert_eq!(last_names("/a:B[x:Y = 1]/c:D | (e:F)[$z]"), ["D", "F"]);
    assert_eq!(last_names("//*[a]"), ["*"]);
}

#[test]
fn the_tables_are_what_the_official_files_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Some(shared) = quoin_testing::shared("") else { return };
    let output = generate(&shared).expect("the official files are readable");
    for (name, text) in &output.files {
        let there = std::fs::read_to_string(root.join(name)).unwrap_or_default();
        assert!(there == *text, "{name} is not what cargo xtask subsets makes");
    }
}
