//! What is shown in the header `Authorization`: a scheme, whose letters count in either case (RFC
//! 9110, section 11.1), and a credential.

/// The token of a bearer; none where another scheme, or none, stands before it.
pub fn token_of(shown: &str) -> Option<&str> {
    let (scheme, token) = shown.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim_start())
}

/// The same with the scheme in small letters, to be compared; what has no scheme stays as it is.
pub fn with_scheme_folded(shown: &str) -> String {
    match shown.split_once(' ') {
        Some((scheme, rest)) => format!("{} {}", scheme.to_ascii_lowercase(), rest.trim_start()),
        None => shown.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_counts_in_either_case_and_a_credential_as_it_is() {
        for shown in ["Bearer aB", "bearer aB", "BEARER  aB"] {
            assert_eq!((token_of(shown), &*with_scheme_folded(shown)), (Some("aB"), "bearer aB"));
        }
        assert_eq!((token_of("Basic aB"), &*with_scheme_folded("Basic aB")), (None, "basic aB"));
        assert_eq!((token_of("aB"), &*with_scheme_folded("aB")), (None, "aB"));
    }
}
