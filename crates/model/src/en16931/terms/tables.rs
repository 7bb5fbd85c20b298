//! Which term a field is where one structure serves several groups: parties and allowances.

/// The terms of a party in one role; `""` where the role has no such term.
pub(super) struct PartyTerms {
    pub name: &'static str,
    pub trading_name: &'static str,
    /// Identifier and scheme.
    pub identifier: [&'static str; 2],
    /// Identifier and scheme.
    pub legal_registration: [&'static str; 2],
    pub vat: &'static str,
    pub tax: &'static str,
    pub legal_information: &'static str,
    /// Identifier and scheme.
    pub endpoint: [&'static str; 2],
    /// Lines 1 to 3, city, post code, subdivision, country.
    pub address: [&'static str; 7],
    /// Name, telephone, e-mail.
    pub contact: [&'static str; 3],
}

const NONE: PartyTerms = PartyTerms {
    name: "",
    trading_name: "",
    identifier: ["", ""],
    legal_registration: ["", ""],
    vat: "",
    tax: "",
    legal_information: "",
    endpoint: ["", ""],
    address: [""; 7],
    contact: [""; 3],
};

/// BG-4 to BG-6.
pub(super) const SELLER: PartyTerms = PartyTerms {
    name: "BT-27",
    trading_name: "BT-28",
    identifier: ["BT-29", "BT-29-1"],
    legal_registration: ["BT-30", "BT-30-1"],
    vat: "BT-31",
    tax: "BT-32",
    legal_information: "BT-33",
    endpoint: ["BT-34", "BT-34-1"],
    address: ["BT-35", "BT-36", "BT-162", "BT-37", "BT-38", "BT-39", "BT-40"],
    contact: ["BT-41", "BT-42", "BT-43"],
};

/// BG-7 to BG-9.
pub(super) const BUYER: PartyTerms = PartyTerms {
    name: "BT-44",
    trading_name: "BT-45",
    identifier: ["BT-46", "BT-46-1"],
    legal_registration: ["BT-47", "BT-47-1"],
    vat: "BT-48",
    endpoint: ["BT-49", "BT-49-1"],
    address: ["BT-50", "BT-51", "BT-163", "BT-52", "BT-53", "BT-54", "BT-55"],
    contact: ["BT-56", "BT-57", "BT-58"],
    ..NONE
};

/// BG-10.
pub(super) const PAYEE: PartyTerms = PartyTerms {
    name: "BT-59",
    identifier: ["BT-60", "BT-60-1"],
    legal_registration: ["BT-61", "BT-61-1"],
    ..NONE
};

/// BG-11, BG-12.
pub(super) const TAX_REPRESENTATIVE: PartyTerms = PartyTerms {
    name: "BT-62",
    vat: "BT-63",
    address: ["BT-64", "BT-65", "BT-164", "BT-66", "BT-67", "BT-68", "BT-69"],
    ..NONE
};

/// BG-15.
pub(super) const DELIVER_TO: PartyTerms = PartyTerms {
    address: ["BT-75", "BT-76", "BT-165", "BT-77", "BT-78", "BT-79", "BT-80"],
    ..NONE
};

/// The terms of an allowance or charge.
pub(super) struct AllowanceTerms {
    pub amount: &'static str,
    pub base_amount: &'static str,
    pub percentage: &'static str,
    pub category: &'static str,
    pub rate: &'static str,
    pub reason: &'static str,
    pub reason_code: &'static str,
}

/// BG-20.
pub(super) const DOCUMENT_ALLOWANCE: AllowanceTerms = AllowanceTerms {
    amount: "BT-92",
    base_amount: "BT-93",
    percentage: "BT-94",
    category: "BT-95",
    rate: "BT-96",
    reason: "BT-97",
    reason_code: "BT-98",
};

/// BG-21.
pub(super) const DOCUMENT_CHARGE: AllowanceTerms = AllowanceTerms {
    amount: "BT-99",
    base_amount: "BT-100",
    percentage: "BT-101",
    category: "BT-102",
    rate: "BT-103",
    reason: "BT-104",
    reason_code: "BT-105",
};

/// BG-27.
pub(super) const LINE_ALLOWANCE: AllowanceTerms = AllowanceTerms {
    amount: "BT-136",
    base_amount: "BT-137",
    percentage: "BT-138",
    category: "",
    rate: "",
    reason: "BT-139",
    reason_code: "BT-140",
};

/// BG-28.
pub(super) const LINE_CHARGE: AllowanceTerms = AllowanceTerms {
    amount: "BT-141",
    base_amount: "BT-142",
    percentage: "BT-143",
    category: "",
    rate: "",
    reason: "BT-144",
    reason_code: "BT-145",
};
