//! `UserArea`: references of the customer, numbers of the parties, the bank of the seller.

use quoin_model::en16931::{
    CreditTransfer, Field, Identifier, Invoice, ItemAttribute, Line, PaymentMeans,
    StaffingReference, StaffingRequirements, Text, ValueSource,
};

use super::super::codes::{HOUR_TYPE, KVK, is_iban, jurisdiction};
use super::{EURO, kept, plain, units};
use crate::writing::{InvoiceOutput, OutputAttribute, WrittenSign, documents};

/// The elements of `CustomerReportingRequirements` before and after its free texts, in order.
const BEFORE: &[(&str, &str)] = &[
    ("ManagerName", "nl:ManagerName"),
    ("SupervisorName", "nl:SupervisorName"),
    ("ContactName", "nl:ContactName"),
    ("PurchaseOrderNumber", "nl:PurchaseOrderNumber"),
    ("DepartmentCode", "nl:DepartmentCode"),
    ("DepartmentName", "nl:DepartmentName"),
    ("LocationCode", "nl:LocationCode"),
    ("LocationName", "nl:LocationName"),
    ("CostCenterCode", "nl:CostCenterCode"),
    ("CostCenterName", "nl:CostCenterName"),
    ("CustomerJobCode", "nl:CustomerJobCode"),
    ("CustomerJobDescription", "nl:CustomerJobDescription"),
    ("AccountCode", "nl:AccountCode"),
    ("ProjectCode", "nl:ProjectCode"),
    ("ExternalOrderNumber", "nl:ExternalOrderNumber"),
    ("ExternalReqNumber", "nl:ExternalReqNumber"),
    ("Entity", "nl:Entity"),
    ("SubEntity", "nl:SubEntity"),
    ("Shift", "nl:Shift"),
    ("CustomerReferenceNumber", "nl:CustomerReferenceNumber"),
];

/// A value of the customer by the name of its element.
type CustomerValue<'d> = (&'static str, ValueSource<'d>);

/// Writes the inside of `UserArea` of the header.
pub(super) fn of_header<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    let references = &invoice.references;
    let filler = references.filler_of_order();
    let order = references.purchase_order.first().filter(|_| filler.is_none());
    let mut named: Vec<CustomerValue<'d>> = Vec::new();
    let mut add =
        |name, source: Option<ValueSource<'d>>| named.extend(source.map(|one| (name, one)));
    add("PurchaseOrderNumber", order.and_then(|one| one.id.filled()).map(|id| *id));
    add("CostCenterCode", invoice.accounting_reference.filled().map(|text| *text));
    let project = references.project.first();
    add("ProjectCode", project.and_then(|one| one.id.filled()).map(|id| *id));
    add("CustomerReferenceNumber", invoice.buyer_reference.filled().map(|text| *text));
    if let Some(filler) = filler {
        out.ledger.regenerate(*filler);
    }
    if let Some(project) = project {
        out.ledger.implied_document(project, documents::TENDER);
    }
    let more = invoice.extensions.netherlands.as_deref();
    let own = more.map(|more| more.requirements.as_slice()).unwrap_or_default();
    let ids = more.map(|more| more.references.as_slice()).unwrap_or_default();
    out.group("nl:StaffingAdditionalData", |out| {
        out.group("nl:CustomerReportingRequirements", |out| {
            values(out, &named, own, &[]);
        });
        out.group("nl:ReferenceInformation", |out| numbers(out, ids));
    });
    organization(out, invoice, sign);
    chamber(out, invoice);
}

