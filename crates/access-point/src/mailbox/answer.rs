//! The answer to a mail that is refused: to whom may send, never to programs, in five languages,
//! and no more of them than somebody reads.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::SystemTime;

use jiff::{SignedDuration, Timestamp};
use lettre::Message;
use lettre::message::SinglePart;
use lettre::message::header::{HeaderName, HeaderValue};
use quoin_model::Language;

use super::letter::InboundLetter;
use crate::mail::{Senders, mailbox};

/// Answers to one sender, and of one hook, in an hour.
const TO_ONE: usize = 5;
const OF_A_HOOK: usize = 60;
/// Senders that are remembered.
const SENDERS: usize = 10_000;

/// Why a mail is refused, and what its answer is named.
#[derive(Debug, Clone, Copy)]
pub struct LetterRefusal<'a> {
    /// The reason, for people.
    pub reason: &'a str,
    /// The id to ask about.
    pub id: &'a str,
    /// The language of the answer.
    pub language: Language,
    /// When.
    pub now: Timestamp,
}

/// The words of an answer: subject, first line, how the reason is named, what to do, the id.
struct AnswerWords {
    subject: &'static str,
    first: &'static str,
    reason: &'static str,
    advice: &'static str,
    id: &'static str,
}

/// The words in a language.
fn words(language: Language) -> AnswerWords {
    match language {
        Language::En => AnswerWords {
            subject: "Not sent:",
            first: "The document in your mail was not sent.",
            reason: "Reason:",
            advice: "Correct it and send it again in a new mail. This answer was written by a \
                     program; nobody reads what is sent back to it.",
            id: "If you ask about it, name:",
        },
        Language::Nl => AnswerWords {
            subject: "Niet verzonden:",
            first: "Het document in uw e-mail is niet verzonden.",
            reason: "Reden:",
            advice: "Herstel het en stuur het opnieuw in een nieuwe e-mail. Dit antwoord is door een \
                     programma geschreven; niemand leest wat ernaar wordt teruggestuurd.",
            id: "Als u ernaar vraagt, noem:",
        },
        Language::De => AnswerWords {
            subject: "Nicht gesendet:",
            first: "Das Dokument in Ihrer E-Mail wurde nicht gesendet.",
            reason: "Grund:",
            advice: "Berichtigen Sie es und senden Sie es in einer neuen E-Mail noch einmal. Diese \
                     Antwort hat ein Programm geschrieben; niemand liest, was dorthin geantwortet wird.",
            id: "Wenn Sie danach fragen, nennen Sie:",
        },
        Language::Fr => AnswerWords {
            subject: "Non envoyé :",
            first: "Le document contenu dans votre message n’a pas été envoyé.",
            reason: "Motif :",
            advice: "Corrigez-le et renvoyez-le dans un nouveau message. Cette réponse a été écrite \
                     par un programme ; personne ne lit ce qui y est répondu.",
            id: "Pour toute question, indiquez :",
        },
        Language::Pl => AnswerWords {
            subject: "Nie wysłano:",
            first: "Dokument z Państwa wiadomości nie został wysłany.",
            reason: "Powód:",
            advice: "Proszę go poprawić i wysłać ponownie w nowej wiadomości. Tę odpowiedź napisał \
                     program; nikt nie czyta odpowiedzi na nią.",
            id: "W razie pytań proszę podać:",
        },
    }
}

