//! What staffing adds in `UserArea`: references of the customer, numbers of the parties, the bank.

use quoin_model::en16931::{
    Amount, AttributeName, BlockedAccount, CreditTransfer, Derivation, DocumentReference, Field,
    Identifier, Invoice, ItemAttribute, Line, OrderLineReference, PaymentMeans, StaffingReference,
    StaffingRequirements, Text, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::{KVK, jurisdiction};
use super::{SetuWalk, dutch, name};
use crate::reading::implied;

/// Reads `UserArea` of the header.
pub(super) fn of_header<'d>(
    walk: &mut SetuWalk<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
) {
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "StaffingAdditionalData" => {
                walk.pass.open(child);
                for inner in child.elements() {
                    match name(inner) {
                        "CustomerReportingRequirements" => {
                            header_requirements(walk, invoice, inner);
                        }
                        "ReferenceInformation" => {
                            let all = references(walk, inner);
                            dutch(invoice).references.extend(all);
                        }
                        _ => walk.pass.unread(inner),
                    }
                }
            }
            "StaffingOrganization" => organization(walk, invoice, child),
            "StaffingOrganizationNL" => chamber(walk, invoice, child),
            _ => walk.pass.unread(child),
        }
    }
}

/// BT-10, BT-11, BT-13 and BT-19 are among what the customer wants to be told.
fn header_requirements<'d>(
    walk: &mut SetuWalk<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
) {
    let mut own = StaffingRequirements::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        let field = match name(child) {
            "PurchaseOrderNumber" => &mut invoice.references.purchase_order,
            "ProjectCode" => &mut invoice.references.project,
            "CustomerReferenceNumber" => {
                walk.pass.take(&mut invoice.buyer_reference, child);
                continue;
            }
            "CostCenterCode" => {
                walk.pass.take(&mut invoice.accounting_reference, child);
                continue;
            }
            "AdditionalRequirement" => {
                own.others.push(additional(walk, child));
                continue;
            }
            _ => {
                value(walk, &mut own, child);
                continue;
            }
        };
        let mut reference = DocumentReference::new(child);
        walk.pass.take(&mut reference.id, child);
        field.push(reference);
    }
    if !own.values.is_empty() || !own.others.is_empty() {
        dutch(invoice).requirements.push(own);
    }
}

/// Values whose element says what they are.
const VALUES: &[&str] = &[
    "ManagerName",
    "SupervisorName",
    "ContactName",
    "PurchaseOrderNumber",
    "DepartmentCode",
    "DepartmentName",
    "LocationCode",
    "LocationName",
    "CostCenterCode",
    "CostCenterName",
    "CustomerJobCode",
    "CustomerJobDescription",
    "AccountCode",
    "ProjectCode",
    "ExternalOrderNumber",
    "ExternalReqNumber",
    "Entity",
    "SubEntity",
    "Shift",
    "CustomerReferenceNumber",
    "PurchaseOrderLineItem",
];

fn value<'d>(walk: &mut SetuWalk<'d>, own: &mut StaffingRequirements<'d>, element: Element<'d>) {
    match VALUES.contains(&name(element)) {
        true => own.values.push(walk.pass.value(element)),
        false => walk.pass.unread(element),
    }
}

/// A text with its title.
fn additional<'d>(walk: &mut SetuWalk<'d>, element: Element<'d>) -> ItemAttribute<'d> {
    let mut own = ItemAttribute::new(element);
    let (text, title): (Text<'d>, _) = walk.with(element, "requirementTitle");
    own.value.push(text);
    own.name.extend(title.map(Text::from));
    own
}

/// All of what the customer wants to be told of a group of lines.
pub(super) fn requirements<'d>(
    walk: &mut SetuWalk<'d>,
    element: Element<'d>,
) -> StaffingRequirements<'d> {
    let mut own = StaffingRequirements::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "AdditionalRequirement" => own.others.push(additional(walk, child)),
            _ => value(walk, &mut own, child),
        }
    }
    own
}

/// BT-128, BT-132, BT-133 and BG-32 are among what the customer wants to be told of a line.
pub(super) fn of_line<'d>(
    walk: &mut SetuWalk<'d>,
    line: &mut Line<'d>,
    element: Element<'d>,
) -> StaffingRequirements<'d> {
    let mut own = StaffingRequirements::new(element);
    let (mut order, mut order_line) = (Vec::new(), None);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "PurchaseOrderLineItem" if order_line.is_none() => {
                let mut reference = OrderLineReference::new(child);
                walk.pass.take(&mut reference.line_id, child);
                order_line = Some(reference);
            }
            "PurchaseOrderNumber" => {
                let mut reference = DocumentReference::new(child);
                walk.pass.take(&mut reference.id, child);
                order.push(reference);
            }
            "CostCenterCode" => walk.pass.take(&mut line.accounting_reference, child),
            "AdditionalRequirement" => requirement(walk, line, &mut own, child),
            _ => value(walk, &mut own, child),
        }
    }
    if order_line.is_none()
        && let Some(first) = order.first()
    {
        order_line = Some(OrderLineReference::new(first.element));
    }
    if let Some(mut reference) = order_line {
        reference.order = order;
        line.order_lines.push(reference);
    }
    own
}

