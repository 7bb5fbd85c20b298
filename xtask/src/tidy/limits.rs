//! The page of limits says what is in force: a constant or a setting that a row names is there, and
//! a plain number that it has is in the row.

use std::path::Path;

/// The page.
const PAGE: &str = "docs/reference/limits.md";
/// The settings with their defaults.
const DEFAULTS: &str = "crates/access-point/config.default.toml";

/// Everything that a row says and that does not hold.
pub fn check(root: &Path, found: &mut Vec<String>) -> Result<(), String> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let page = read(&root.join(PAGE))?;
    let defaults = read(&root.join(DEFAULTS))?;
    for (number, line) in page.lines().enumerate() {
        let mut file = String::new();
        let Some((value, places)) = row(line) else { continue };
        for place in places {
            let text = match place.split_once(".rs:") {
                Some((path, _)) => {
                    file = read(&root.join(format!("crates/{path}.rs")))?;
                    &file
                }
                None if place.starts_with(':') => &file,
                None => &defaults,
            };
            if let Some(wrong) = wrong(value, place, text) {
                found.push(format!("{PAGE}:{}: {wrong}", number + 1));
            }
        }
    }
    Ok(())
}

/// What a row says, and the places that its last cell names.
pub fn row(line: &str) -> Option<(&str, Vec<&str>)> {
    let (value, places) = line.strip_prefix("| ")?.strip_suffix(" |")?.rsplit_once(" | ")?;
    let places: Vec<&str> = places.split('`').skip(1).step_by(2).collect();
    (!places.is_empty()).then_some((value, places))
}

/// What is wrong with a place of a row, in the text that it is in: a file, or the settings.
pub fn wrong(value: &str, place: &str, text: &str) -> Option<String> {
    let held = match place.rsplit_once(':') {
        Some((_, name)) => constant(name, text),
        None if place.starts_with('[') => setting(place, text, value),
        // A room that refuses something altogether, or a table of the settings.
        None if !value.contains(|c: char| c.is_ascii_digit()) || is_table(place, text) => {
            return None;
        }
        None => return Some(format!("{place} names no constant and no setting")),
    };
    let Some(held) = held else { return Some(format!("there is no {place}")) };
    let missing = numbers(&held).into_iter().find(|number| !says(value, number));
    missing.map(|number| format!("{place} is {}, and the row says {value}", number.shown()))
}

fn is_table(place: &str, text: &str) -> bool {
    text.lines().any(|line| line.starts_with(&format!("{place} = [")))
}

/// What a constant is, or a field of defaults in small letters.
fn constant(name: &str, text: &str) -> Option<String> {
    let is_field = name.starts_with(|c: char| c.is_ascii_lowercase());
    if is_field {
        let begins = format!("{name}: ");
        let holds = |line: &&str| line.strip_suffix(',').is_some_and(is_number);
        let fields = text.lines().filter_map(|line| line.trim_start().strip_prefix(&begins));
        return fields.into_iter().find(holds).map(|line| line.trim_end_matches(',').to_owned());
    }
    let (_, rest) = text.split_once(&format!("const {name}: "))?;
    let (kind, rest) = rest.split_once('=')?;
    let unit = if name.ends_with("_SECONDS") { " s" } else { "" };
    let is_text = kind.contains('&');
    Some(if is_text { String::new() } else { format!("{}{unit}", rest.split_once(';')?.0.trim()) })
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// What a setting is unless told otherwise, with its unit; nothing where it is no number, or is
/// named in the place of one.
fn setting(place: &str, defaults: &str, value: &str) -> Option<String> {
    let (section, name) = place.strip_prefix('[')?.split_once("] ")?;
    let (_, rest) = defaults.split_once(&format!("\n[{section}]\n"))?;
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    let line = lines.into_iter().find_map(|line| line.strip_prefix(&format!("{name} = ")))?;
    let number = line.strip_suffix(".0").unwrap_or(line);
    const UNITS: &[(&str, &str)] = &[
        ("_ms", " ms"),
        ("seconds", " s"),
        ("_hours", " * 3600 s"),
        ("_days", " * 86400 s"),
        ("_megabytes", " << 20"),
        ("_per_megabyte", " s"),
    ];
    let unit = UNITS.iter().find(|(ending, _)| name.ends_with(ending)).map_or("", |row| row.1);
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !value.contains(name);
    Some(if is_plain { format!("{number}{unit}") } else { String::new() })
}

/// A number of the code: bytes or pieces, or a time in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    Plain(u64),
    Time(u64),
}

