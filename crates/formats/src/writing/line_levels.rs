//! Lines that contain other lines: UBL has them within one another (XRechnung extension,
//! BG-DEX-01), Factur-X EXTENDED in a row, each with the number of its parent.
//!
//! In both, the net amounts of what is within a line add up to that of the line, which alone is
//! counted in the totals; else what is within is information only.

use std::collections::HashMap;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Invoice, Line};

use super::loss::ConversionRefusal;

/// A line that is the sum of those that name it as their parent.
pub(crate) const GROUP: &str = "GROUP";
/// A line that is counted.
pub(crate) const DETAIL: &str = "DETAIL";
/// A line that is not counted.
pub(crate) const INFORMATION: &str = "INFORMATION";

/// How deep lines may lie within lines. Documents of the official collections have three levels.
const MAX_DEPTH: usize = 20;

/// A line in the row of all, and where it belongs.
pub(crate) struct LineLevel<'l, 'd> {
    /// The line.
    pub line: &'l Line<'d>,
    /// The line that it is within.
    pub parent: Option<&'l Line<'d>>,
    /// What it is for; `None` of a line that has no others in it and is in none.
    pub reason: Option<&'static str>,
}

/// Lines within lines as a row, each behind its parent.
pub(crate) fn levels<'l, 'd>(lines: &'l [Line<'d>]) -> Vec<LineLevel<'l, 'd>> {
    let mut row = Vec::with_capacity(lines.len());
    for line in lines {
        let reason = (!line.sub_lines().is_empty()).then(|| reason_of(line));
        row.push(LineLevel { line, parent: None, reason });
        below(line, reason, &mut row);
    }
    row
}

/// As deep as the parser lets a document be.
fn below<'l, 'd>(
    parent: &'l Line<'d>,
    of_parent: Option<&'static str>,
    row: &mut Vec<LineLevel<'l, 'd>>,
) {
    for line in parent.sub_lines() {
        let reason = match of_parent {
            Some(GROUP) if line.sub_lines().is_empty() => DETAIL,
            Some(GROUP) => reason_of(line),
            _ => INFORMATION,
        };
        row.push(LineLevel { line, parent: Some(parent), reason: Some(reason) });
        below(line, Some(reason), row);
    }
}

fn reason_of(line: &Line<'_>) -> &'static str {
    match adds_up(line, line.sub_lines()) {
        true => GROUP,
        false => DETAIL,
    }
}

/// Whether the net amounts of lines are together the net amount of another one.
fn adds_up<'l, 'd: 'l>(whole: &Line<'d>, parts: impl IntoIterator<Item = &'l Line<'d>>) -> bool {
    let mut amounts = parts.into_iter().map(|line| line.net_amount.value());
    let sum = amounts.try_fold(Decimal::ZERO, |sum, one| sum.checked_add(one?));
    sum.is_some() && sum == whole.net_amount.value()
}

/// A line with the lines that name it as their parent.
pub(crate) struct LineNode<'l, 'd> {
    /// The line.
    pub line: &'l Line<'d>,
    /// What is in it.
    pub inside: Vec<LineNode<'l, 'd>>,
    /// Whether what the source says the line is for follows from the lines in it and around it.
    pub is_told: bool,
}

/// A row of lines as lines within lines.
///
/// # Errors
/// [`ConversionRefusal::LineHierarchy`] where a parent is named that is not there, is there twice
/// or is the line itself, where lines lie too deep, where a group is not the sum of its lines or is
/// of another VAT than they, and where the outermost lines are no lines of EN 16931 or do not add
/// up to BT-106.
pub(crate) fn nested<'l, 'd>(
    invoice: &'l Invoice<'d>,
) -> Result<Vec<LineNode<'l, 'd>>, ConversionRefusal> {
    let lines = invoice.lines.as_slice();
    let is_level = |line| is(line, GROUP) || is(line, INFORMATION);
    let has_parents = lines.iter().any(|line| parent_of(line).is_some() || is_level(line));
    if !has_parents {
        let plain = |line| LineNode { line, inside: Vec::new(), is_told: is_told(line, DETAIL) };
        return Ok(lines.iter().map(plain).collect());
    }
    let mut places: HashMap<String, Option<usize>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let id = line.id.text().unwrap_or_default().into_owned();
        // A number that two lines have is the number of none.
        places.entry(id).and_modify(|place| *place = None).or_insert(Some(at));
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); lines.len()];
    let mut top = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(parent) = parent_of(line) else {
            top.push(at);
            continue;
        };
        let place = places.get(parent.as_str()).copied().flatten().filter(|place| *place != at);
        let place = place.ok_or_else(|| refused(line))?;
        children.get_mut(place).ok_or_else(|| refused(line))?.push(at);
    }
    let mut nest = Nest { lines, children, placed: 0 };
    let nodes = nest.nodes(&top, None, 0)?;
    // Lines that are within one another are within no other.
    let is_whole = nest.placed == lines.len() && adds_up_to_total(invoice, &nodes);
    match nodes.iter().map(|node| node.line).find(|line| !is_whole || !is_of_core(line)) {
        Some(line) => Err(refused(line)),
        None if is_whole => Ok(nodes),
        None => Err(lines.first().map_or(ConversionRefusal::NoLines, refused)),
    }
}

