//! U-NAPTR records: choosing one and applying its substitution (RFC 3403, RFC 4848, SML 1.3.0).

use super::{LookupError, NotRegistered};
use crate::sml::{SmpBase, UriPolicy, UriRefusal};

#[cfg(test)]
mod tests;

/// The fields of a NAPTR record that matter here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naptr {
    /// Lower comes first.
    pub order: u16,
    /// Lower comes first among equal orders.
    pub preference: u16,
    /// `U` for a terminal record whose result is a URI; case is ignored.
    pub flags: String,
    /// The service; only `Meta:SMP` counts, and case is ignored.
    pub services: String,
    /// The substitution: `!^.*$!https://smp.example.org!`.
    pub regexp: String,
}

/// The base address of the SMP that the records of `queried` name.
///
/// # Errors
/// [`LookupError::NotRegistered`] where no record is a terminal `Meta:SMP` record, and
/// [`LookupError::InvalidSmpAddress`] where the first one (by order and preference) cannot be used:
/// later ones are not tried, because a wrong first record is a broken registration.
pub fn base(records: &[Naptr], queried: &str, policy: UriPolicy) -> Result<SmpBase, LookupError> {
    if records.is_empty() {
        return Err(LookupError::NotRegistered(NotRegistered::NoRecord));
    }
    let first = records
        .iter()
        .filter(|r| r.flags.eq_ignore_ascii_case("u"))
        .filter(|r| r.services.eq_ignore_ascii_case("meta:smp"))
        .min_by_key(|r| (r.order, r.preference))
        .ok_or(LookupError::NotRegistered(NotRegistered::NoSmpService))?;
    let uri = substitute(&first.regexp, queried)?;
    Ok(SmpBase::new(&uri, policy)?)
}

/// Applies `<delimiter><expression><delimiter><replacement><delimiter>[flags]` to a name.
///
/// The expressions that match every name (`.*`, `^.*$`, and the same in parentheses) are
/// understood, the latter with `\1` in the replacement; the network uses no others. The expression
/// is applied once: a replacement of all matches would put the URI in twice.
fn substitute(regexp: &str, queried: &str) -> Result<String, UriRefusal> {
    let refuse = |why| Err(UriRefusal::new(regexp, why));
    let Some(delimiter) = regexp.chars().next() else {
        return refuse("the substitution of the NAPTR record is empty");
    };
    if delimiter.is_ascii_alphanumeric() || delimiter == '\\' {
        return refuse("the substitution of the NAPTR record starts with no delimiter");
    }
    let rest = regexp.get(delimiter.len_utf8()..).unwrap_or_default();
    let parts: Vec<&str> = rest.split(delimiter).collect();
    let [expression, replacement, flags] = parts.as_slice() else {
        return refuse("the substitution of the NAPTR record does not have its three parts");
    };
    if !matches!(*flags, "" | "i" | "I") {
        return refuse("the substitution of the NAPTR record has unknown flags");
    }
    let bare = expression.trim_start_matches('^').trim_end_matches('$');
    let group = match bare {
        ".*" | ".+" => false,
        "(.*)" | "(.+)" => true,
        _ => return refuse("the NAPTR record uses an expression other than '.*'"),
    };
    let name = if group { queried.trim_end_matches('.') } else { "" };
    let uri = if group { replacement.replace("\\1", name) } else { (*replacement).to_owned() };
    if uri.contains('\\') {
        return refuse("the replacement of the NAPTR record refers to a group that is not there");
    }
    Ok(uri)
}