/// A requirement of a line with a title is an attribute of the item, or its time card.
fn requirement<'d>(
    walk: &mut SetuWalk<'d>,
    line: &mut Line<'d>,
    own: &mut StaffingRequirements<'d>,
    element: Element<'d>,
) {
    let one = additional(walk, element);
    let title = one.name.text().map(|title| title.into_owned());
    match (title.as_deref(), line.item.all_mut().first_mut()) {
        (Some("TimeCardId"), _) => {
            let mut document = DocumentReference::new(element);
            document.id.extend(one.value.iter().map(|value| Identifier::from(**value)));
            let kinds = one.name.iter().map(|name| name.saying(Derivation::Mapped, "130").into());
            document.type_code.extend(kinds);
            line.documents.push(document);
        }
        (Some(_), Some(item)) => item.attributes.push(one),
        _ => own.others.push(one),
    }
}

/// Numbers of parties and assignments, each with who gave it.
fn references<'d>(walk: &mut SetuWalk<'d>, element: Element<'d>) -> Vec<StaffingReference<'d>> {
    let mut all = Vec::new();
    walk.pass.open(element);
    for child in element.elements() {
        let mut own = StaffingReference::new(child);
        walk.pass.open_of(child, |one| one.namespace.is_empty() && one.local == "idOwner");
        let owner = ValueSource::attribute_called(child, "", "idOwner");
        own.owner.extend(owner.map(Into::into));
        for inner in child.elements() {
            match name(inner) {
                "IdValue" => walk.pass.take(&mut own.id, inner),
                _ => walk.pass.unread(inner),
            }
        }
        all.push(own);
    }
    all
}

/// BT-28, BG-17 and the blocked account, of the staffing company.
fn organization<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    walk.open_of(element, "typeOfOrganization", "Supplier");
    for child in element.elements() {
        match name(child) {
            "Organization" => {
                walk.pass.open(child);
                for inner in child.elements() {
                    match name(inner) {
                        "OrganizationName" => trading_name(walk, invoice, inner),
                        _ => walk.pass.unread(inner),
                    }
                }
            }
            "PaymentInfo" => payment(walk, invoice, child),
            _ => walk.pass.unread(child),
        }
    }
}

/// The name of the organisation is BT-28, where it is another name than BT-27.
fn trading_name<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let text = element.text().trim().to_owned();
    match invoice.seller.all_mut().first_mut() {
        Some(seller) if seller.name.is(&text) => walk.pass.derive(element, &text),
        Some(seller) => walk.pass.take(&mut seller.trading_name, element),
        None => walk.pass.unread(element),
    }
}

fn payment<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "BankAccountInfo" => {
                walk.pass.open(child);
                for inner in child.elements() {
                    match name(inner) {
                        "BankInfoByJurisdiction" => bank(walk, invoice, inner),
                        _ => walk.pass.unread(inner),
                    }
                }
            }
            "FinancialGuarantee" => guarantee(walk, invoice, child),
            _ => walk.pass.unread(child),
        }
    }
}

/// BG-17. SETU has accounts for transfers only.
fn bank<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut means = PaymentMeans::new(element);
    let mut account = CreditTransfer::new(element);
    let is_number = |one: &Element<'_>| one.local() == "BankAccountNumber";
    let number = element.elements().find(is_number).map(|one| one.text()).unwrap_or_default();
    let country = jurisdiction(&number);
    let is_told = element.attribute("bankJurisdiction") == Some(country.as_str());
    walk.open_of(element, "bankJurisdiction", if is_told { &country } else { "NL" });
    for child in element.elements() {
        match name(child) {
            "BankCode" => walk.pass.take(&mut account.provider, child),
            "BankAccountNumber" => walk.pass.take(&mut account.account, child),
            "BankAccountHolder" => walk.pass.take(&mut account.name, child),
            "BankAccountType" if child.text().trim() == "IBAN" => walk.pass.regenerate(child),
            "BankAccountType" => walk.pass.take(&mut account.account_type, child),
            // They are asked for, and say nothing in the Netherlands.
            "BankWindow" | "BankAccountKey" if child.text().trim().is_empty() => {
                walk.pass.regenerate(child);
            }
            _ => walk.pass.unread(child),
        }
    }
    means.credit_transfers.push(account);
    means.code.push(implied(element, "58"));
    invoice.payment.means.push(means);
}

/// What is paid to the blocked account.
fn guarantee<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut own = BlockedAccount::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Name" => walk.pass.take(&mut own.name, child),
            "Amount" => {
                let (amount, currency): (Amount<'d>, _) = walk.with(child, "currencyCode");
                let currency = currency.map(|one| (AttributeName::CurrencyId, one));
                let amount = walk.signed(amount.with(currency.as_slice()));
                own.amount.push(amount.into());
            }
            "Percent" => walk.pass.take(&mut own.percentage, child),
            _ => walk.pass.unread(child),
        }
    }
    dutch(invoice).blocked_account.push(own);
}

/// BT-30: the number of the chamber of commerce.
fn chamber<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut ids: Field<Identifier<'d>> = Field::default();
    walk.wrapped(&mut ids, element, &["ChamberofCommerceReference"]);
    let named = ids.iter().map(|id| {
        let scheme = id.saying(Derivation::Named, KVK);
        Identifier::from(id.with(&[(AttributeName::SchemeId, scheme)]))
    });
    match invoice.seller.all_mut().first_mut() {
        Some(seller) => seller.legal_registration.extend(named),
        None => {
            // Nobody has it.
            for id in &ids {
                walk.pass.read = walk.pass.read.saturating_sub(1);
                walk.pass.residue.push(crate::reading::DocumentLeaf::text_of(id.element()));
            }
        }
    }
}
