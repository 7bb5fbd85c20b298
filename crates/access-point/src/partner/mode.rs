//! Which of the two environments of a network is meant.

/// One of the two environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartnerMode {
    /// Documents count.
    Production,
    /// Documents are tried.
    Test,
}

impl PartnerMode {
    /// Both.
    pub const ALL: [PartnerMode; 2] = [PartnerMode::Production, PartnerMode::Test];

    /// Reads the word of an action.
    pub fn parse(text: &str) -> Option<PartnerMode> {
        match text {
            "production" => Some(PartnerMode::Production),
            "test" => Some(PartnerMode::Test),
            _ => None,
        }
    }

    /// The word in actions, messages and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            PartnerMode::Production => "production",
            PartnerMode::Test => "test",
        }
    }
}
