//! Records of an SMP, cards and messages of the SML with much of something.

use quoin_testing::growth::Case;

use super::repeat;

/// Records of an SMP with much of something; one of each kind.
pub(super) const RECORDS: &[Case] = &[
    ("references", |n| {
        let head = "<ServiceGroup xmlns='http://busdox.org/serviceMetadata/publishing/1.0/' \
            xmlns:id='http://busdox.org/transport/identifiers/1.0/'><id:ParticipantIdentifier \
            scheme='iso6523-actorid-upis'>0106:1</id:ParticipantIdentifier>\
            <ServiceMetadataReferenceCollection>";
        let unit =
            "<ServiceMetadataReference href='https://a/b/services/busdox-docid-qns%3A%3Aa'/>";
        repeat(head, unit, "</ServiceMetadataReferenceCollection></ServiceGroup>", n)
    }),
    ("processes", |n| {
        let head = "<ServiceMetadata xmlns='http://busdox.org/serviceMetadata/publishing/1.0/' \
            xmlns:id='http://busdox.org/transport/identifiers/1.0/'><ServiceInformation>\
            <id:ParticipantIdentifier scheme='iso6523-actorid-upis'>0106:1\
            </id:ParticipantIdentifier>\
            <id:DocumentIdentifier scheme='busdox-docid-qns'>a::b##c::1</id:DocumentIdentifier>\
            <ProcessList>";
        let unit = "<Process><id:ProcessIdentifier scheme='cenbii-procid-ubl'>p</id:ProcessIdentifier>\
            <ServiceEndpointList/></Process>";
        repeat(head, unit, "</ProcessList></ServiceInformation></ServiceMetadata>", n)
    }),
    ("contacts of a card", |n| {
        let head = "<BusinessCard xmlns='http://www.peppol.eu/schema/pd/businesscard/20180621/'>\
            <ParticipantIdentifier scheme='iso6523-actorid-upis'>0106:1</ParticipantIdentifier>\
            <BusinessEntity><Name name='a'/><CountryCode>NL</CountryCode>";
        repeat(
            head,
            "<Contact type='t' name='n' email='a@b.c'/>",
            "</BusinessEntity></BusinessCard>",
            n,
        )
    }),
    ("participants at the SML", |n| {
        let head = "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Body>\
            <PageRequest xmlns='http://busdox.org/serviceMetadata/locator/1.0/' \
            xmlns:id='http://busdox.org/transport/identifiers/1.0/'>";
        let unit = "<id:ParticipantIdentifier scheme='iso6523-actorid-upis'>0106:1\
            </id:ParticipantIdentifier>";
        repeat(head, unit, "</PageRequest></S:Body></S:Envelope>", n)
    }),
];
