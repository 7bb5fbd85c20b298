//! Orders that ask for much work, in each syntax that has them.

use super::{Case, ConversionTarget, Parser, convert_at, repeat};

/// The row of the table.
pub(super) const READER: Parser =
    Parser { name: "orders", covers: &[], cases: ORDERS, size: 16 << 10, run: read };

fn read(bytes: &[u8]) {
    let parsed = crate::read(bytes);
    let Some(root) = parsed.root() else { return };
    assert!(crate::orders::order_kind_at(root).is_some());
    for target in [ConversionTarget::UBL, ConversionTarget::CXML, ConversionTarget::DICO] {
        std::hint::black_box(convert_at(root, target).is_ok());
    }
}

const UBL: &str = "<Order xmlns='urn:oasis:names:specification:ubl:schema:xsd:Order-2' \
    xmlns:a='urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2' \
    xmlns:b='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'>\
    <b:ID>1</b:ID><b:IssueDate>2026-05-04</b:IssueDate>\
    <b:DocumentCurrencyCode>EUR</b:DocumentCurrencyCode>";
const PARTIES: &str = "<a:BuyerCustomerParty><a:Party><b:EndpointID schemeID='0088'>8712345000004\
    </b:EndpointID></a:Party></a:BuyerCustomerParty><a:SellerSupplierParty><a:Party>\
    <b:EndpointID schemeID='0088'>8712345000011</b:EndpointID></a:Party></a:SellerSupplierParty>";
const LINE: &str = "<a:OrderLine><b:Note>a</b:Note><a:LineItem><b:ID>1</b:ID>\
    <b:Quantity unitCode='EA'>1</b:Quantity><a:Price><b:PriceAmount>1</b:PriceAmount></a:Price>\
    <a:Item><b:Name>a</b:Name></a:Item></a:LineItem></a:OrderLine>";

/// An order of UBL that has this again and again, and a line.
fn ubl(unit: &str, bytes: usize) -> Vec<u8> {
    repeat(UBL, unit, &format!("{PARTIES}{LINE}</Order>"), bytes)
}

/// A message of cXML with this head that has something again and again.
fn cxml(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    repeat(&format!("<cXML>{head}"), unit, &format!("{tail}</cXML>"), bytes)
}

const OUT: &str = "<Request><OrderRequest><OrderRequestHeader orderID='1' orderDate='2026-05-04'>";
const OUT_END: &str = "</OrderRequestHeader></OrderRequest></Request>";

const CONFIRMED: &str = "<Request><ConfirmationRequest><ConfirmationHeader type='detail' \
    noticeDate='2026-05-04' confirmID='1'/><OrderReference orderID='1'/>";
const CONFIRMED_END: &str = "</ConfirmationRequest></Request>";

const DICO: &str = "<Order xmlns='http://www.ketenstandaard.nl/order/SALES/005'><OrderNumber>1\
    </OrderNumber><OrderDate>2026-05-04</OrderDate>";

const ORDERS: &[Case] = &[
    ("lines of UBL", |n| repeat(&format!("{UBL}{PARTIES}"), LINE, "</Order>", n)),
    ("notes", |n| ubl("<b:Note>a b</b:Note>", n)),
    ("documents", |n| {
        let unit = "<a:AdditionalDocumentReference><a:Attachment><a:ExternalReference><b:URI>x\
            </b:URI></a:ExternalReference></a:Attachment></a:AdditionalDocumentReference>";
        ubl(unit, n)
    }),
    ("parties of UBL", |n| ubl(PARTIES, n)),
    ("deliveries", |n| {
        let unit = "<a:Delivery><a:RequestedDeliveryPeriod><b:StartDate>2026-05-04</b:StartDate>\
            <b:EndDate>2026-05-04</b:EndDate></a:RequestedDeliveryPeriod></a:Delivery>";
        ubl(unit, n)
    }),
    ("what is no term", |n| ubl("<b:UUID schemeID='a'>1</b:UUID>", n)),
    ("credentials", |n| {
        let unit = "<Credential domain='0088'><Identity>1</Identity></Credential>";
        let end = format!("</From></Header>{OUT}{OUT_END}");
        cxml("<Header><From>", unit, &end, n)
    }),
    ("contacts", |n| {
        let unit = "<Contact role='buyer'><Name>a</Name><IdReference domain='x' identifier='1'/>\
            </Contact>";
        cxml(OUT, unit, OUT_END, n)
    }),
    ("comments", |n| {
        let unit = "<Comments>a<Attachment><URL>x</URL></Attachment></Comments>";
        cxml(OUT, unit, OUT_END, n)
    }),
    ("extrinsics", |n| cxml(OUT, "<Extrinsic name='deliveryTerms'>a</Extrinsic>", OUT_END, n)),
    ("lines of cXML", |n| {
        let unit = "<ItemOut quantity='1' lineNumber='1'><ItemID><SupplierPartID>1\
            </SupplierPartID><SupplierPartAuxiliaryID>1</SupplierPartAuxiliaryID></ItemID>\
            <ItemDetail><UnitPrice><Money currency='EUR'>1</Money></UnitPrice></ItemDetail>\
            </ItemOut>";
        let end = "</OrderRequest></Request>";
        cxml(&format!("{OUT}</OrderRequestHeader>"), unit, end, n)
    }),
    ("accounts of a line", |n| {
        let unit = "<Distribution><Accounting name='a'><Segment type='a' id='1' description='b'/>\
            </Accounting></Distribution>";
        let head = format!("{OUT}</OrderRequestHeader><ItemOut quantity='1'>");
        cxml(&head, unit, "</ItemOut></OrderRequest></Request>", n)
    }),
    ("states of a line", |n| {
        let unit = "<ConfirmationStatus quantity='1' type='accept'><UnitOfMeasure>EA\
            </UnitOfMeasure></ConfirmationStatus>";
        let head = format!("{CONFIRMED}<ConfirmationItem quantity='1' lineNumber='1'>");
        cxml(&head, unit, &format!("</ConfirmationItem>{CONFIRMED_END}"), n)
    }),
    ("units of a line", |n| {
        let head = format!("{CONFIRMED}<ConfirmationItem quantity='1' lineNumber='1'>");
        let end = format!("</ConfirmationItem>{CONFIRMED_END}");
        cxml(&head, "<UnitOfMeasure>EA</UnitOfMeasure>", &end, n)
    }),
    ("lines of DICO", |n| {
        let unit = "<OrderLine><LineNumber>1</LineNumber><OrderedQuantity>1</OrderedQuantity>\
            <LineIdentification>1</LineIdentification><TradeItemIdentification>\
            <AdditionalItemIdentification><Colour>a</Colour><TradeItemDescription>a\
            </TradeItemDescription></AdditionalItemIdentification></TradeItemIdentification>\
            </OrderLine>";
        repeat(DICO, unit, "</Order>", n)
    }),
    ("free texts", |n| repeat(DICO, "<FreeText>a b</FreeText>", "</Order>", n)),
    ("a long free text", |n| {
        repeat(&format!("{DICO}<FreeText>"), "ab c", "</FreeText></Order>", n)
    }),
    ("parts of a name", |n| {
        repeat(&format!("{DICO}<Buyer>"), "<Name>a</Name>", "</Buyer></Order>", n)
    }),
    ("numbers of a party", |n| {
        let unit = "<GLN>8712345000004</GLN><VATRegistrationNumber>1</VATRegistrationNumber>";
        repeat(&format!("{DICO}<Buyer>"), unit, "</Buyer></Order>", n)
    }),
];
