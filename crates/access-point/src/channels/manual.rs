//! What a channel needs and carries, as the interface tells it: the form in which each says it.

/// Something that a channel needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChannelNeed {
    /// Its name.
    pub name: &'static str,
    /// Where it is said: `action`, `#` behind it, `init`, or `operator` for the configuration.
    pub place: &'static str,
    /// Whether it is kept sealed and never shown.
    pub is_secret: bool,
    /// Whether there is no doing without it.
    pub is_required: bool,
    /// What it is.
    pub meaning: &'static str,
}

/// What is to be known of a channel before it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChannelManual {
    /// An action, as it is written.
    pub example: &'static str,
    /// What it needs.
    pub needs: &'static [ChannelNeed],
    /// In which formats documents travel.
    pub formats: &'static str,
    /// What it does with documents that arrived, where a hook listens to `*Received`.
    pub received: &'static str,
    /// What its destination gets twice, and how it knows.
    pub doubles: &'static str,
    /// Its page.
    pub guide: &'static str,
}

/// Something that there is no doing without.
pub(super) const fn needed(
    name: &'static str,
    place: &'static str,
    meaning: &'static str,
) -> ChannelNeed {
    ChannelNeed { name, place, is_secret: false, is_required: true, meaning }
}

/// Something that may be said.
pub(super) const fn may(
    name: &'static str,
    place: &'static str,
    meaning: &'static str,
) -> ChannelNeed {
    ChannelNeed { is_required: false, ..needed(name, place, meaning) }
}

/// The same, kept sealed and never shown.
pub(super) const fn secret(need: ChannelNeed) -> ChannelNeed {
    ChannelNeed { is_secret: true, ..need }
}

/// What channels say that carry documents as they were uploaded.
pub(super) const AS_IT_IS: &str =
    "Every format that is taken for sending; the document travels as it is.";

/// What channels say that have no use for documents that arrived.
pub(super) const NOTHING_RECEIVED: &str = "Nothing is handed on.";

/// Which environment of a network is meant.
pub(super) const MODE: ChannelNeed = may("mode", "action", "production or test");