/// Writes the inside of `CustomerReportingRequirements`.
fn values<'d>(
    out: &mut InvoiceOutput<'d>,
    named: &[CustomerValue<'d>],
    own: &[StaffingRequirements<'d>],
    attributes: &[&ItemAttribute<'d>],
) {
    let others = own.iter().flat_map(|one| &one.values);
    let others: Vec<(&str, ValueSource<'d>)> =
        others.map(|value| (value.element().local(), **value)).collect();
    for (local, name) in BEFORE {
        let known = named.iter().copied().find(|(known, _)| known == local);
        let other = others.iter().copied().find(|(known, _)| known == local);
        if let Some((_, source)) = known.or(other) {
            kept(out, name, source);
        }
    }
    let free = own.iter().flat_map(|one| &one.others);
    for one in free.chain(attributes.iter().copied()) {
        requirement(out, one);
    }
    let last = "PurchaseOrderLineItem";
    let known = named.iter().copied().find(|(known, _)| *known == last);
    let other = others.iter().copied().find(|(known, _)| *known == last);
    if let Some((_, source)) = known.or(other) {
        kept(out, "nl:PurchaseOrderLineItem", source);
    }
}

/// A text with its title.
fn requirement<'d>(out: &mut InvoiceOutput<'d>, one: &ItemAttribute<'d>) {
    let Some(value) = one.value.filled() else { return };
    let title = one.name.filled().map(|name| OutputAttribute::Carried(*name));
    out.attributed("nl:AdditionalRequirement", value, &[("requirementTitle", title)]);
}

/// Numbers of parties and assignments.
fn numbers<'d>(out: &mut InvoiceOutput<'d>, all: &[StaffingReference<'d>]) {
    const NAMES: &[(&str, &str)] = &[
        ("OrderId", "nl:OrderId"),
        ("PositionId", "nl:PositionId"),
        ("IntermediaryId", "nl:IntermediaryId"),
        ("StaffingSupplierId", "nl:StaffingSupplierId"),
        ("StaffingCustomerId", "nl:StaffingCustomerId"),
        ("MasterOrderId", "nl:MasterOrderId"),
        ("HumanResourceId", "nl:HumanResourceId"),
        ("AssignmentId", "nl:AssignmentId"),
        ("DocumentId", "nl:DocumentId"),
        ("StaffingSupplierOrgUnitId", "nl:StaffingSupplierOrgUnitId"),
        ("StaffingCustomerOrgUnitId", "nl:StaffingCustomerOrgUnitId"),
        ("InvoiceId", "nl:InvoiceId"),
        ("BillToEntityId", "nl:BillToEntityId"),
        ("StaffingOrganizationId", "nl:StaffingOrganizationId"),
    ];
    for (local, name) in NAMES {
        for one in all.iter().filter(|one| one.element.local() == *local) {
            let owner = one.owner.filled().map(|owner| OutputAttribute::Carried(*owner));
            out.tagged(name, &[("idOwner", owner)], |out| out.each("nl:IdValue", &one.id));
        }
    }
}

/// BT-28 and BG-17.
fn organization<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    let Some(seller) = invoice.seller.first() else { return };
    let account = means(invoice, out.ledger.in_own_words);
    let trading = seller.trading_name.filled();
    let guarantee = invoice.extensions.netherlands.as_deref();
    let guarantee = guarantee.and_then(|more| more.blocked_account.first());
    if account.is_none() && trading.is_none() && guarantee.is_none() {
        return;
    }
    let is_other = trading.filter(|name| !seller.name.is(&name.trimmed()));
    let kind = OutputAttribute::Constant("Supplier");
    out.tagged("nl:StaffingOrganization", &[("typeOfOrganization", Some(kind))], |out| {
        out.group("nl:Organization", |out| match (is_other, seller.name.filled()) {
            (Some(name), _) => kept(out, "nl:OrganizationName", *name),
            (None, Some(name)) => out.constant("nl:OrganizationName", &name.trimmed(), &[]),
            (None, None) => {}
        });
        out.group("nl:PaymentInfo", |out| {
            if let Some((means, account)) = account {
                out.group("nl:BankAccountInfo", |out| bank(out, means, account));
            }
            let Some(guarantee) = guarantee else { return };
            out.group("nl:FinancialGuarantee", |out| {
                match guarantee.name.filled() {
                    Some(name) => kept(out, "nl:Name", *name),
                    None => out.constant("nl:Name", "G-account", &[]),
                }
                let Some(amount) = guarantee.amount.filled() else { return };
                let text = out.signed("nl:Amount", *amount, sign);
                let own = amount.currency().map_or(EURO.into(), |own| own.trimmed());
                out.constant("nl:Amount", &text, &[("currencyCode", &own)]);
                amount.currency().iter().for_each(|own| out.ledger.carry(**own));
            });
        });
    });
}

/// The first account that has an IBAN; within SETU the first.
fn means<'i, 'd>(
    invoice: &'i Invoice<'d>,
    is_own: bool,
) -> Option<(&'i PaymentMeans<'d>, &'i CreditTransfer<'d>)> {
    invoice.payment.means.iter().find_map(|means| {
        let fits = |one: &&CreditTransfer<'d>| {
            one.account.text().is_some_and(|text| is_own || is_iban(&text))
        };
        Some((means, means.credit_transfers.iter().find(fits)?))
    })
}

