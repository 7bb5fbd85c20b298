//! The cases of the choice of a channel. A hook is written `place:id=topics!kind`, where the kind
//! is `c` for a channel, `d` for a channel of another kind, `p` for the network, and `n` for what
//! is no channel. Every case is asked with each kind that there is, so that a new one comes in by
//! itself.

/// One case.
pub(super) struct ChoiceCase {
    pub what: &'static str,
    pub hooks: &'static [&'static str],
    /// What `channel=` says.
    pub forced: &'static str,
    /// The order, by name; none where the forced channel is refused.
    pub order: &'static [&'static str],
    pub fallback: &'static [&'static str],
}

const fn case(
    what: &'static str,
    hooks: &'static [&'static str],
    order: &'static [&'static str],
    fallback: &'static [&'static str],
) -> ChoiceCase {
    ChoiceCase { what, hooks, forced: "", order, fallback }
}

const fn forced(
    what: &'static str,
    hooks: &'static [&'static str],
    forced: &'static str,
    order: &'static [&'static str],
) -> ChoiceCase {
    ChoiceCase { what, hooks, forced, order, fallback: &[] }
}

/// A channel that is chosen, one that stands behind the network, and one that is both.
const THREE: &[&str] =
    &["env:now=Send*!c", "env:late=Send*Fallback!d", "env:both=Send* Send*Fallback!c"];

