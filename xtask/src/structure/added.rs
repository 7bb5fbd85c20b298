//! What schemas of one version of a standard are given of a later one.

/// A piece of a later version of a standard, as it stands in a schema document of this one.
pub struct Addition {
    /// How the name of the document ends.
    pub document: &'static str,
    /// Text in it from which on the place is looked for.
    pub inside: &'static str,
    /// The text that it stands behind.
    pub behind: &'static str,
    /// What is added.
    pub text: &'static str,
}

impl Addition {
    /// The document with what is added to it.
    ///
    /// # Errors
    /// The place is not in it.
    pub fn to(&self, document: &[u8]) -> Result<Vec<u8>, String> {
        let text = std::str::from_utf8(document).map_err(|error| error.to_string())?;
        let inside = text.find(self.inside);
        let place = inside.and_then(|from| {
            let at = text.get(from..)?.find(self.behind)?;
            text.split_at_checked(from + at + self.behind.len())
        });
        let (before, after) = place.ok_or_else(|| format!("no {} there", self.inside))?;
        Ok([before, self.text, after].concat().into_bytes())
    }
}

/// What a message of Peppol's logistics takes from UBL 2.4: one element that 2.3 does not have (the
/// message's own syntax tables; UBL 2.4 puts it behind the identifier).
pub const OF_UBL_24: &[Addition] = &[
    Addition {
        document: "UBL-CommonAggregateComponents-2.3.xsd",
        inside: r#"<xsd:complexType name="CustomsDeclarationType">"#,
        behind: r#"<xsd:element ref="cbc:ID" minOccurs="1" maxOccurs="1"/>"#,
        text: r#"<xsd:element ref="cbc:FunctionCode" minOccurs="0" maxOccurs="1"/>"#,
    },
    Addition {
        document: "UBL-CommonBasicComponents-2.3.xsd",
        inside: "<xsd:schema",
        behind: ">",
        text: r#"<xsd:element name="FunctionCode" type="DocumentTypeCodeType"/>"#,
    },
];
