//! Answers of SMPs that are used again for a while, within a number of bytes: an answer can have
//! many, and whoever publishes it says how many. All live equally long, so that the oldest is the
//! next one to go, and none is looked for.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use quoin_peppol::identifiers::DocumentTypeId;
use quoin_peppol::smp::ServiceInformation;

use super::LookupReport;

/// How long metadata is used without asking again; a failed delivery forgets it at once.
pub(super) const LIFE: Duration = Duration::from_secs(300);
/// Bytes of what is kept, in all.
pub(super) const MOST: usize = 32 << 20;
/// What is read of an answer takes about as many bytes as the answer itself.
const WEIGHT: usize = 2;
/// What an answer takes besides: its keys and its places in the tables.
const OVERHEAD: usize = 1 << 10;
/// Places in line that may be empty before they are swept.
const EMPTY: usize = 1_024;

/// What was found, and how.
#[derive(Clone)]
pub(super) struct KeptAnswer {
    pub(super) information: Arc<ServiceInformation>,
    pub(super) report: LookupReport,
    /// When the SMP was asked for it.
    pub(super) asked: Instant,
}

impl KeptAnswer {
    fn bytes(&self) -> usize {
        let answers: usize = self.report.answers.iter().map(Bytes::len).sum();
        answers.saturating_mul(WEIGHT).saturating_add(OVERHEAD)
    }
}

/// Who asks anew about a receiver: one at a time, while the others wait for what it hears.
#[derive(Default)]
pub(super) struct Questions {
    turns: Mutex<HashMap<String, Weak<Turn>>>,
}

/// Whoever holds it asks.
pub(super) type Turn = tokio::sync::Mutex<()>;

impl Questions {
    /// The turn of those who ask about a document type of a participant.
    pub(super) fn of(&self, participant: &str, document_type: &DocumentTypeId) -> Arc<Turn> {
        let about = format!("{participant} {document_type}");
        let mut all = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = all.get(&about).and_then(Weak::upgrade) {
            return turn;
        }
        all.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::new(Turn::default());
        all.insert(about, Arc::downgrade(&turn));
        turn
    }
}

/// What is kept, by participant and document type.
pub(super) struct ReceiverMemory {
    most: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    of: HashMap<Arc<str>, HashMap<DocumentTypeId, Kept>>,
    count: usize,
    bytes: usize,
    /// In the order of keeping, with those that were forgotten or kept anew meanwhile.
    line: VecDeque<(u64, Arc<str>, DocumentTypeId)>,
    next: u64,
}

struct Kept {
    number: u64,
    on: Instant,
    answer: KeptAnswer,
}

