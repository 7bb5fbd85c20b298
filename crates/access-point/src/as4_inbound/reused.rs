//! An identifier that was used again for another document.

use quoin_delivery::{AlarmKind, TransactionId};
use quoin_peppol::as4::ReceivedMessage;
use quoin_peppol::sbdh::Envelope;

use super::As4Door;

impl As4Door {
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
