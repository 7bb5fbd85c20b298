//! What stands behind `#`: one secret, or one for each environment, so that both are there when the
//! mode changes.

use percent_encoding::percent_decode_str;
use quoin_store::Secret;

use super::action::PartnerError;
use super::mode::PartnerMode;

/// Characters of a secret.
const LONGEST: usize = 512;

/// What lets us in.
#[derive(Debug, Clone)]
pub struct PartnerSecrets {
    production: Option<Secret>,
    test: Option<Secret>,
}

impl PartnerSecrets {
    /// Reads what stands behind `#`.
    ///
    /// # Errors
    /// [`PartnerError::Secret`], which repeats nothing of it.
    pub fn parse(text: &str) -> Result<PartnerSecrets, PartnerError> {
        let is_named = ["production=", "test="].iter().any(|name| text.starts_with(name));
        if !is_named {
            let one = usable(text)?;
            return Ok(PartnerSecrets { production: Some(one.clone()), test: Some(one) });
        }
        let mut secrets = PartnerSecrets { production: None, test: None };
        for part in text.split('&') {
            let (name, value) = part.split_once('=').ok_or(PartnerError::Secret)?;
            let value =
                percent_decode_str(value).decode_utf8().map_err(|_| PartnerError::Secret)?;
            let place = match PartnerMode::parse(name).ok_or(PartnerError::Secret)? {
                PartnerMode::Production => &mut secrets.production,
                PartnerMode::Test => &mut secrets.test,
            };
            if place.replace(usable(&value)?).is_some() {
                return Err(PartnerError::Secret);
            }
        }
        Ok(secrets)
    }

    /// The secret of an environment.
    pub fn of(&self, mode: PartnerMode) -> Option<&Secret> {
        match mode {
            PartnerMode::Production => self.production.as_ref(),
            PartnerMode::Test => self.test.as_ref(),
        }
    }
}

fn usable(text: &str) -> Result<Secret, PartnerError> {
    let fits = (1..=LONGEST).contains(&text.chars().count());
    match fits && !text.chars().any(char::is_control) {
        true => Ok(Secret::new(text)),
        false => Err(PartnerError::Secret),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_secret_is_for_both_and_two_are_told_apart() {
        let of = |text: &str, mode| {
            PartnerSecrets::parse(text).unwrap().of(mode).map(|one| one.reveal().to_owned())
        };
        for mode in [PartnerMode::Production, PartnerMode::Test] {
            assert_eq!(of("a=b&c", mode).unwrap(), "a=b&c");
        }
        let both = "test=t%26t&production=p%3D";
        assert_eq!(of(both, PartnerMode::Test).unwrap(), "t&t");
        assert_eq!(of(both, PartnerMode::Production).unwrap(), "p=");
        assert_eq!(of("test=t", PartnerMode::Production), None);
    }

    #[test]
    fn what_is_no_secret_is_refused_without_being_repeated() {
        for text in ["", "a\nb", "test=", "test=a&test=b", "production=a&hush=b", "test=a&hush"] {
            let error = PartnerSecrets::parse(text).unwrap_err().to_string();
            assert!(!error.contains("hush"), "{error}");
        }
        assert!(PartnerSecrets::parse(&"x".repeat(513)).is_err());
        assert!(!format!("{:?}", PartnerSecrets::parse("hush").unwrap()).contains("hush"));
    }
}
