//! The ebMS header (section A of the checklist). Every message is signed after it was changed, so
//! that the header alone is wrong.

use crate::testbed::case::{CONTRADICTION, Expect, HEADER, TestCase, reception};
use crate::testbed::forge::sign::Style;
use crate::testbed::forge::{Forge, ForgeError, TestMessage, edit};

const PROFILE: &str = "Peppol AS4 profile 2.0.3";

/// The cases.
pub(crate) static CASES: &[TestCase] = &[
    reception(
        "A-01a",
        "a pull request is refused",
        "A-01; AS4 profile 1",
        Expect::Error(HEADER),
        pull,
    ),
    reception(
        "A-01b",
        "a user message that refers to another one is refused",
        "A-01; AS4 profile 1",
        Expect::Error(HEADER),
        |forge| {
            forge.signed(&[edit(
                "eb:RefToMessageId",
                "</eb:MessageId></eb:MessageInfo>",
                "</eb:MessageId><eb:RefToMessageId>one@before.test</eb:RefToMessageId>\
                 </eb:MessageInfo>",
            )])
        },
    ),
    reception(
        "A-02",
        "exactly one user message, in a header that must be understood",
        "A-02; eDelivery AS4 1.14",
        Expect::Error(HEADER),
        two_messages,
    ),
    reception(
        "A-03",
        "a message id of another form than left@right is refused",
        "A-03; ebMS 3.0 core 5.2.2.1",
        Expect::Error(HEADER),
        |forge| {
            forge.signed(&[
                edit("without @", "<eb:MessageId>{id}<", "<eb:MessageId>no-at-sign<"),
                edit("in angle brackets", "<eb:MessageId>{id}<", "<eb:MessageId>&lt;{id}&gt;<"),
                edit("empty", "<eb:MessageId>{id}<", "<eb:MessageId><"),
            ])
        },
    ),
    reception(
        "A-04",
        "a timestamp that is none is refused",
        "A-04; ebMS 3.0 core 5.2.2.1",
        Expect::Error(HEADER),
        |forge| forge.signed(&[edit("no time", "<eb:Timestamp>2", "<eb:Timestamp>yesterday, 2")]),
    ),
    reception(
        "A-05",
        "one party id of the right type on each side",
        "A-05; AS4 profile 5",
        Expect::Error(HEADER),
        |forge| {
            forge.signed(&[
                edit(
                    "two ids in eb:From",
                    "</eb:PartyId><eb:Role>",
                    "</eb:PartyId><eb:PartyId \
                     type=\"urn:fdc:peppol.eu:2017:identifiers:ap\">POP000999</eb:PartyId><eb:Role>",
                ),
                edit(
                    "another type in eb:From",
                    "<eb:PartyId type=\"urn:fdc:peppol.eu:2017:identifiers:ap\">{own}",
                    "<eb:PartyId type=\"urn:testbed\">{own}",
                ),
                edit("somebody else in eb:To", ">{peer}</eb:PartyId>", ">POP000999</eb:PartyId>"),
            ])
        },
    ),
    reception(
        "A-07",
        "an agreement other than that of the network is refused",
        "A-07; AS4 profile 3",
        Expect::Error(HEADER),
        |forge| {
            forge.signed(&[edit(
                "another agreement",
                "urn:fdc:peppol.eu:2017:agreements:tia:ap_provider",
                "urn:fdc:peppol.eu:2017:agreements:other",
            )])
        },
    ),
    reception(
        "A-08",
        "service and action say what the envelope says",
        "A-08, A-09; AS4 profile 6",
        Expect::Error(CONTRADICTION),
        |forge| {
            forge.signed(&[
                edit(
                    "another process",
                    ">{process}</eb:Service>",
                    ">urn:testbed:other</eb:Service>",
                ),
                edit("another document type", "{type}</eb:Action>", "{type}9</eb:Action>"),
            ])
        },
    ),
    reception(
        "A-11a",
        "originalSender and finalRecipient are there",
        "A-11; eDelivery AS4 1.14, 4.1",
        Expect::Error(HEADER),
        |forge| {
            forge.signed(&[
                edit("no originalSender", "name=\"originalSender\"", "name=\"someSender\""),
                edit("no finalRecipient", "name=\"finalRecipient\"", "name=\"someRecipient\""),
            ])
        },
    ),
    reception(
        "A-11b",
        "originalSender and finalRecipient are those of the envelope",
        "A-11; eDelivery AS4 1.14, 4.2",
        Expect::Error(CONTRADICTION),
        |forge| {
            forge.signed(&[
                edit(
                    "another sender",
                    ">{from}</eb:Property>",
                    ">9915:somebody-else</eb:Property>",
                ),
                edit(
                    "another receiver",
                    ">{to}</eb:Property>",
                    ">9915:somebody-else</eb:Property>",
                ),
            ])
        },
    ),
    reception(
        "A-13",
        "a message partition channel other than the default is refused",
        "A-13; AS4 profile 8",
        Expect::Error(HEADER),
        |forge| {
            forge.signed(&[edit(
                "another channel",
                "<eb:UserMessage>",
                "<eb:UserMessage mpc=\"urn:testbed:channel\">",
            )])
        },
    ),
    reception(
        "A-15",
        "the payload is announced with its type and compression",
        "A-15; AS4 profile 10",
        Expect::Error(&["EBMS:0004", "EBMS:0009", "EBMS:0010", "EBMS:0303"]),
        |forge| {
            forge.signed(&[
                edit(
                    "no MimeType",
                    "<eb:Property name=\"MimeType\">application/xml</eb:Property>",
                    "",
                ),
                edit(
                    "another CompressionType",
                    ">application/gzip</eb:Property>",
                    ">application/zip</eb:Property>",
                ),
                edit(
                    "an unknown CharacterSet",
                    "<eb:PartProperties>",
                    "<eb:PartProperties><eb:Property name=\"CharacterSet\">klingon</eb:Property>",
                ),
            ])
        },
    ),
    reception(
        "A-18a",
        "what correct peers write otherwise is taken: @role, ids that begin with a digit",
        "A-18; measured in the network",
        Expect::Receipt,
        habits,
    ),
    reception(
        "C-12",
        "clocks may differ by some minutes, and a message may be some days old",
        "C-12; A-04",
        Expect::Receipt,
        other_clocks,
    ),
];

