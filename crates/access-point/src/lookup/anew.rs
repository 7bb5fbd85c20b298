//! What is kept of earlier look-ups, and what is asked for anew: a document goes by what is kept,
//! and ends by nothing that was not asked for since it came.

use std::sync::Arc;
use std::time::Instant;

use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::lookup::LookupError;
use quoin_peppol::smp::{EndpointRefusal, UsableEndpoint};

use super::kept::KeptAnswer;
use super::{Lookup, LookupReport};

impl Lookup {
    /// As [`Lookup::find`], telling how far it came.
    pub(super) async fn find_reporting(
        &self,
        participant: &ParticipantId,
        document_type: &DocumentTypeId,
        process: &ProcessId,
        report: &mut LookupReport,
    ) -> Result<UsableEndpoint, LookupError> {
        let asked = (participant, document_type, process);
        let begun = Instant::now();
        let Some(kept) = self.kept.get(&participant.folded(), document_type, begun) else {
            return self.find_at_present(asked, report).await;
        };
        let usable = self.usable_of_kept(kept, process, report).await;
        if usable.as_ref().err().is_none_or(EndpointRefusal::is_temporary) {
            return Ok(usable?);
        }
        // No is final for a document, so it is not said from memory: whoever comes with one has it
        // asked for anew, one at a time, and hears with it what was asked since it came.
        let turn = self.questions.of(&participant.folded(), document_type);
        let _turn = turn.lock().await;
        let kept = self.kept.get(&participant.folded(), document_type, Instant::now());
        if let Some(kept) = kept.filter(|kept| kept.asked >= begun) {
            return Ok(self.usable_of_kept(kept, process, report).await?);
        }
        // What is kept stays until there is more: whoever comes meanwhile waits for it here.
        let dns_name = std::mem::take(&mut report.dns_name);
        self.dns.forget(&dns_name);
        *report = LookupReport { dns_name, ..LookupReport::default() };
        let found = self.find_at_present(asked, report).await;
        let kept = self.kept.get(&participant.folded(), document_type, Instant::now());
        if found.as_ref().is_err_and(|no| !no.is_temporary())
            && kept.is_some_and(|kept| kept.asked < begun)
        {
            self.kept.forget(&participant.folded());
        }
        found
    }

    /// What an answer that was kept says.
    async fn usable_of_kept(
        &self,
        kept: KeptAnswer,
        process: &ProcessId,
        report: &mut LookupReport,
    ) -> Result<UsableEndpoint, EndpointRefusal> {
        *report = LookupReport { cached: true, ..kept.report };
        self.usable(&kept.information, process).await
    }

    /// Asks for what holds now.
    async fn find_at_present(
        &self,
        asked: (&ParticipantId, &DocumentTypeId, &ProcessId),
        report: &mut LookupReport,
    ) -> Result<UsableEndpoint, LookupError> {
        report.name_kept = self.dns.may_keep(&report.dns_name);
        let name_kept = report.name_kept;
        match self.find_anew(asked, report).await {
            Err(no) if name_kept && self.leads_elsewhere(asked.0, report, &no).await? => {
                self.find_anew(asked, report).await
            }
            found => found,
        }
    }

    /// Asks the SMP that the name leads to, and keeps what it says.
    async fn find_anew(
        &self,
        (participant, document_type, process): (&ParticipantId, &DocumentTypeId, &ProcessId),
        report: &mut LookupReport,
    ) -> Result<UsableEndpoint, LookupError> {
        let asked = Instant::now();
        let information = Arc::new(self.metadata(participant, document_type, report).await?);
        let answer = KeptAnswer { information: information.clone(), report: report.clone(), asked };
        let of = participant.folded();
        self.kept.keep((&of, document_type), answer, Instant::now());
        Ok(self.usable(&information, process).await?)
    }
}
