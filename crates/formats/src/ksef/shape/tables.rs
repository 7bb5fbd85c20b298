//! The tables.

use quoin_model::en16931::*;
use quoin_xml::tree::Element;

use super::super::name;
use super::FaPart;
use crate::reading::Pass;
use crate::writing::InvoiceOutput;

/// Declares groups: the name of each element, and its field. An element of several names is told
/// apart by its field.
macro_rules! groups {
    ($($group:ident { $($($name:literal)|+ $field:ident,)* })*) => {$(
        impl<'d> FaPart<'d> for Vec<$group<'d>> {
            fn take(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
                let mut own = $group::new(element);
                pass.open(element);
                for child in element.elements() {
                    match name(child) {
                        $($($name)|+ => FaPart::take(&mut own.$field, pass, child),)*
                        _ => pass.unread(child),
                    }
                }
                self.push(own);
            }

            fn again(&self, out: &mut InvoiceOutput<'d>, name: &'static str) {
                for own in self {
                    out.required_group(name, |out| {
                        $(FaPart::again(&own.$field, out, [$($name),+][0]);)*
                    });
                }
            }
        }
    )*};
}

groups! {
    PolishPeriod {
        "P_6_Od" start,
        "P_6_Do" end,
    }
    PolishBody {
        "KodWaluty" currency,
        "P_1" issued_on,
        "P_1M" issued_at,
        "P_2" number,
        "WZ" delivery_notes,
        "P_6" delivered_on,
        "OkresFa" period,
        "P_13_1" | "P_14_1" | "P_14_1W" | "P_13_2" | "P_14_2" | "P_14_2W" | "P_13_3" | "P_14_3"
            | "P_14_3W" | "P_13_4" | "P_14_4" | "P_14_4W" | "P_13_5" | "P_14_5" | "P_13_6_1"
            | "P_13_6_2" | "P_13_6_3" | "P_13_7" | "P_13_8" | "P_13_9" | "P_13_10"
            | "P_13_11" sums,
        "P_15" total,
        "KursWalutyZ" advance_rate,
        "Adnotacje" annotations,
        "RodzajFaktury" kind,
        "PrzyczynaKorekty" correction_reason,
        "TypKorekty" correction_effect,
        "DaneFaKorygowanej" corrected,
        "OkresFaKorygowanej" corrected_period,
        "NrFaKorygowany" right_number,
        "Podmiot1K" seller_before,
        "Podmiot2K" buyers_before,
        "P_15ZK" total_before,
        "KursWalutyZK" rate_before,
        "ZaliczkaCzesciowa" advance_parts,
        "FP" cash_register,
        "TP" related,
        "DodatkowyOpis" facts,
        "FakturaZaliczkowa" advances,
        "ZwrotAkcyzy" excise_refund,
        "FaWiersz" rows,
        "Rozliczenie" settlement,
        "Platnosc" payment,
        "WarunkiTransakcji" conditions,
        "Zamowienie" order,
    }
    PolishAnnotations {
        "P_16" cash_accounting,
        "P_17" self_billed,
        "P_18" reverse_charge,
        "P_18A" split_payment,
        "Zwolnienie" exemption,
        "NoweSrodkiTransportu" new_transport,
        "P_23" triangular,
        "PMarzy" margin,
    }
    PolishExemption {
        "P_19" applies,
        "P_19A" by_law,
        "P_19B" by_directive,
        "P_19C" by_other,
        "P_19N" none,
    }
    PolishNewTransport {
        "P_22" applies,
        "P_42_5" article_42,
        "NowySrodekTransportu" vehicles,
        "P_22N" none,
    }
    PolishVehicle {
        "P_22A" used_from,
        "P_NrWierszaNST" row,
        "P_22BMK" make,
        "P_22BMD" model,
        "P_22BK" colour,
        "P_22BNR" registration,
        "P_22BRP" year,
        "P_22B" distance,
        "P_22B1" vin,
        "P_22B2" body_number,
        "P_22B3" chassis,
        "P_22B4" frame,
        "P_22BT" kind,
        "P_22C" vessel_hours,
        "P_22C1" hull,
        "P_22D" aircraft_hours,
        "P_22D1" factory_number,
    }
    PolishMargin {
        "P_PMarzy" applies,
        "P_PMarzy_2" travel,
        "P_PMarzy_3_1" second_hand,
        "P_PMarzy_3_2" art,
        "P_PMarzy_3_3" antiques,
        "P_PMarzyN" none,
    }
    PolishCorrectedInvoice {
        "DataWystFaKorygowanej" issued_on,
        "NrFaKorygowanej" number,
        "NrKSeF" has_ksef_number,
        "NrKSeFFaKorygowanej" ksef_number,
        "NrKSeFN" outside_ksef,
    }
    PolishAdvancePart {
        "P_6Z" paid_on,
        "P_15Z" amount,
        "KursWalutyZW" rate,
    }
    PolishAdvanceInvoice {
        "NrKSeFZN" outside_ksef,
        "NrFaZaliczkowej" number,
        "NrKSeFFaZaliczkowej" ksef_number,
    }
    PolishInvoiceRow {
        "NrWierszaFa" number,
        "UU_ID" unique_id,
        "P_6A" delivered_on,
        "P_7" name,
        "Indeks" index,
        "GTIN" gtin,
        "PKWiU" pkwiu,
        "CN" nomenclature,
        "PKOB" pkob,
        "P_8A" unit,
        "P_8B" quantity,
        "P_9A" net_price,
        "P_9B" gross_price,
        "P_10" discount,
        "P_11" net,
        "P_11A" gross,
        "P_11Vat" vat,
        "P_12" rate,
        "P_12_XII" foreign_rate,
        "P_12_Zal_15" annex_15,
        "KwotaAkcyzy" excise,
        "GTU" group_code,
        "Procedura" procedure,
        "KursWaluty" exchange_rate,
        "StanPrzed" before,
    }
    PolishOrder {
        "WartoscZamowienia" value,
        "ZamowienieWiersz" rows,
    }
    PolishOrderRow {
        "NrWierszaZam" number,
        "UU_IDZ" unique_id,
        "P_7Z" name,
        "IndeksZ" index,
        "GTINZ" gtin,
        "PKWiUZ" pkwiu,
        "CNZ" nomenclature,
        "PKOBZ" pkob,
        "P_8AZ" unit,
        "P_8BZ" quantity,
        "P_9AZ" net_price,
        "P_11NettoZ" net,
        "P_11VatZ" vat,
        "P_12Z" rate,
        "P_12Z_XII" foreign_rate,
        "P_12Z_Zal_15" annex_15,
        "GTUZ" group_code,
        "ProceduraZ" procedure,
        "KwotaAkcyzyZ" excise,
        "StanPrzedZ" before,
    }
    PolishSettlement {
        "Obciazenia" charges,
        "SumaObciazen" charges_total,
        "Odliczenia" deductions,
        "SumaOdliczen" deductions_total,
        "DoZaplaty" due,
        "DoRozliczenia" to_settle,
    }
    PolishSettlementEntry {
        "Kwota" amount,
        "Powod" reason,
    }
    PolishPayment {
        "Zaplacono" is_paid,
        "DataZaplaty" paid_on,
        "ZnacznikZaplatyCzesciowej" part_mark,
        "ZaplataCzesciowa" parts,
        "TerminPlatnosci" due,
        "FormaPlatnosci" form,
        "PlatnoscInna" is_other,
        "OpisPlatnosci" text,
        "RachunekBankowy" accounts,
        "RachunekBankowyFaktora" factor_accounts,
        "Skonto" skonto,
        "LinkDoPlatnosci" link,
        "IPKSeF" ipksef,
    }
    PolishPartPayment {
        "KwotaZaplatyCzesciowej" amount,
        "DataZaplatyCzesciowej" paid_on,
        "FormaPlatnosci" form,
        "PlatnoscInna" is_other,
        "OpisPlatnosci" text,
    }
    PolishDue {
        "Termin" day,
        "TerminOpis" event,
    }
    PolishAccount {
        "NrRB" number,
        "SWIFT" swift,
        "RachunekWlasnyBanku" of_bank,
        "NazwaBanku" bank,
        "OpisRachunku" text,
    }
    PolishSkonto {
        "WarunkiSkonta" condition,
        "WysokoscSkonta" amount,
    }
    PolishConditions {
        "Umowy" agreements,
        "Zamowienia" orders,
        "NrPartiiTowaru" lots,
        "WarunkiDostawy" delivery,
        "KursUmowny" agreed_rate,
        "WalutaUmowna" agreed_currency,
        "Transport" transports,
        "PodmiotPosredniczacy" intermediary,
    }
    PolishAgreement {
        "DataUmowy" day,
        "NrUmowy" number,
    }
    PolishPurchaseOrder {
        "DataZamowienia" day,
        "NrZamowienia" number,
    }
    PolishTransport {
        "RodzajTransportu" kind,
        "TransportInny" is_other,
        "OpisInnegoTransportu" text,
        "Przewoznik" carrier,
        "NrZleceniaTransportu" order_number,
        "OpisLadunku" cargo,
        "LadunekInny" is_other_cargo,
        "OpisInnegoLadunku" cargo_text,
        "JednostkaOpakowania" packages,
        "DataGodzRozpTransportu" begins_at,
        "DataGodzZakTransportu" ends_at,
        "WysylkaZ" from,
        "WysylkaPrzez" through,
        "WysylkaDo" to,
    }
    PolishPartyIds {
        "NIP" nip,
        "IDWew" internal_id,
        "KodUE" eu_country,
        "NrVatUE" eu_number,
        "KodKraju" country,
        "NrID" other_id,
        "BrakID" without_id,
        "Nazwa" name,
    }
    PolishAddress {
        "KodKraju" country,
        "AdresL1" line1,
        "AdresL2" line2,
        "GLN" gln,
    }
    PolishFooter {
        "Informacje" notes,
        "Rejestry" registers,
    }
    PolishNote {
        "StopkaFaktury" text,
    }
    PolishRegister {
        "PelnaNazwa" full_name,
        "KRS" krs,
        "REGON" regon,
        "BDO" bdo,
    }
    PolishAttachment {
        "BlokDanych" blocks,
    }
    PolishDataBlock {
        "ZNaglowek" title,
        "MetaDane" metadata,
        "Tekst" text,
        "Tabela" tables,
    }
    PolishMetadata {
        "ZKlucz" key,
        "ZWartosc" value,
    }
    PolishParagraphs {
        "Akapit" paragraphs,
    }
    PolishDataTable {
        "TMetaDane" metadata,
        "Opis" description,
        "TNaglowek" header,
        "Wiersz" rows,
        "Suma" sum,
    }
    PolishTableMetadata {
        "TKlucz" key,
        "TWartosc" value,
    }
    PolishColumns {
        "Kol" columns,
    }
    PolishRow {
        "WKom" cells,
    }
    PolishSum {
        "SKom" cells,
    }
}