fn pull(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut forged = forge.good()?;
    forged.cut("<eb:UserMessage>", "</eb:UserMessage>")?;
    let id = &forged.sent.message_id.clone();
    forged.edit(
        "</eb:Messaging>",
        &format!(
            "<eb:SignalMessage><eb:MessageInfo><eb:Timestamp>{}</eb:Timestamp><eb:MessageId>{id}\
             </eb:MessageId></eb:MessageInfo><eb:PullRequest></eb:PullRequest></eb:SignalMessage>\
             </eb:Messaging>",
            jiff::Timestamp::now()
        ),
    )?;
    forged.package.parts.clear();
    forged.resign(&forge.own, &Style::default())?;
    Ok(vec![forged.message(format!("pull request ({PROFILE} knows push only)"))])
}

fn two_messages(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    let mut twice = forge.good()?;
    let again = twice.cut("<eb:UserMessage>", "</eb:UserMessage>")?;
    twice.edit("</eb:Messaging>", &format!("{again}{again}</eb:Messaging>"))?;
    twice.resign(&forge.own, &Style::default())?;
    let mut without = forge.good()?;
    without.edit("<eb:UserMessage>", "")?.edit("</eb:UserMessage>", "")?;
    without.resign(&forge.own, &Style::default())?;
    let mut messages = vec![twice.message("two user messages"), without.message("none")];
    messages.extend(forge.signed(&[edit(
        "need not be understood",
        " S12:mustUnderstand=\"true\"><eb:UserMessage>",
        "><eb:UserMessage>",
    )])?);
    Ok(messages)
}

fn habits(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    const ROLE: &str = "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/defaultRole";
    let mut role = forge.good()?;
    let with_role = format!(" S12:role=\"{ROLE}\" S12:mustUnderstand=\"true\"><eb:UserMessage>");
    role.edit(" S12:mustUnderstand=\"true\"><eb:UserMessage>", &with_role)?;
    role.resign(&forge.own, &Style::default())?;
    let mut digit = forge.good()?;
    digit.edit("wsu:Id=\"_body\"", "wsu:Id=\"7f2c-body\"")?;
    digit.resign(&forge.own, &Style::default())?;
    let mut mpc = forge.good()?;
    let default = "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/defaultMPC";
    mpc.edit("<eb:UserMessage>", &format!("<eb:UserMessage mpc=\"{default}\">"))?;
    mpc.resign(&forge.own, &Style::default())?;
    Ok(vec![
        role.message("eb:Messaging/@role"),
        digit.message("an id that begins with a digit"),
        mpc.message("the default channel, named"),
    ])
}

fn other_clocks(forge: &Forge) -> Result<Vec<TestMessage>, ForgeError> {
    [("four minutes ahead", 4), ("an hour ago", -60), ("five days ago", -5 * 24 * 60)]
        .into_iter()
        .map(|(what, minutes)| {
            let mut draft = forge.draft()?;
            draft.message.timestamp += jiff::SignedDuration::from_mins(minutes);
            Ok(forge.seal(&draft)?.message(what))
        })
        .collect()
}