/// Writes the answer; none where its sender has no address that mail goes to.
pub fn answer(
    letter: &InboundLetter,
    refusal: &LetterRefusal<'_>,
    senders: &Senders,
) -> Option<Message> {
    let words = words(refusal.language);
    let to = mailbox(letter.from.as_deref()?).ok()?;
    let header = |name: &str, value: &str| {
        let name = HeaderName::new_from_ascii(name.to_owned()).ok()?;
        Some(HeaderValue::new(name, value.to_owned()))
    };
    let mut builder = Message::builder()
        .from(senders.from.clone())
        .to(to)
        .date(SystemTime::from(refusal.now))
        .message_id(Some(format!("<{}@{}>", refusal.id, senders.from.email.domain())))
        .subject(format!("{} {}", words.subject, letter.subject).trim().to_owned())
        .raw_header(header("Auto-Submitted", "auto-replied")?)
        .raw_header(header("X-Auto-Response-Suppress", "All")?);
    if let Some(id) = &letter.message_id {
        builder = builder.in_reply_to(id.clone()).references(id.clone());
    }
    let AnswerWords { first, reason, advice, id, .. } = words;
    let text = format!(
        "{first}\r\n\r\n{reason} {}\r\n\r\n{advice}\r\n\r\n{id} {}\r\n",
        refusal.reason.replace('\n', "\r\n"),
        refusal.id
    );
    builder.singlepart(SinglePart::plain(text)).ok()
}

/// How many answers were given lately. Forgotten with the process, which then gives no more than as
/// many again.
#[derive(Debug, Default)]
pub struct AnswerLimits(Mutex<HashMap<String, Vec<Timestamp>>>);

impl AnswerLimits {
    /// Whether a hook may answer a sender now; counted where it may.
    pub fn may_answer(&self, hook: &str, sender: &str, now: Timestamp) -> bool {
        let mut given = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let since = now.saturating_sub(SignedDuration::from_hours(1)).unwrap_or(Timestamp::MIN);
        given.retain(|_, times| {
            times.retain(|time| *time > since);
            !times.is_empty()
        });
        let one = format!("{hook}\0{sender}");
        let count =
            |given: &HashMap<String, Vec<Timestamp>>, key: &str| given.get(key).map_or(0, Vec::len);
        let fits = count(&given, &one) < TO_ONE
            && count(&given, hook) < OF_A_HOOK
            && given.len() < SENDERS;
        if fits {
            given.entry(one).or_default().push(now);
            given.entry(hook.to_owned()).or_default().push(now);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mailbox::MailFromAction;

    fn letter() -> InboundLetter {
        let action = MailFromAction::parse("mailfrom://u@h.example?from=example.org").unwrap();
        let mail =
            "From: A <a@example.org>\r\nSubject: Bill\r\nMessage-ID: <1@example.org>\r\n\r\nx";
        InboundLetter::read(mail.as_bytes(), &action).unwrap()
    }

    #[test]
    fn an_answer_is_in_the_language_of_the_hook_and_starts_no_loop() {
        let senders =
            Senders { from: mailbox("Quoin <quoin@example.net>").unwrap(), domains: Vec::new() };
        for language in Language::ALL {
            let reason = "One.\nTwo.";
            let refusal =
                LetterRefusal { reason, id: "0192", language, now: Timestamp::UNIX_EPOCH };
            let mail = answer(&letter(), &refusal, &senders).unwrap();
            let text = String::from_utf8(mail.formatted()).unwrap();
            for line in [
                "To: a@example.org\r\n",
                "In-Reply-To: <1@example.org>\r\n",
                "References: <1@example.org>\r\n",
                "Message-ID: <0192@example.net>\r\n",
                "Auto-Submitted: auto-replied\r\n",
                "X-Auto-Response-Suppress: All\r\n",
            ] {
                assert!(text.contains(line), "{language:?}: {line} is not in {text}");
            }
        }
    }

    #[test]
    fn nobody_is_flooded_with_answers() {
        let limits = AnswerLimits::default();
        let now = Timestamp::UNIX_EPOCH;
        let times =
            |sender: &str, now| (0..10).filter(|_| limits.may_answer("hook", sender, now)).count();
        assert_eq!(times("a@example.org", now), 5);
        assert_eq!(times("b@example.org", now), 5);
        let later = now + SignedDuration::from_mins(61);
        assert_eq!(times("a@example.org", later), 5);
        let all: usize = (0..20).map(|one| times(&format!("{one}@example.org"), later)).sum();
        assert_eq!(all, 55, "of one hook");
    }
}
