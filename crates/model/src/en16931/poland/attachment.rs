//! Tables that go with an invoice of FA(3).

use crate::en16931::group::group;
use crate::en16931::{Code, Field, Text};

group! {
    /// `BlokDanych`.
    PolishDataBlock {
        /// `ZNaglowek`.
        title: Field<Text<'d>>,
        /// `MetaDane`.
        metadata: Vec<PolishMetadata<'d>>,
        /// `Tekst`.
        text: Vec<PolishParagraphs<'d>>,
        /// `Tabela`.
        tables: Vec<PolishDataTable<'d>>,
    }
}

group! {
    /// `MetaDane`.
    PolishMetadata {
        /// `ZKlucz`.
        key: Field<Text<'d>>,
        /// `ZWartosc`.
        value: Field<Text<'d>>,
    }
}

group! {
    /// `Tekst`.
    PolishParagraphs {
        /// `Akapit`.
        paragraphs: Field<Text<'d>>,
    }
}

group! {
    /// `Tabela`.
    PolishDataTable {
        /// `TMetaDane`.
        metadata: Vec<PolishTableMetadata<'d>>,
        /// `Opis`.
        description: Field<Text<'d>>,
        /// `TNaglowek`.
        header: Vec<PolishColumns<'d>>,
        /// `Wiersz`.
        rows: Vec<PolishRow<'d>>,
        /// `Suma`.
        sum: Vec<PolishSum<'d>>,
    }
}

group! {
    /// `TMetaDane`.
    PolishTableMetadata {
        /// `TKlucz`.
        key: Field<Text<'d>>,
        /// `TWartosc`.
        value: Field<Text<'d>>,
    }
}

group! {
    /// `TNaglowek`.
    PolishColumns {
        /// `Kol`.
        columns: Vec<PolishColumn<'d>>,
    }
}

group! {
    /// `Kol`.
    PolishColumn {
        /// `Typ`: what the cells are.
        kind: Field<Code<'d>>,
        /// `NKom`.
        name: Field<Text<'d>>,
    }
}

group! {
    /// `Wiersz`.
    PolishRow {
        /// `WKom`.
        cells: Field<Text<'d>>,
    }
}

group! {
    /// `Suma`.
    PolishSum {
        /// `SKom`.
        cells: Field<Text<'d>>,
    }
}
