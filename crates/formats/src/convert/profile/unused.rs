//! What the profiles of Factur-X do not use and their schemas let through: places that the rules of
//! the profile report. Made from those rules; what stands in another place than the schema has is
//! not in it.
//!
//! Source: the Schematron and the schemas of Factur-X 1.09.2 (ZUGFeRD 2.5.2).

mod extended;

use crate::writing::UnusedPlaces;

pub(super) use extended::EXTENDED;

/// Of MINIMUM.
pub(super) const MINIMUM: &[UnusedPlaces] = &[UnusedPlaces {
    within: &["ApplicableHeaderTradeAgreement/BuyerTradeParty"],
    names: &["PostalTradeAddress", "SpecifiedTaxRegistration"],
}];

/// Of BASIC WL.
pub(super) const BASIC_WL: &[UnusedPlaces] = &[
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument",
            "ApplicableHeaderTradeAgreement/ContractReferencedDocument",
            "ApplicableHeaderTradeDelivery/DespatchAdviceReferencedDocument",
        ],
        names: &["FormattedIssueDateTime"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerTradeParty/SpecifiedLegalOrganization",
            "ApplicableHeaderTradeSettlement/PayeeTradeParty/SpecifiedLegalOrganization",
        ],
        names: &["TradingBusinessName"],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty"],
        names: &["GlobalID", "ID", "SpecifiedLegalOrganization", "URIUniversalCommunication"],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeDelivery/ShipToTradeParty"],
        names: &[
            "SpecifiedLegalOrganization",
            "SpecifiedTaxRegistration",
            "URIUniversalCommunication",
        ],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeSettlement/PayeeTradeParty"],
        names: &["PostalTradeAddress", "SpecifiedTaxRegistration", "URIUniversalCommunication"],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge/CategoryTradeTax"],
        names: &[
            "BasisAmount",
            "CalculatedAmount",
            "DueDateTypeCode",
            "ExemptionReason",
            "ExemptionReasonCode",
        ],
    },
];

/// Of BASIC.
pub(super) const BASIC: &[UnusedPlaces] = &[
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument",
            "ApplicableHeaderTradeAgreement/ContractReferencedDocument",
            "ApplicableHeaderTradeDelivery/DespatchAdviceReferencedDocument",
        ],
        names: &["FormattedIssueDateTime"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerTradeParty/SpecifiedLegalOrganization",
            "ApplicableHeaderTradeSettlement/PayeeTradeParty/SpecifiedLegalOrganization",
        ],
        names: &["TradingBusinessName"],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty"],
        names: &["GlobalID", "ID", "SpecifiedLegalOrganization", "URIUniversalCommunication"],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeDelivery/ShipToTradeParty"],
        names: &[
            "SpecifiedLegalOrganization",
            "SpecifiedTaxRegistration",
            "URIUniversalCommunication",
        ],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeSettlement/PayeeTradeParty"],
        names: &["PostalTradeAddress", "SpecifiedTaxRegistration", "URIUniversalCommunication"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge/CategoryTradeTax",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/ApplicableTradeTax",
        ],
        names: &[
            "BasisAmount",
            "CalculatedAmount",
            "DueDateTypeCode",
            "ExemptionReason",
            "ExemptionReasonCode",
        ],
    },
    UnusedPlaces {
        within: &["IncludedSupplyChainTradeLineItem/AssociatedDocumentLineDocument/IncludedNote"],
        names: &["SubjectCode"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge",
        ],
        names: &["BasisAmount", "CalculationPercent", "CategoryTradeTax", "Reason", "ReasonCode"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/NetPriceProductTradePrice",
        ],
        names: &["AppliedTradeAllowanceCharge"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge",
        ],
        names: &["BasisAmount", "CalculationPercent", "CategoryTradeTax"],
    },
];

/// Of EN 16931 (COMFORT).
pub(super) const EN16931: &[UnusedPlaces] = &[
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument",
            "ApplicableHeaderTradeAgreement/ContractReferencedDocument",
            "ApplicableHeaderTradeAgreement/SellerOrderReferencedDocument",
            "ApplicableHeaderTradeDelivery/DespatchAdviceReferencedDocument",
            "ApplicableHeaderTradeDelivery/ReceivingAdviceReferencedDocument",
        ],
        names: &[
            "AttachmentBinaryObject",
            "FormattedIssueDateTime",
            "LineID",
            "Name",
            "ReferenceTypeCode",
            "TypeCode",
            "URIID",
        ],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeAgreement/BuyerTradeParty"],
        names: &["Description"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTradeParty/URIUniversalCommunication",
        ],
        names: &["CompleteNumber"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
        ],
        names: &["URIID"],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty"],
        names: &[
            "DefinedTradeContact",
            "Description",
            "GlobalID",
            "ID",
            "SpecifiedLegalOrganization",
            "URIUniversalCommunication",
        ],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeDelivery/ShipToTradeParty"],
        names: &[
            "DefinedTradeContact",
            "Description",
            "SpecifiedLegalOrganization",
            "SpecifiedTaxRegistration",
            "URIUniversalCommunication",
        ],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeSettlement/InvoiceReferencedDocument"],
        names: &[
            "AttachmentBinaryObject",
            "LineID",
            "Name",
            "ReferenceTypeCode",
            "TypeCode",
            "URIID",
        ],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeSettlement/PayeeTradeParty"],
        names: &[
            "DefinedTradeContact",
            "Description",
            "PostalTradeAddress",
            "SpecifiedTaxRegistration",
            "URIUniversalCommunication",
        ],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeSettlement/PayeeTradeParty/SpecifiedLegalOrganization"],
        names: &["TradingBusinessName"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge/CategoryTradeTax",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/ApplicableTradeTax",
        ],
        names: &[
            "BasisAmount",
            "CalculatedAmount",
            "DueDateTypeCode",
            "ExemptionReason",
            "ExemptionReasonCode",
            "TaxPointDate",
        ],
    },
    UnusedPlaces {
        within: &["IncludedSupplyChainTradeLineItem/AssociatedDocumentLineDocument/IncludedNote"],
        names: &["SubjectCode"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/BuyerOrderReferencedDocument",
        ],
        names: &[
            "AttachmentBinaryObject",
            "FormattedIssueDateTime",
            "IssuerAssignedID",
            "Name",
            "ReferenceTypeCode",
            "TypeCode",
            "URIID",
        ],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge",
        ],
        names: &["BasisAmount", "CalculationPercent", "CategoryTradeTax", "Reason", "ReasonCode"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/NetPriceProductTradePrice",
        ],
        names: &["AppliedTradeAllowanceCharge"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/AdditionalReferencedDocument",
        ],
        names: &["AttachmentBinaryObject", "FormattedIssueDateTime", "LineID", "Name", "URIID"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge",
        ],
        names: &["CategoryTradeTax"],
    },
];