/// Whether the outermost lines, which UBL counts, add up to BT-106.
fn adds_up_to_total(invoice: &Invoice<'_>, nodes: &[LineNode<'_, '_>]) -> bool {
    let mut amounts = nodes.iter().map(|node| node.line.net_amount.value());
    let sum = amounts.try_fold(Decimal::ZERO, |sum, one| sum.checked_add(one?));
    let total = invoice.totals.first().and_then(|totals| totals.line_net.value());
    total.is_none() || sum == total
}

/// Whether a line has what each line of EN 16931 has: quantity, price and category (BR-22, BR-26,
/// BR-CO-04). Groups of Factur-X need not.
fn is_of_core(line: &Line<'_>) -> bool {
    let is_priced = line.price.first().is_some_and(|price| price.net.is_filled());
    let is_taxed = line.tax_category.first().is_some_and(|own| own.code.is_filled());
    line.quantity.is_filled() && is_priced && is_taxed
}

/// Whether what is counted in a line is of another VAT, so that the breakdown would not fit.
fn is_of_other_vat(line: &Line<'_>, parent: &Line<'_>) -> bool {
    let of = |line: &Line<'_>| {
        let category = line.tax_category.first()?;
        Some((category.code.text()?.into_owned(), category.rate.value()))
    };
    of(line).is_some_and(|own| of(parent).is_some_and(|other| own != other))
}

struct Nest<'l, 'd> {
    lines: &'l [Line<'d>],
    children: Vec<Vec<usize>>,
    placed: usize,
}

impl<'l, 'd> Nest<'l, 'd> {
    fn nodes(
        &mut self,
        places: &[usize],
        of_parent: Option<&'static str>,
        depth: usize,
    ) -> Result<Vec<LineNode<'l, 'd>>, ConversionRefusal> {
        let mut nodes = Vec::with_capacity(places.len());
        for at in places {
            let Some(line) = self.lines.get(*at) else { continue };
            if depth > MAX_DEPTH {
                return Err(refused(line));
            }
            let inside = self.children.get_mut(*at).map(std::mem::take).unwrap_or_default();
            let parts = inside.iter().filter_map(|at| self.lines.get(*at));
            let reason = match (of_parent, inside.is_empty()) {
                (Some(DETAIL | INFORMATION), _) => INFORMATION,
                (_, true) => DETAIL,
                (_, false) if adds_up(line, parts) => GROUP,
                (_, false) => DETAIL,
            };
            // A group is not counted itself, and in lines within lines the outermost is.
            let is_counted = !is(line, INFORMATION) || depth > 0;
            let mut parts = inside.iter().filter_map(|at| self.lines.get(*at));
            let is_mixed = reason == GROUP && parts.any(|part| is_of_other_vat(part, line));
            if !is_counted || is_mixed || (is(line, GROUP) && reason != GROUP) {
                return Err(refused(line));
            }
            let is_told = is_told(line, reason);
            self.placed += 1;
            let inside = self.nodes(&inside, Some(reason), depth + 1)?;
            nodes.push(LineNode { line, inside, is_told });
        }
        Ok(nodes)
    }
}

fn parent_of(line: &Line<'_>) -> Option<String> {
    let parent = line.extensions.as_deref()?.parent.text()?;
    Some(parent.into_owned())
}

/// Whether a line says nothing of what it is for, or what follows from where it stands.
fn is_told(line: &Line<'_>, reason: &str) -> bool {
    let said = line.extensions.as_deref().map(|more| &more.status_reason);
    said.is_none_or(|said| !said.is_filled() || said.is(reason))
}

fn is(line: &Line<'_>, reason: &str) -> bool {
    line.extensions.as_deref().is_some_and(|more| more.status_reason.is(reason))
}

fn refused(line: &Line<'_>) -> ConversionRefusal {
    ConversionRefusal::LineHierarchy { path: line.element.path() }
}