impl Number {
    /// The ways to write it: digits, and the units of which one has to follow somewhere.
    fn ways(self) -> Vec<(u64, &'static [&'static str])> {
        let (number, units): (u64, &[(u64, &[&str])]) = match self {
            Number::Plain(number) => (
                number,
                &[
                    (1, &[""]),
                    (1_000, &["kB"]),
                    (1_000_000, &["MB"]),
                    (1 << 10, &["KiB"]),
                    (1 << 20, &["MiB"]),
                    (1 << 30, &["GiB"]),
                ],
            ),
            Number::Time(ms) => (
                ms,
                &[
                    (1, &["ms"]),
                    (1_000, &["s"]),
                    (60_000, &["min", "minutes"]),
                    (3_600_000, &["h", "hours"]),
                    (86_400_000, &["days"]),
                ],
            ),
        };
        let whole = units.iter().filter(|(size, _)| number % size == 0);
        whole.map(|(size, names)| (number / size, *names)).collect()
    }

    fn shown(self) -> String {
        let ways = self.ways();
        let way = |(number, units): &(u64, &[&str])| format!("{} {}", commas(*number), units[0]);
        ways.iter().map(way).map(|way| way.trim().to_owned()).collect::<Vec<_>>().join(", ")
    }
}

/// Whether a cell has a number in one of the ways to write it.
fn says(value: &str, number: &Number) -> bool {
    let words: Vec<&str> = value
        .split(|c: char| !c.is_ascii_alphanumeric() && c != ',' && c != '.')
        .map(|word| word.trim_matches([',', '.']))
        .collect();
    let has = |word: &str| word.is_empty() || words.contains(&word);
    let written = |number: u64| has(&commas(number)) || has(&number.to_string());
    let ways = number.ways();
    let is_never = ways.iter().all(|(number, _)| *number == 0) && value.contains("for ever");
    is_never
        || ways.iter().any(|(number, units)| written(*number) && units.iter().any(|unit| has(unit)))
}

fn commas(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The numbers of an expression that is plain: sums, products and shifts of numbers, times, ranges,
/// the larger one of a pair, and the total of places. Of everything else none.
pub fn numbers(expression: &str) -> Vec<Number> {
    let expression = expression.replace('_', "");
    let expression = expression.as_str();
    for (call, factor) in
        [("frommillis(", 1), ("fromsecs(", 1_000), ("frommins(", 60_000), ("fromhours(", 3_600_000)]
    {
        if let Some((_, argument)) = expression.split_once(call) {
            let number = argument.strip_suffix(')').and_then(plain);
            return number.map(|number| Number::Time(number * factor)).into_iter().collect();
        }
    }
    for (unit, factor) in [(" ms", 1), (" s", 1_000)] {
        if let Some(number) = expression.strip_suffix(unit).and_then(plain) {
            return vec![Number::Time(number * factor)];
        }
    }
    if let Some((_, total)) = expression.split_once("Sizes { total: ") {
        return plain(total.split(',').next().unwrap_or_default())
            .map(Number::Plain)
            .into_iter()
            .collect();
    }
    let pair = expression.strip_prefix('(').and_then(|pair| pair.strip_suffix(')'));
    let most = pair.and_then(|pair| pair.split_once(", ")).map(|(_, most)| most);
    let range = expression.split_once("..=").map(|(least, most)| vec![least, most]);
    let parts = range.unwrap_or_else(|| vec![most.unwrap_or(expression)]);
    parts.into_iter().filter_map(plain).map(Number::Plain).collect()
}

fn plain(expression: &str) -> Option<u64> {
    let sides = |sign: &str| {
        let (left, right) = expression.rsplit_once(sign)?;
        Some((plain(left)?, plain(right)?))
    };
    let expression = expression.trim();
    if let Ok(number) = expression.parse() {
        return Some(number);
    }
    sides(" + ")
        .map(|(left, right)| left + right)
        .or_else(|| sides(" << ").map(|(left, right)| left << right))
        .or_else(|| sides(" * ").map(|(left, right)| left * right))
}
