//! What may have arrived is sent again as it was, whatever the receiver takes by now.

use quoin_lab::lab::network::RECEIVER;
use quoin_store::{AttemptOutcome, PublishedService};

use super::{ANY, BILLING, CORE_CII, only};
use crate::repeats::same_ids;
use crate::stage::gate::{Act, Gate};
use crate::stage::{Stage, until};

const BIS: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
     Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_may_have_arrived_is_sent_again() {
    let stage = Stage::set().await;
    let gate = Gate::open(&stage, &stage.two.as4_url, &[Act::LoseAnswer]).await;
    let play = stage
        .play_with(|one, two| {
            // Time for the receiver to take something else.
            one.retry.delivery_seconds = vec![5.0; 7];
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), gate.url.clone());
        })
        .await;
    only(&play, &[(CORE_CII, ANY)]).await;
    let id = play.send("CONVERTED-AGAIN").await;
    until("the answer is lost", async || (play.attempts(&id).await.len() == 1).then_some(())).await;
    // From now on it takes the document as it was uploaded, too.
    let organisation = play.stage.receiver.organisation.parse().unwrap();
    let store = &play.two.parts.store;
    let taken = store.services_of(RECEIVER).await.unwrap();
    let service = PublishedService {
        document_type: BIS.to_owned(),
        process: BILLING.to_owned(),
        ..taken[0].clone()
    };
    assert_eq!(service.organisation, organisation);
    store.put_services(vec![service]).await.unwrap();
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    assert_eq!(ending.payload["details"]["targetDocumentTypeId"], CORE_CII);
    assert_eq!(same_ids(&play, &id).await, [AttemptOutcome::Later, AttemptOutcome::Delivered]);
    assert_eq!(gate.gate.seen().len(), 2);
    assert_eq!(play.arrived().await.len(), 1);
}
