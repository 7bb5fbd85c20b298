//! What each channel needs and carries, as the interface tells it: a row each.

use quoin_delivery::hook::ActionKind;

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
    /// The kind of hook.
    pub kind: ActionKind,
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

const fn needed(name: &'static str, place: &'static str, meaning: &'static str) -> ChannelNeed {
    ChannelNeed { name, place, is_secret: false, is_required: true, meaning }
}

const fn may(name: &'static str, place: &'static str, meaning: &'static str) -> ChannelNeed {
    ChannelNeed { name, place, is_secret: false, is_required: false, meaning }
}

const fn secret(need: ChannelNeed) -> ChannelNeed {
    ChannelNeed { is_secret: true, ..need }
}

const AS_IT_IS: &str = "Every format that is taken for sending; the document travels as it is.";

const NOTHING_RECEIVED: &str = "Nothing is handed on.";
const MODE: ChannelNeed = may("mode", "action", "production or test");

/// Every channel, in the order of [`quoin_delivery::channel::CHANNELS`].
pub const MANUALS: &[ChannelManual] = &[
    ChannelManual {
        kind: ActionKind::Peppol,
        example: "peppol",
        needs: &[needed(
            "registration",
            "operator",
            "a sender that is registered, and a receiver that is",
        )],
        formats: "What the SMP of the receiver offers; a document in another format is converted.",
        received: "Documents arrive by it; nothing is handed on.",
        doubles: "Nothing: a repeat has the same message id and is not delivered again.",
        guide: "docs/guides/first-invoice.md",
    },
    ChannelManual {
        kind: ActionKind::Mail,
        example: "mailto:books@example.org?page=true",
        needs: &[
            needed("server", "operator", "the mail server of the service, section [mail]"),
            may(
                "address",
                "action",
                "addresses with commas between; without one, the address that \
                                      the document names",
            ),
            may("page", "action", "whether the page of the document is the body of the mail"),
            may("tokenUrl", "init", "of a mailbox (mailfrom://): where its token is fetched"),
            may("clientId", "init", "of a mailbox: the client of OAuth 2.0"),
            secret(may("clientSecret", "init", "of a mailbox: what that client shows")),
            secret(may("refreshToken", "init", "of a mailbox: what somebody allowed that client")),
        ],
        formats: AS_IT_IS,
        received: "A mail for each event, with the document where includeAttachment is true.",
        doubles: "A mail that was taken in an attempt without an answer; it has the same Message-ID.",
        guide: "docs/guides/mail.md",
    },
    ChannelManual {
        kind: ActionKind::Sftp,
        example: "sftp://user@files.example.org/in?hostKey=SHA256:KEY",
        needs: &[
            needed("user@host/folder", "action", "account, server and folder"),
            needed(
                "hostKey",
                "action",
                "the fingerprint of the server's key, once you confirmed it",
            ),
            may("filename", "action", "the name of the files"),
            secret(needed("login", "#", "the password or the private key")),
        ],
        formats: AS_IT_IS,
        received: "The document is written into the folder.",
        doubles: "A file that was renamed in an attempt without an answer; it has the same name.",
        guide: "docs/guides/sftp.md",
    },
    ChannelManual {
        kind: ActionKind::Web,
        example: "https://erp.example.org/documents",
        needs: &[
            needed("address", "action", "the address that documents are posted to"),
            secret(may("secret", "#", "signs the calls")),
            may("method", "init", "POST or PUT"),
            may("document", "init", "raw, multipart or json"),
            may("filename", "init", "the name of the file"),
            may("user", "init", "basic authentication, with password"),
            secret(may("password", "init", "beside user")),
            secret(may("bearerToken", "init", "a token that the server gave you")),
            may("tokenUrl", "init", "where a token is fetched, with clientId and clientSecret"),
            may("clientId", "init", "the client of OAuth 2.0"),
            secret(may("clientSecret", "init", "what that client shows")),
            may("clientAuthentication", "init", "basic or body"),
            may("scope", "init", "of the token"),
            may("audience", "init", "of the token"),
            may("clientCertificate", "init", "mutual TLS: the certificate with its chain, in PEM"),
            secret(may("clientKey", "init", "the private key of that certificate, in PEM")),
            may("serverAuthorities", "init", "authorities to believe besides the public ones"),
        ],
        formats: AS_IT_IS,
        received: "The document where init.document says how, else the event.",
        doubles: "A call without an answer is made again with the same Idempotency-Key and bytes.",
        guide: "docs/guides/https.md",
    },
    ChannelManual {
        kind: ActionKind::Cxml,
        example: "cxml://network.example.org/cxml?from=NetworkID:AN01&to=NetworkID:AN02",
        needs: &[
            needed("host/path", "action", "where messages are posted"),
            needed("from", "action", "your credential, DOMAIN:IDENTITY"),
            needed("to", "action", "that of the buyer"),
            may("sender", "action", "who hands the message over, where that is another one"),
            may("buyer", "action", "the buyer as a participant, for what comes in"),
            MODE,
            may("testEndpoint", "action", "where messages of the test environment are posted"),
            may("testFrom", "action", "from in the test environment, where it is another one"),
            may("testTo", "action", "to in the test environment, where it is another one"),
            may("testSender", "action", "sender in the test environment, where it is another one"),
            secret(needed("secret", "#", "the shared secret, or one for each environment")),
        ],
        formats: "cXML 1.2: invoices and orders, converted from any format that is read.",
        received: NOTHING_RECEIVED,
        doubles: "A message without an answer is sent again with the same payloadID and bytes.",
        guide: "docs/guides/cxml.md",
    },
    ChannelManual {
        kind: ActionKind::TradingNetwork,
        example: "tradingnetwork://network.example.org/cxml",
        needs: &[
            needed("host/path", "action", "where messages are posted"),
            needed("relationships", "init", "a row for each pair: supplier, buyer, their accounts"),
            MODE,
            may("testEndpoint", "action", "where messages of the test environment are posted"),
            secret(needed("secret", "#", "the shared secret, or one for each environment")),
        ],
        formats: "cXML 1.2: invoices and orders, converted from any format that is read.",
        received: NOTHING_RECEIVED,
        doubles: "A message without an answer is sent again with the same payloadID and bytes.",
        guide: "docs/guides/cxml.md",
    },
    ChannelManual {
        kind: ActionKind::Dico,
        example: "dico://network.example.org/dico?applicationId=my-erp",
        needs: &[
            needed("host/path", "action", "where messages are posted"),
            needed("applicationId", "action", "the application that sends"),
            may("header", "action", "the header that carries the key"),
            MODE,
            may("testEndpoint", "action", "where messages of the test environment are posted"),
            secret(needed("key", "#", "the key of the application, or one for each environment")),
        ],
        formats: "DICO: SALES005 and the order messages, converted from any format that is read.",
        received: NOTHING_RECEIVED,
        doubles: "A message without an answer is sent again with the same id and bytes.",
        guide: "docs/guides/dico.md",
    },
    ChannelManual {
        kind: ActionKind::Collaboration,
        example: "collaboration://platform.example.org/in?from=-0003:XC1",
        needs: &[
            needed("host/path", "action", "where documents are posted"),
            may("from", "action", "who sends, -0003:XC…; else the sender of the document"),
            may("sendInstruction", "action", "what is to be done with a document that says none"),
            MODE,
            may("testEndpoint", "action", "where documents of the test environment are posted"),
            secret(needed("token", "#", "the token of the platform, or one for each environment")),
        ],
        formats: AS_IT_IS,
        received: NOTHING_RECEIVED,
        doubles: "A document without an answer is sent again with the same id and bytes.",
        guide: "docs/guides/collaboration.md",
    },
];
