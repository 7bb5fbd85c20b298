//! Where mail comes back to: one mailbox, with the id of the mail in the address of each
//! (`bounces+ID@example.org`), so that what comes back names it whatever is written in it.

use std::fmt;

use lettre::Address;
use uuid::Uuid;

/// The mailbox that what could not be delivered comes back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnAddress {
    user: String,
    domain: String,
}

impl ReturnAddress {
    /// Reads an address.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<ReturnAddress, String> {
        let wrong = || format!("{text:?} is not a mail address without a + in it");
        let address: Address = text.trim().parse().map_err(|_| wrong())?;
        // With the id behind it the part before @ has 64 characters at most (RFC 5321, 4.5.3.1.1).
        if address.user().contains(['+', '"']) || address.user().len() > 30 {
            return Err(wrong());
        }
        let (user, domain) = (address.user().to_owned(), address.domain().to_ascii_lowercase());
        Ok(ReturnAddress { user, domain })
    }

    /// The address of a mail, by its Message-ID, the left side of which is a UUID.
    pub fn of(&self, message_id: &str) -> Option<Address> {
        let id = Uuid::parse_str(message_id.split('@').next()?).ok()?;
        Address::new(format!("{}+{}", self.user, id.simple()), &self.domain).ok()
    }

    /// The id of the mail that an address names; none where it is another address.
    pub fn id_in(&self, address: &str) -> Option<Uuid> {
        let (user, domain) = address.trim().rsplit_once('@')?;
        let (own, id) = user.split_once('+')?;
        let is_own = own.eq_ignore_ascii_case(&self.user)
            && domain.trim_end_matches('>').eq_ignore_ascii_case(&self.domain);
        Uuid::try_parse(id).ok().filter(|_| is_own && id.len() == 32)
    }
}

impl fmt::Display for ReturnAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.user, self.domain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_names_its_mail() {
        let place = ReturnAddress::parse("Bounces@Example.org").unwrap();
        let id = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f7";
        let address = place.of(&format!("{id}@as4.example")).unwrap();
        assert_eq!(address.to_string(), "Bounces+0192f0c12b3c7d4e8f90a1b2c3d4e5f7@example.org");
        assert_eq!(place.id_in(address.as_ref()).unwrap().to_string(), id);
        let lower = address.to_string().to_lowercase();
        assert_eq!(place.id_in(&lower).unwrap().to_string(), id, "servers change the case");
        for other in [
            "bounces@example.org",
            "bounces+7@example.org",
            "bounces+0192f0c12b3c7d4e8f90a1b2c3d4e5f7@example.net",
            "else+0192f0c12b3c7d4e8f90a1b2c3d4e5f7@example.org",
            "bounces+0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f7@example.org",
            "bounces+\u{e9}",
        ] {
            assert_eq!(place.id_in(other), None, "{other}");
        }
        assert_eq!(place.of("no-uuid@example.org"), None);
        for wrong in ["no address", "a+b@example.org", "a-very-long-name-that-nobody-needs@x.org"] {
            assert!(ReturnAddress::parse(wrong).is_err(), "{wrong}");
        }
    }
}