impl ReceiverMemory {
    /// A memory of so many bytes.
    pub(super) fn new(most: usize) -> ReceiverMemory {
        ReceiverMemory { most, state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a document type of a participant.
    pub(super) fn get(
        &self,
        participant: &str,
        document_type: &DocumentTypeId,
        now: Instant,
    ) -> Option<KeptAnswer> {
        let state = self.lock();
        let kept = state.of.get(participant)?.get(document_type)?;
        (now.duration_since(kept.on) < LIFE).then(|| kept.answer.clone())
    }

    /// Keeps an answer; what is too old goes, and what is oldest where there is no room for it.
    pub(super) fn keep(
        &self,
        (participant, document_type): (&str, &DocumentTypeId),
        answer: KeptAnswer,
        now: Instant,
    ) {
        let bytes = answer.bytes();
        let mut state = self.lock();
        state.remove(participant, document_type);
        state.make_room(self.most.saturating_sub(bytes), now);
        if bytes > self.most {
            return;
        }
        let known = state.of.get_key_value(participant).map(|(name, _)| name.clone());
        let name = known.unwrap_or_else(|| participant.into());
        let number = state.next;
        state.next += 1;
        let kept = Kept { number, on: now, answer };
        state.of.entry(name.clone()).or_default().insert(document_type.clone(), kept);
        state.line.push_back((number, name, document_type.clone()));
        state.count += 1;
        state.bytes += bytes;
    }

    /// Forgets what is kept of a participant.
    pub(super) fn forget(&self, participant: &str) {
        let mut state = self.lock();
        let Some(gone) = state.of.remove(participant) else { return };
        state.count -= gone.len();
        state.bytes -= gone.values().map(|kept| kept.answer.bytes()).sum::<usize>();
    }
}

impl State {
    fn remove(&mut self, participant: &str, document_type: &DocumentTypeId) {
        let Some(own) = self.of.get_mut(participant) else { return };
        if let Some(gone) = own.remove(document_type) {
            self.count -= 1;
            self.bytes -= gone.answer.bytes();
        }
        if own.is_empty() {
            self.of.remove(participant);
        }
    }

    /// Lets go of what is too old, and of the oldest until no more than so many bytes are kept.
    fn make_room(&mut self, most: usize, now: Instant) {
        while let Some((number, participant, document_type)) = self.line.front() {
            let own = self.of.get(participant).and_then(|own| own.get(document_type));
            if let Some(kept) = own.filter(|kept| kept.number == *number) {
                if now.duration_since(kept.on) < LIFE && self.bytes <= most {
                    break;
                }
                let (participant, document_type) = (participant.clone(), document_type.clone());
                self.remove(&participant, &document_type);
            }
            self.line.pop_front();
        }
        if self.line.len() > self.count * 2 + EMPTY {
            let of = &self.of;
            self.line.retain(|(number, participant, document_type)| {
                let own = of.get(participant).and_then(|own| own.get(document_type));
                own.is_some_and(|kept| kept.number == *number)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: &Bytes) -> KeptAnswer {
        let information = ServiceInformation {
            participant: "iso6523-actorid-upis::0106:1".parse().unwrap(),
            document_type: document_type(),
            processes: Vec::new(),
        };
        let report = LookupReport { answers: vec![bytes.clone()], ..LookupReport::default() };
        KeptAnswer { information: Arc::new(information), report, asked: Instant::now() }
    }

    fn document_type() -> DocumentTypeId {
        "busdox-docid-qns::urn:a::B##c::2.1".parse().unwrap()
    }

    #[test]
    fn what_is_kept_has_a_limit_in_bytes_and_in_time() {
        let (kept, of, begun) = (ReceiverMemory::new(MOST), document_type(), Instant::now());
        let large = Bytes::from(vec![b'x'; 100 << 10]);
        for round in 0..2 {
            let now = begun + LIFE * round;
            for number in 0..5_000 {
                let participant = format!("0106:{round}{number}");
                kept.keep((&participant, &of), answer(&large), now);
                assert!(kept.lock().bytes <= MOST);
            }
            assert!(kept.get(&format!("0106:{round}4999"), &of, now).is_some());
            assert!(kept.get(&format!("0106:{round}0"), &of, now).is_none(), "it was the oldest");
        }
        // Long after, whatever is kept next is all that is left.
        let later = begun + LIFE * 3;
        kept.keep(("0106:1", &of), answer(&Bytes::new()), later);
        let state = kept.lock();
        assert_eq!((state.count, state.bytes, state.line.len()), (1, OVERHEAD, 1));
    }

    #[test]
    fn those_who_ask_about_one_receiver_have_one_turn() {
        let (questions, of) = (Questions::default(), document_type());
        let turn = questions.of("0106:1", &of);
        assert!(Arc::ptr_eq(&turn, &questions.of("0106:1", &of)));
        assert!(!Arc::ptr_eq(&turn, &questions.of("0106:2", &of)));
        drop(turn);
        questions.of("0106:3", &of);
        assert_eq!(questions.turns.lock().unwrap().len(), 1, "who waits for nobody is forgotten");
    }

    #[test]
    fn one_is_forgotten_and_the_line_is_swept() {
        let (kept, of, now) = (ReceiverMemory::new(MOST), document_type(), Instant::now());
        kept.keep(("0106:1", &of), answer(&Bytes::new()), now);
        for _ in 0..EMPTY * 10 {
            kept.keep(("0106:2", &of), answer(&Bytes::new()), now);
            kept.forget("0106:2");
        }
        assert!(kept.get("0106:2", &of, now).is_none() && kept.get("0106:1", &of, now).is_some());
        assert!(kept.get("0106:1", &of, now + LIFE).is_none());
        let state = kept.lock();
        assert_eq!((state.count, state.bytes), (1, OVERHEAD));
        assert!(state.line.len() <= EMPTY + 3, "{}", state.line.len());
    }

    #[test]
    fn what_is_larger_than_all_of_it_is_not_kept() {
        let (kept, of, now) = (ReceiverMemory::new(10 << 10), document_type(), Instant::now());
        kept.keep(("0106:1", &of), answer(&Bytes::from(vec![b'x'; 10 << 10])), now);
        assert!(kept.get("0106:1", &of, now).is_none());
        assert_eq!(kept.lock().bytes, 0);
    }
}
