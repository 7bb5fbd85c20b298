//! What a dossier holds follows from the document, and from nothing else.

use super::*;

/// A page of an organisation, on the threads of a pool.
async fn paged(pool: &Pool, document: &'static [u8]) -> Result<Vec<String>, Busy> {
    let mut parts = OrderedParts::default();
    parts.add(names::DOCUMENT, document);
    page(&mut parts, pool, "acme").await?;
    Ok(parts.0.into_iter().map(|(name, _)| name).collect())
}

#[tokio::test]
async fn a_busy_machine_makes_no_dossier_without_its_page() {
    let (invoice, pool) = (quoin_formats::samples::INVOICE.as_bytes(), Pool::of(1));
    assert_eq!(paged(&pool, invoice).await.unwrap(), [names::DOCUMENT, names::PAGE]);
    assert_eq!(paged(&pool, b"no XML").await.unwrap(), [names::DOCUMENT], "it cannot be shown");

    let held = pool.enter(Purpose::ValidateNow, "acme").await.unwrap();
    let mut waits = tokio::task::JoinSet::new();
    // More than may wait: the last ones hear it at once.
    for _ in 0..64 {
        let pool = pool.clone();
        waits.spawn(async move { paged(&pool, invoice).await });
    }
    let refused = waits.join_next().await.unwrap().unwrap();
    assert!(matches!(refused, Err(Busy::Full(_))), "{refused:?}");
    drop(held);
    for done in waits.join_all().await {
        match done {
            Ok(names) => assert_eq!(names, [names::DOCUMENT, names::PAGE]),
            Err(busy) => assert!(matches!(busy, Busy::Full(_)), "{busy}"),
        }
    }
}
