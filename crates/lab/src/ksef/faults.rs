//! What is to go wrong, planned by a test: the next calls of a kind, the next session, the next
//! invoices.

/// Something that is to go wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KsefFault {
    /// So many calls whose `METHOD path` begins so are answered with a status, and nothing is
    /// done.
    Refuse {
        /// As in `POST sessions/batch`.
        call: String,
        /// 429 comes with `Retry-After`.
        status: u16,
        /// How often.
        times: u32,
    },
    /// So many calls are refused with 400 and a code of the system, and nothing is done. A `*`
    /// stands for anything, as in `GET sessions/*/upo`.
    RefuseWith {
        /// As in `POST sessions/batch`.
        call: String,
        /// As in 21178.
        code: u32,
        /// How often.
        times: u32,
    },
    /// So many calls do not get through: something before the system answers them with a status
    /// and a page of its own.
    Gateway {
        /// As in `GET sessions`.
        call: String,
        /// As in 404.
        status: u16,
        /// How often.
        times: u32,
    },
    /// So many calls are done, and the answer is lost: the client is told 502.
    Lose {
        /// As in `POST sessions/batch`.
        call: String,
        /// How often.
        times: u32,
    },
    /// So many calls are answered with other bytes than there are.
    Alter {
        /// As in `GET invoices/ksef`.
        call: String,
        /// How often.
        times: u32,
    },
    /// The next call whose `METHOD path` begins so waits until [`super::KsefLab::let_go`].
    Hold {
        /// As in `POST sessions/batch`.
        call: String,
    },
    /// The next session that is closed ends with this status.
    Session(u16),
    /// The next package of invoices that is asked for ends with this status.
    Export(u16),
    /// The next invoice with this number of the seller ends with this status.
    Invoice {
        /// `P_2`.
        number: String,
        /// The status.
        code: u16,
    },
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlannedCall {
    Refused(u16),
    RefusedWith(u32),
    Gateway(u16),
    Lost,
    Altered,
}

/// Whether a call is one of those that a fault is about.
fn is_of(call: &str, begin: &str) -> bool {
    match begin.split_once('*') {
        Some((begin, end)) => call.starts_with(begin) && call.ends_with(end),
        None => call.starts_with(begin),
    }
}

/// The plan.
#[derive(Debug, Default)]
pub(super) struct FaultPlan {
    faults: Vec<KsefFault>,
}

impl FaultPlan {
    pub(super) fn add(&mut self, fault: KsefFault) {
        self.faults.push(fault);
    }

    /// What becomes of a call; it is counted.
    pub(super) fn call(&mut self, call: &str) -> Option<PlannedCall> {
        let (at, planned) =
            self.faults.iter_mut().enumerate().find_map(|(at, fault)| match fault {
                KsefFault::Refuse { call: begin, status, times } if call.starts_with(&**begin) => {
                    *times = times.saturating_sub(1);
                    Some(((at, *times), PlannedCall::Refused(*status)))
                }
                KsefFault::RefuseWith { call: begin, code, times } if is_of(call, begin) => {
                    *times = times.saturating_sub(1);
                    Some(((at, *times), PlannedCall::RefusedWith(*code)))
                }
                KsefFault::Gateway { call: begin, status, times } if is_of(call, begin) => {
                    *times = times.saturating_sub(1);
                    Some(((at, *times), PlannedCall::Gateway(*status)))
                }
                KsefFault::Lose { call: begin, times } if call.starts_with(&**begin) => {
                    *times = times.saturating_sub(1);
                    Some(((at, *times), PlannedCall::Lost))
                }
                KsefFault::Alter { call: begin, times } if call.starts_with(&**begin) => {
                    *times = times.saturating_sub(1);
                    Some(((at, *times), PlannedCall::Altered))
                }
                _ => None,
            })?;
        if at.1 == 0 {
            self.faults.remove(at.0);
        }
        Some(planned)
    }

    /// Whether a call waits.
    pub(super) fn holds(&mut self, own: &str) -> bool {
        let is_held = |fault: &KsefFault| match fault {
            KsefFault::Hold { call } => own.starts_with(&**call),
            _ => false,
        };
        let at = self.faults.iter().position(is_held);
        at.map(|at| self.faults.remove(at)).is_some()
    }

    /// How the session that is closed now ends.
    pub(super) fn session(&mut self) -> Option<u16> {
        let is_session = |fault: &KsefFault| matches!(fault, KsefFault::Session(_));
        let at = self.faults.iter().position(is_session)?;
        match self.faults.remove(at) {
            KsefFault::Session(code) => Some(code),
            _ => None,
        }
    }

    /// How the package of invoices that is asked for now ends.
    pub(super) fn export(&mut self) -> Option<u16> {
        let is_export = |fault: &KsefFault| matches!(fault, KsefFault::Export(_));
        let at = self.faults.iter().position(is_export)?;
        match self.faults.remove(at) {
            KsefFault::Export(code) => Some(code),
            _ => None,
        }
    }

    /// How an invoice ends.
    pub(super) fn invoice(&mut self, own: &str) -> Option<u16> {
        let is_own =
            |fault: &KsefFault| matches!(fault, KsefFault::Invoice { number, .. } if number == own);
        let at = self.faults.iter().position(is_own)?;
        match self.faults.remove(at) {
            KsefFault::Invoice { code, .. } => Some(code),
            _ => None,
        }
    }
}
