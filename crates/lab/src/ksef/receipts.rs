//! Receipts: UPO 4-3, signed by the system, of one invoice and of a session in pages.

use jiff::Timestamp;
use quoin_ksef::api::moment;
use quoin_ksef::package::digest;
use quoin_ksef::upo::UPO_4_3;
use quoin_xml::write::escape_text;

use super::server::KsefLab;
use super::state::{KsefState, LabSession, RegisteredInvoice};

/// Who receives, in the environment for tests.
const RECEIVER: &str = "Ministerstwo Finansów - środowisko testowe (TE)";

/// The receipt of an invoice that is registered, the same each time.
pub(super) fn of_registered(
    lab: &KsefLab,
    state: &KsefState,
    invoice: &RegisteredInvoice,
) -> Vec<u8> {
    let made = || {
        let session = state.sessions.get(&invoice.session)?;
        Some(of_invoice(lab, state, &invoice.session, session, invoice))
    };
    invoice.upo.get_or_init(|| made().unwrap_or_default()).clone()
}

/// The receipt of one invoice.
fn of_invoice(
    lab: &KsefLab,
    state: &KsefState,
    reference: &str,
    session: &LabSession,
    invoice: &RegisteredInvoice,
) -> Vec<u8> {
    let content = [head(state, reference, session), form(), document(invoice)].concat();
    signed(lab, &content, invoice.stored)
}

/// The receipt of a session: pages with their references.
pub(super) fn of_session(
    lab: &KsefLab,
    state: &mut KsefState,
    reference: &str,
    session: &LabSession,
) -> Vec<(String, Vec<u8>)> {
    let own: Vec<_> = state.registered.iter().filter(|one| one.session == reference).collect();
    let size = lab.settings().upo_page.max(1);
    let (total, pages) = (own.len(), own.len().div_ceil(size));
    let documents: Vec<String> =
        own.chunks(size).map(|page| page.iter().map(|one| document(one)).collect()).collect();
    let head = head(state, reference, session);
    let mut out = Vec::new();
    for (at, part) in documents.iter().enumerate() {
        let (from, to) = (at * size + 1, ((at + 1) * size).min(total));
        let described = format!(
            "<OpisPotwierdzenia><Strona>{}</Strona><LiczbaStron>{pages}</LiczbaStron>\
             <ZakresDokumentowOd>{from}</ZakresDokumentowOd><ZakresDokumentowDo>{to}\
             </ZakresDokumentowDo><CalkowitaLiczbaDokumentow>{total}</CalkowitaLiczbaDokumentow>\
             </OpisPotwierdzenia>",
            at + 1
        );
        let content = [head.clone(), described, form(), part.clone()].concat();
        let page = state.reference("EU", session.updated);
        out.push((page, signed(lab, &content, session.updated)));
    }
    out
}

fn head(state: &KsefState, reference: &str, session: &LabSession) -> String {
    let proof = state.operations.get(&session.operation).map(|one| one.proof.as_str());
    let (kind, value) = &session.context;
    let element = match kind.as_str() {
        "InternalId" => "IdWewnetrzny",
        "NipVatUe" => "IdZlozonyVatUE",
        "PeppolId" => "IdDostawcyUslugPeppol",
        _ => "Nip",
    };
    format!(
        "<NazwaPodmiotuPrzyjmujacego>{RECEIVER}</NazwaPodmiotuPrzyjmujacego>\
         <NumerReferencyjnySesji>{reference}</NumerReferencyjnySesji><Uwierzytelnienie>\
         <IdKontekstu><{element}>{value}</{element}></IdKontekstu>\
         <SkrotDokumentuUwierzytelniajacego>{}</SkrotDokumentuUwierzytelniajacego>\
         </Uwierzytelnienie>",
        proof.unwrap_or_default()
    )
}

fn form() -> String {
    "<NazwaStrukturyLogicznej>Schemat_FA(3)_v1-0E.xsd</NazwaStrukturyLogicznej>\
     <KodFormularza>FA (3)</KodFormularza>"
        .to_owned()
}

fn document(invoice: &RegisteredInvoice) -> String {
    let mut number = String::new();
    escape_text(&invoice.told.number, &mut number);
    let mode = if invoice.offline { "Offline" } else { "Online" };
    format!(
        "<Dokument><NipSprzedawcy>{}</NipSprzedawcy><NumerKSeFDokumentu>{}</NumerKSeFDokumentu>\
         <NumerFaktury>{number}</NumerFaktury><DataWystawieniaFaktury>{}\
         </DataWystawieniaFaktury><DataPrzeslaniaDokumentu>{}</DataPrzeslaniaDokumentu>\
         <DataNadaniaNumeruKSeF>{}</DataNadaniaNumeruKSeF><SkrotDokumentu>{}</SkrotDokumentu>\
         <TrybWysylki>{mode}</TrybWysylki></Dokument>",
        invoice.told.seller_nip,
        invoice.ksef_number,
        invoice.told.issued,
        moment(invoice.received),
        moment(invoice.stored),
        digest(&invoice.xml),
    )
}

fn signed(lab: &KsefLab, content: &str, time: Timestamp) -> Vec<u8> {
    let xml = format!("<Potwierdzenie xmlns=\"{UPO_4_3}\">{content}</Potwierdzenie>");
    match lab.authority().seal.sign_document(&xml, time) {
        Ok(signed) => signed.into_bytes(),
        Err(error) => {
            tracing::error!(%error, "the lab could not sign a UPO");
            xml.into_bytes()
        }
    }
}
