//! A message with an identifier that is known: of a document that was taken, or of another one.

use quoin_delivery::repeats::{Repeat, RepeatedIdentifier};
use quoin_delivery::{AlarmKind, TransactionId};
use quoin_peppol::as4::ReceivedMessage;
use quoin_peppol::sbdh::Envelope;
use quoin_store::{ArrivalIdentifiers, RecordOutcome as Recorded};

use super::opening::EnvelopedDocument;
use super::{As4Door, Received, RejectReason};

/// What became of a message, and whose receipt is to be kept.
pub(super) type Acknowledged = (Received, Option<TransactionId>);

/// The same for a document that is with us already. The receipt that is kept is about the message
/// that brought it.
pub(super) fn repeated(existing: TransactionId, by: RepeatedIdentifier) -> Acknowledged {
    tracing::info!(%existing, ?by, "a repeated document gets its receipt again");
    (Received::Repeated, (by == RepeatedIdentifier::Message).then_some(existing))
}

impl As4Door {
    /// The receipt of a document that was taken before, and whose receiver is not served any more:
    /// a refusal would tell its sender that it was not delivered (AS4 profile of ebMS 3.0, section
    /// 3.2, reception awareness).
    pub(super) async fn taken_before(
        &self,
        received: &ReceivedMessage,
        letter: &EnvelopedDocument,
    ) -> Result<Option<Acknowledged>, RejectReason> {
        let header = &letter.envelope.sbdh;
        let ids = ArrivalIdentifiers {
            message_id: received.message.message_id.clone(),
            access_point: received.signer.common_name.clone(),
            instance_id: header.instance.clone(),
            sender: header.sender.folded(),
            receiver: header.receiver.to_string(),
        };
        let known = self.store.arrived_before(ids, letter.content.clone()).await?;
        Ok(match known {
            Some(Recorded::Known { existing, by, repeat: Repeat::Same }) => {
                Some(repeated(existing, by))
            }
            _ => None,
        })
    }

    /// Tells whoever runs the service of a document that came under an identifier of another one:
    /// its sender may take it for delivered.
    pub(super) async fn reused(
        &self,
        received: &ReceivedMessage,
        envelope: &Envelope,
        existing: &TransactionId,
        detail: &str,
    ) {
        let (seat, header) = (&received.signer.common_name, &envelope.sbdh);
        let (sender, receiver) = (header.sender.to_string(), header.receiver.to_string());
        let message = format!(
            "Access point {seat} sent a document of {sender} to {receiver} that was refused: \
             {detail}."
        );
        let details = [
            ("accessPoint", seat.as_str()),
            ("sender", &sender),
            ("recipient", &receiver),
            ("instanceIdentifier", &header.instance),
            ("messageId", &received.message.message_id),
            ("existing", existing.as_str()),
        ];
        let subject = format!("{seat} {}", header.instance);
        self.alarms.raise(AlarmKind::INSTANCE_REUSED, &subject, message, &details).await;
    }
}
