//! The operations of the SML by name: which service has them, under which address and action, and
//! which element asks.

use super::{BDMSL_NAMESPACE, LOCATOR_NAMESPACE};

/// A service of the SML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmlService {
    /// ManageServiceMetadata: the SMPs.
    Publishers,
    /// ManageBusinessIdentifier: their participants.
    Participants,
    /// BDMSL: what the software behind the SML offers besides: the change of an SMP's certificate,
    /// and what clients of that software call for their own sake.
    Certificates,
}

impl SmlService {
    /// What follows the base address of the SML's interface.
    pub fn path(self) -> &'static str {
        match self {
            SmlService::Publishers => "/manageservicemetadata",
            SmlService::Participants => "/manageparticipantidentifier",
            SmlService::Certificates => "/bdmslservice",
        }
    }

    /// The namespace of its messages.
    pub fn namespace(self) -> &'static str {
        match self {
            SmlService::Publishers | SmlService::Participants => LOCATOR_NAMESPACE,
            SmlService::Certificates => BDMSL_NAMESPACE,
        }
    }

    /// What stands before the name of the operation in `SOAPAction`. The nine blanks are in the
    /// published WSDL, and servers compare the whole text.
    fn action(self) -> &'static str {
        match self {
            SmlService::Publishers => {
                "http://busdox.org/serviceMetadata/ManageServiceMetadataService/1.0/:"
            }
            SmlService::Participants => {
                "http://busdox.org/serviceMetadata/ManageBusinessIdentifierService/1.0/         :"
            }
            SmlService::Certificates => "ec:services:wsdl:BDMSL:1.0:",
        }
    }
}

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmlOperation {
    /// Create of ManageServiceMetadata.
    CreatePublisher,
    /// Read of ManageServiceMetadata.
    ReadPublisher,
    /// Update of ManageServiceMetadata.
    UpdatePublisher,
    /// Delete of ManageServiceMetadata.
    DeletePublisher,
    /// Create of ManageBusinessIdentifier.
    Create,
    /// CreateList of ManageBusinessIdentifier.
    CreateList,
    /// Delete of ManageBusinessIdentifier.
    Delete,
    /// DeleteList of ManageBusinessIdentifier.
    DeleteList,
    /// List of ManageBusinessIdentifier.
    List,
    /// PrepareToMigrate of ManageBusinessIdentifier.
    PrepareToMigrate,
    /// Migrate of ManageBusinessIdentifier.
    Migrate,
    /// PrepareChangeCertificate of BDMSL.
    ChangeCertificate,
    /// CreateParticipantIdentifier of BDMSL.
    CreateAs,
    /// IsAlive of BDMSL.
    IsAlive,
}

/// A row of the table of operations.
#[derive(Debug)]
pub struct OperationRow {
    /// The operation.
    pub operation: SmlOperation,
    /// The service that has it.
    pub service: SmlService,
    /// The message of the WSDL, which ends the action.
    pub message: &'static str,
    /// The element that asks, of the namespace of the service.
    pub element: &'static str,
}

const fn row(
    operation: SmlOperation,
    service: SmlService,
    message: &'static str,
    element: &'static str,
) -> OperationRow {
    OperationRow { operation, service, message, element }
}

/// Every operation.
pub static OPERATIONS: &[OperationRow] = {
    use SmlOperation as O;
    use SmlService::{Certificates, Participants, Publishers};
    &[
        row(O::CreatePublisher, Publishers, "createIn", "CreateServiceMetadataPublisherService"),
        row(O::ReadPublisher, Publishers, "readIn", "ReadServiceMetadataPublisherService"),
        row(O::UpdatePublisher, Publishers, "updateIn", "UpdateServiceMetadataPublisherService"),
        row(O::DeletePublisher, Publishers, "deleteIn", "ServiceMetadataPublisherID"),
        row(O::Create, Participants, "createIn", "CreateParticipantIdentifier"),
        row(O::CreateList, Participants, "createListIn", "CreateList"),
        row(O::Delete, Participants, "deleteIn", "DeleteParticipantIdentifier"),
        row(O::DeleteList, Participants, "deleteListIn", "DeleteList"),
        row(O::List, Participants, "listIn", "PageRequest"),
        row(O::PrepareToMigrate, Participants, "prepareMigrateIn", "PrepareMigrationRecord"),
        row(O::Migrate, Participants, "migrateIn", "CompleteMigrationRecord"),
        row(
            O::ChangeCertificate,
            Certificates,
            "prepareChangeCertificateIn",
            "PrepareChangeCertificate",
        ),
        row(
            O::CreateAs,
            Certificates,
            "createParticipantIdentifierIn",
            "SMPAdvancedServiceForParticipantService",
        ),
        row(O::IsAlive, Certificates, "isAliveIn", "IsAlive"),
    ]
};

impl SmlOperation {
    /// Its row.
    pub fn row(self) -> &'static OperationRow {
        #[expect(clippy::indexing_slicing, reason = "done by the compiler")]
        const FIRST: &OperationRow = &OPERATIONS[0];
        // Every operation has a row; a test walks them.
        OPERATIONS.iter().find(|row| row.operation == self).unwrap_or(FIRST)
    }

    /// The service that has it.
    pub fn service(self) -> SmlService {
        self.row().service
    }

    /// The header `SOAPAction`, with its quotes.
    pub fn soap_action(self) -> String {
        format!("\"{}{}\"", self.service().action(), self.row().message)
    }

    /// The operation that this element of this namespace asks for.
    pub(super) fn of_element(namespace: &str, local: &str) -> Option<SmlOperation> {
        let is = |row: &&OperationRow| row.element == local && row.service.namespace() == namespace;
        OPERATIONS.iter().find(is).map(|row| row.operation)
    }
}