/// BG-17; BT-81 is a transfer of SEPA to readers.
fn bank<'d>(out: &mut InvoiceOutput<'d>, means: &PaymentMeans<'d>, account: &CreditTransfer<'d>) {
    const NAME: &str = "nl:BankInfoByJurisdiction";
    let number = account.account.text().unwrap_or_default();
    let country = jurisdiction(&number);
    let attribute = OutputAttribute::Constant(&country);
    out.tagged(NAME, &[("bankJurisdiction", Some(attribute))], |out| {
        let empty = |out: &mut InvoiceOutput<'d>, name| out.constant(name, "", &[]);
        let id = |out: &mut InvoiceOutput<'d>, name, words: &[&str], field: &Field<_>| {
            let Some(id): Option<Identifier<'d>> = field.filled() else {
                return empty(out, name);
            };
            out.kept(name, &id.trimmed(), *id);
            // What the element is of, it says itself.
            let scheme = id.scheme().filter(|own| words.contains(&&*own.trimmed()));
            scheme.iter().for_each(|own| out.ledger.regenerate(*own));
        };
        id(out, "nl:BankCode", &["BIC", "SWIFT"], &account.provider);
        empty(out, "nl:BankWindow");
        id(out, "nl:BankAccountNumber", &["IBAN"], &account.account);
        empty(out, "nl:BankAccountKey");
        match account.account_type.filled().filter(|_| out.ledger.in_own_words) {
            Some(kind) => kept(out, "nl:BankAccountType", *kind),
            None => out.constant("nl:BankAccountType", "IBAN", &[]),
        }
        plain(out, "nl:BankAccountHolder", &account.name);
    });
    if out.ledger.in_own_words {
        return;
    }
    let reason = "an account is paid by a transfer of SEPA in the target";
    match means.code.filled() {
        Some(code) if code.is("58") => out.ledger.carry(*code),
        Some(code) => {
            let path = Some(out.path_of(NAME));
            out.ledger.list(*code, crate::writing::LossKind::Changed, path, reason);
        }
        None => out.implied(NAME, "58", means.element, Some("BT-81"), reason),
    }
}

/// BT-30, where it is a number of the Dutch chamber of commerce: eight or twelve digits.
fn chamber<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    const NAME: &str = "nl:ChamberofCommerceReference";
    let Some(seller) = invoice.seller.first() else { return };
    let Some(id) = seller.legal_registration.filled() else { return };
    let in_netherlands = seller.country().is_some_and(|country| country.is("NL"));
    let text = id.trimmed();
    let is_number = matches!(text.len(), 8 | 12) && text.bytes().all(|byte| byte.is_ascii_digit());
    let scheme = id.scheme().filter(|scheme| !scheme.is_blank());
    let fits = match scheme {
        Some(scheme) => scheme.is(KVK),
        None => in_netherlands,
    };
    let has_place = out.ledger.in_own_words || fits && is_number;
    if !has_place {
        return;
    }
    out.group("nl:StaffingOrganizationNL", |out| out.kept(NAME, &text, *id));
    match scheme {
        Some(scheme) => out.ledger.carry(scheme),
        None => {
            let reason = "it is a number of the Dutch chamber of commerce";
            out.implied(NAME, KVK, id.element(), Some("BT-30-1"), reason);
        }
    }
}

