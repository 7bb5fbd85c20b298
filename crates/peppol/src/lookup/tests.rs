//! What each observation means for the delivery.

use super::*;

#[test]
fn statuses_of_an_smp() {
    let group = LookupError::of_service_group_status(404);
    assert_eq!(group, LookupError::NotRegistered(NotRegistered::UnknownToSmp));
    assert!(group.is_alarm() && !group.is_temporary());
    let metadata = LookupError::of_service_metadata_status(404);
    assert_eq!(metadata, LookupError::UnsupportedDocumentType);
    assert!(!metadata.is_alarm() && !metadata.is_temporary());
    // c_28: a page of maintenance leads elsewhere for a while.
    for status in [500, 502, 503, 429, 301, 302, 307, 308] {
        assert!(LookupError::of_service_metadata_status(status).is_temporary(), "{status}");
    }
    for status in [400, 403] {
        let error = LookupError::of_service_group_status(status);
        assert_eq!(error, LookupError::SmpStatus { status });
        assert!(!error.is_temporary() && error.is_alarm());
    }
    assert!(LookupError::DnsTrouble { what: "SERVFAIL".to_owned() }.is_temporary());
    assert!(!LookupError::NotRegistered(NotRegistered::NoName).is_temporary());
}
