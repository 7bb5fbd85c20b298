//! What the profiles of Factur-X do not use and their schemas let through: places that the rules of
//! the profile report. Made from those rules; what stands in another place than the schema has is
//! not in it.
//!
//! Source: the Schematron and the schemas of Factur-X 1.09.2 (ZUGFeRD 2.5.2).

use crate::writing::UnusedPlaces;

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

/// Of EXTENDED.
pub(super) const EXTENDED: &[UnusedPlaces] = &[
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerAgentTradeParty",
            "ApplicableHeaderTradeAgreement/BuyerTaxRepresentativeTradeParty",
            "ApplicableHeaderTradeAgreement/ProductEndUserTradeParty",
            "ApplicableHeaderTradeAgreement/SalesAgentTradeParty",
            "ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty",
            "ApplicableHeaderTradeDelivery/ShipFromTradeParty",
            "ApplicableHeaderTradeDelivery/ShipToTradeParty",
            "ApplicableHeaderTradeDelivery/UltimateShipToTradeParty",
            "ApplicableHeaderTradeSettlement/InvoiceeTradeParty",
            "ApplicableHeaderTradeSettlement/InvoicerTradeParty",
            "ApplicableHeaderTradeSettlement/PayeeTradeParty",
            "ApplicableHeaderTradeSettlement/PayerTradeParty",
            "ApplicableHeaderTradeSettlement/SpecifiedTradePaymentTerms/PayeeTradeParty",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/ShipToTradeParty",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/UltimateShipToTradeParty",
        ],
        names: &["Description"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerAgentTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerAgentTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerTaxRepresentativeTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerTaxRepresentativeTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/ProductEndUserTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/ProductEndUserTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SalesAgentTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SalesAgentTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeDelivery/ShipFromTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeDelivery/ShipFromTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeDelivery/ShipToTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeDelivery/ShipToTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeDelivery/UltimateShipToTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeDelivery/UltimateShipToTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/InvoiceeTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/InvoiceeTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/InvoicerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/InvoicerTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/PayeeTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/PayeeTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/PayerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/PayerTradeParty/URIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/SpecifiedTradePaymentTerms/PayeeTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "ApplicableHeaderTradeSettlement/SpecifiedTradePaymentTerms/PayeeTradeParty/URIUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/ItemSellerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/ItemSellerTradeParty/URIUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/ShipToTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/ShipToTradeParty/URIUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/UltimateShipToTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/UltimateShipToTradeParty/URIUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct/ManufacturerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct/ManufacturerTradeParty/URIUniversalCommunication",
        ],
        names: &["CompleteNumber"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerAgentTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerAgentTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerTaxRepresentativeTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerTaxRepresentativeTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeAgreement/BuyerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeAgreement/ProductEndUserTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeAgreement/ProductEndUserTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SalesAgentTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SalesAgentTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeAgreement/SellerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeDelivery/ShipFromTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeDelivery/ShipFromTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeDelivery/ShipToTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeDelivery/ShipToTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeDelivery/UltimateShipToTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeDelivery/UltimateShipToTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeSettlement/InvoiceeTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeSettlement/InvoiceeTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeSettlement/InvoicerTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeSettlement/InvoicerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeSettlement/PayeeTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeSettlement/PayeeTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeSettlement/PayerTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeSettlement/PayerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "ApplicableHeaderTradeSettlement/SpecifiedTradePaymentTerms/PayeeTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "ApplicableHeaderTradeSettlement/SpecifiedTradePaymentTerms/PayeeTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/ItemSellerTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/ItemSellerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/ShipToTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/ShipToTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/UltimateShipToTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/UltimateShipToTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct/ManufacturerTradeParty/DefinedTradeContact/FaxUniversalCommunication",
            "IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct/ManufacturerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication",
        ],
        names: &["URIID"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument",
            "ApplicableHeaderTradeAgreement/QuotationReferencedDocument",
            "ApplicableHeaderTradeAgreement/SellerOrderReferencedDocument",
            "ApplicableHeaderTradeAgreement/UltimateCustomerOrderReferencedDocument",
            "ApplicableHeaderTradeDelivery/DeliveryNoteReferencedDocument",
            "ApplicableHeaderTradeDelivery/DespatchAdviceReferencedDocument",
            "ApplicableHeaderTradeDelivery/ReceivingAdviceReferencedDocument",
        ],
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
        within: &["ApplicableHeaderTradeAgreement/ContractReferencedDocument"],
        names: &["AttachmentBinaryObject", "LineID", "Name", "TypeCode", "URIID"],
    },
    UnusedPlaces {
        within: &["ApplicableHeaderTradeSettlement/BillingSpecifiedPeriod"],
        names: &["CompleteDateTime"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeSettlement/InvoiceReferencedDocument",
            "ApplicableHeaderTradeSettlement/SpecifiedAdvancePayment/InvoiceSpecifiedReferencedDocument",
        ],
        names: &["AttachmentBinaryObject", "LineID", "Name", "ReferenceTypeCode", "URIID"],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeSettlement/SpecifiedAdvancePayment/IncludedTradeTax",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/NetPriceProductTradePrice/IncludedTradeTax",
        ],
        names: &[
            "AllowanceChargeBasisAmount",
            "BasisAmount",
            "DueDateTypeCode",
            "LineTotalBasisAmount",
            "TaxPointDate",
        ],
    },
    UnusedPlaces {
        within: &[
            "ApplicableHeaderTradeSettlement/SpecifiedLogisticsServiceCharge/AppliedTradeTax",
            "ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge/CategoryTradeTax",
        ],
        names: &[
            "AllowanceChargeBasisAmount",
            "BasisAmount",
            "CalculatedAmount",
            "DueDateTypeCode",
            "LineTotalBasisAmount",
            "TaxPointDate",
        ],
    },
    UnusedPlaces {
        within: &["ExchangedDocument/EffectiveSpecifiedPeriod"],
        names: &["Description", "EndDateTime", "StartDateTime"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/BuyerOrderReferencedDocument",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/ContractReferencedDocument",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/QuotationReferencedDocument",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/SellerOrderReferencedDocument",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/UltimateCustomerOrderReferencedDocument",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/DeliveryNoteReferencedDocument",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/DespatchAdviceReferencedDocument",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/ReceivingAdviceReferencedDocument",
        ],
        names: &["AttachmentBinaryObject", "Name", "ReferenceTypeCode", "TypeCode", "URIID"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/GrossPriceProductTradePrice",
        ],
        names: &["IncludedTradeTax"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge",
        ],
        names: &["BasisQuantity", "CategoryTradeTax", "SequenceNumeric"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeAgreement/ItemSellerTradeParty/SpecifiedLegalOrganization",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/ShipToTradeParty/SpecifiedLegalOrganization",
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/UltimateShipToTradeParty/SpecifiedLegalOrganization",
            "IncludedSupplyChainTradeLineItem/SpecifiedTradeProduct/ManufacturerTradeParty/SpecifiedLegalOrganization",
        ],
        names: &["PostalTradeAddress"],
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
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/ApplicableTradeTax",
        ],
        names: &[
            "AllowanceChargeBasisAmount",
            "BasisAmount",
            "LineTotalBasisAmount",
            "TaxPointDate",
        ],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/BillingSpecifiedPeriod",
        ],
        names: &["CompleteDateTime", "Description"],
    },
    UnusedPlaces {
        within: &[
            "IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/InvoiceReferencedDocument",
        ],
        names: &["AttachmentBinaryObject", "Name", "ReferenceTypeCode", "URIID"],
    },
];