/// `UserArea` of a line: BT-128, BT-132, BT-133 and BG-32.
pub(super) fn of_line<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, line: &Line<'d>) {
    let mut named: Vec<CustomerValue<'d>> = Vec::new();
    let order = line.order_lines.first();
    if let Some(order) = order {
        // FatturaPA names the contract of some lines as it names an order.
        let contracts = || invoice.references.contract.iter().flat_map(|one| one.id.iter());
        let whole = order.order.first().and_then(|order| order.id.filled());
        let whole = whole.filter(|id| !contracts().any(|own| **own == **id));
        named.extend(whole.map(|id| ("PurchaseOrderNumber", *id)));
        named.extend(order.line_id.filled().map(|id| ("PurchaseOrderLineItem", *id)));
    }
    let accounts = line.accounting_reference.filled();
    named.extend(accounts.map(|text| ("CostCenterCode", *text)));
    let more = line.extensions.as_deref().and_then(|more| more.netherlands.as_deref());
    let own = more.map(|more| more.requirements.as_slice()).unwrap_or_default();
    let is_written = |one: &&ItemAttribute<'d>| {
        let is_hours = units::hour_type(line).is_some_and(|hours| std::ptr::eq(hours, *one))
            && units::of_line(line).1 == super::super::codes::HOUR;
        let is_implied = out.ledger.in_own_words && one.name.is(HOUR_TYPE);
        !is_hours && !is_implied && !one.name.is("TimeCardId") && one.name.is_filled()
    };
    let attributes: Vec<&ItemAttribute<'d>> =
        line.item.iter().flat_map(|item| &item.attributes).filter(is_written).collect();
    out.group("UserArea", |out| {
        out.group("nl:StaffingAdditionalData", |out| {
            out.group("nl:CustomerReportingRequirements", |out| {
                let cards: Vec<ItemAttribute<'d>> =
                    line.invoiced_objects().take(1).filter_map(|one| card(out, one)).collect();
                let all: Vec<&ItemAttribute<'d>> =
                    cards.iter().chain(attributes.iter().copied()).collect();
                values(out, &named, own, &all);
            });
        });
    });
}

/// BT-128 as a requirement with the title that says what it is.
fn card<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &quoin_model::en16931::DocumentReference<'d>,
) -> Option<ItemAttribute<'d>> {
    let id = one.id.filled()?;
    let mut own = ItemAttribute::new(one.element);
    own.value.push(Text::from(*id));
    let title =
        ValueSource::of(id.element()).saying(quoin_model::en16931::Derivation::Named, "TimeCardId");
    own.name.push(title.into());
    if !out.ledger.in_own_words {
        out.ledger.implied_document(one, documents::OBJECT);
    } else {
        one.type_code.iter().for_each(|code| out.ledger.carry(**code));
    }
    Some(own)
}

/// `UserArea` of a group of lines.
pub(super) fn of_group<'d>(
    out: &mut InvoiceOutput<'d>,
    own: &[StaffingRequirements<'d>],
    industry: &Field<quoin_model::en16931::Code<'d>>,
) {
    out.group("UserArea", |out| {
        out.group("nl:StaffingAdditionalData", |out| {
            out.group("nl:CustomerReportingRequirements", |out| values(out, &[], own, &[]));
        });
        if industry.is_filled() {
            let kind = OutputAttribute::Constant("Customer");
            out.tagged("nl:StaffingOrganization", &[("typeOfOrganization", Some(kind))], |out| {
                out.group("nl:Organization", |out| {
                    plain(out, "nl:IndustryCode", industry);
                });
            });
        }
    });
}