pub(super) const CASES: &[ChoiceCase] = &[
    // What is a channel.
    case("the network is always there", &[], &["peppol"], &[]),
    case("a channel beside it", &["env:a=Send*!c"], &["a", "peppol"], &[]),
    case("a hook of another kind is no channel", &["env:a=Send*!n"], &["peppol"], &[]),
    case("nor is one beside a channel", &["env:a=Send*!n", "env:b=Send*!c"], &["b", "peppol"], &[]),
    case("a star hears no command", &["env:a=*!c"], &["peppol"], &[]),
    case("nor does what tells of arrivals", &["env:a=*Received!c"], &["peppol"], &[]),
    case("nor what tells of deliveries", &["env:a=InvoiceSent!c"], &["peppol"], &[]),
    case("both kinds of topics are a channel", &["env:a=*Received Send*!c"], &["a", "peppol"], &[]),
    case("the command for another family is none", &["env:a=SendOrder!c"], &["peppol"], &[]),
    case("one for this family is", &["env:a=SendInvoice!c"], &["a", "peppol"], &[]),
    case("as is a pattern that it fits", &["env:a=Send*Invoice!c"], &["a", "peppol"], &[]),
    case("an order for arrivals sends nothing", &["env:a=Receive*!c"], &["peppol"], &[]),
    // Party before environment.
    case(
        "party before environment",
        &["env:a=Send*!c", "party:b=Send*!d"],
        &["b", "a", "peppol"],
        &[],
    ),
    case(
        "whatever the id and the topic",
        &["env:1=SendInvoice!c", "party:zz=Send*!d"],
        &["zz", "1", "peppol"],
        &[],
    ),
    case(
        "a channel of the party stands before the network whatever its id",
        &["party:zz=Send*!c"],
        &["zz", "peppol"],
        &[],
    ),
    case(
        "two of the party, two of everybody",
        &["env:2=Send*!c", "party:4=Send*!d", "env:1=Send*!d", "party:3=Send*!c"],
        &["3", "4", "1", "2", "peppol"],
        &[],
    ),
    case(
        "one id in both places",
        &["env:1=Send*!c", "party:1=Send*!d"],
        &["1", "1", "peppol"],
        &[],
    ),
    // A topic by name before a wildcard.
    case(
        "a topic by name before a wildcard",
        &["env:1=Send*!c", "env:zz=SendInvoice!d"],
        &["zz", "1", "peppol"],
        &[],
    ),
    case(
        "a hook with both is one that names the topic",
        &["env:zz=Send* SendInvoice!c", "env:1=Send*!d"],
        &["zz", "1", "peppol"],
        &[],
    ),
    case(
        "a name for another family is no name for this one",
        &["env:zz=Send* SendOrder!c", "env:1=Send*!d"],
        &["1", "peppol", "zz"],
        &[],
    ),
    case(
        "the same within the party",
        &["party:1=Send*!c", "party:2=SendInvoice!d"],
        &["2", "1", "peppol"],
        &[],
    ),
    case(
        "a name stands before the network whatever its id",
        &["env:zz=SendInvoice!c"],
        &["zz", "peppol"],
        &[],
    ),
    // Then the id.
    case(
        "ids that are numbers as integers, then texts",
        &["env:dico=Send*!c", "env:10=Send*!d", "env:02=Send*!c", "env:1=Send*!d"],
        &["1", "02", "10", "dico", "peppol"],
        &[],
    ),
    case("a text behind peppol stands behind it", &["env:z=Send*!c"], &["peppol", "z"], &[]),
    case("one before it stands before it", &["env:p=Send*!c"], &["p", "peppol"], &[]),
    case(
        "capitals before small letters",
        &["env:b=Send*!c", "env:B=Send*!d"],
        &["B", "b", "peppol"],
        &[],
    ),
    case(
        "the id decides, and not the kind",
        &["env:2=Send*!c", "env:1=Send*!d"],
        &["1", "2", "peppol"],
        &[],
    ),
    case(
        "nor the other way round",
        &["env:1=Send*!c", "env:2=Send*!d"],
        &["1", "2", "peppol"],
        &[],
    ),
    // The network among them.
    case(
        "a network hook of the party replaces the one of everybody",
        &["party:peppol=Send*!p", "env:1=Send*!c"],
        &["peppol", "1"],
        &[],
    ),
    case(
        "one for this topic goes before wildcards",
        &["env:peppol=SendInvoice!p", "env:1=Send*!c"],
        &["peppol", "1"],
        &[],
    ),
    // Fallback.
    case(
        "what only listens to the fallback is not chosen",
        &["env:a=Send*Fallback!c"],
        &["peppol"],
        &["a"],
    ),
    case("by its name as well", &["env:a=SendInvoiceFallback!c"], &["peppol"], &["a"]),
    case(
        "the fallback of another family is none",
        &["env:a=SendOrderFallback!c"],
        &["peppol"],
        &[],
    ),
    case("nothing else is a fallback", &["env:a=Send*Fallback!n"], &["peppol"], &[]),
    case(
        "what listens to both stands behind all others, under the derived name",
        &["env:1=Send*Fallback Send*!c", "env:2=Send*!d"],
        &["2", "peppol", "peppol-fallback"],
        &["1"],
    ),
    case(
        "also one of the party",
        &["party:1=Send*Fallback Send*!c", "env:2=Send*!d"],
        &["2", "peppol", "peppol-fallback"],
        &["1"],
    ),
    case(
        "two that listen to both keep their order",
        &["env:2=Send*Fallback Send*!c", "env:1=Send*Fallback Send*!d"],
        &["peppol", "peppol-fallback", "peppol-fallback"],
        &["1", "2"],
    ),
    case(
        "fallbacks have the same order: party, name, id",
        &["env:1=Send*Fallback!c", "env:9=SendInvoiceFallback!d", "party:z=Send*Fallback!c"],
        &["peppol"],
        &["z", "9", "1"],
    ),
    case(
        "kinds do not matter there either",
        &["env:1=Send*Fallback!d", "env:2=Send*Fallback!c"],
        &["peppol"],
        &["1", "2"],
    ),
    case(
        "all three beside each other",
        THREE,
        &["now", "peppol", "peppol-fallback"],
        &["both", "late"],
    ),
    // Forced.
    forced("the network alone, without a fallback", THREE, "peppol", &["peppol"]),
    forced("a channel by its id", THREE, "now", &["now"]),
    forced("one that only stands behind", THREE, "late", &["late"]),
    forced("one that is both, by its id", THREE, "both", &["peppol-fallback"]),
    forced("and by the derived name", THREE, "peppol-fallback", &["peppol-fallback"]),
    forced("a derived name that nobody has", &["env:a=Send*!c"], "peppol-fallback", &[]),
    forced("only what stands behind has none", &["env:a=Send*Fallback!c"], "peppol-fallback", &[]),
    forced("an id that nobody has", THREE, "other", &[]),
    forced("an id in other letters", THREE, "NOW", &[]),
    forced("the network in other letters", THREE, "Peppol", &[]),
    forced("what is no channel", &["env:a=Send*!n"], "a", &[]),
    forced("a channel for another family", &["env:a=SendOrder!c"], "a", &[]),
    forced("the party's before everybody's", &["env:1=Send*!c", "party:1=Send*!d"], "1", &["1"]),
    forced("the network where it was put behind", &["env:1=SendInvoice!c"], "peppol", &["peppol"]),
];
