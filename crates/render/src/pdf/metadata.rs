//! What a PDF says about itself, as XMP.
//!
//! Sources: ISO 16684-1 (XMP), ISO 19005-3 section 6.6 (PDF/A-3, extension schemas), ISO 14289-1
//! section 5 (PDF/UA-1), Factur-X 1.0 section 6.2 (its four properties).

use super::EmbeddedInvoice;
use crate::html::escape;
use crate::page::PageTree;

/// The namespace of the properties of Factur-X.
const FACTUR_X: &str = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

/// Who wrote the file.
pub(super) const PRODUCER: &str = "Quoin";

/// The packet of metadata.
pub(super) fn packet(page: &PageTree, invoice: Option<&EmbeddedInvoice<'_>>) -> String {
    let mut title = String::new();
    escape(super::title(page).trim(), &mut title);
    let date = page.issued.map(|day| format!("{day}T00:00:00Z"));
    let date = date.map(|date| {
        format!("<xmp:CreateDate>{date}</xmp:CreateDate><xmp:ModifyDate>{date}</xmp:ModifyDate>")
    });
    let mut described = vec![
        format!(
            "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\
             <dc:format>application/pdf</dc:format><dc:title><rdf:Alt>\
             <rdf:li xml:lang=\"x-default\">{title}</rdf:li></rdf:Alt></dc:title><dc:language>\
             <rdf:Bag><rdf:li>{}</rdf:li></rdf:Bag></dc:language></rdf:Description>",
            page.language.code()
        ),
        format!(
            "<rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
             xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\"><xmp:CreatorTool>{PRODUCER}\
             </xmp:CreatorTool>{}<pdf:Producer>{PRODUCER}</pdf:Producer></rdf:Description>",
            date.unwrap_or_default()
        ),
        "<rdf:Description rdf:about=\"\" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\" \
         xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\"><pdfaid:part>3</pdfaid:part>\
         <pdfaid:conformance>U</pdfaid:conformance><pdfuaid:part>1</pdfuaid:part></rdf:Description>"
            .to_owned(),
    ];
    if let Some(invoice) = invoice {
        described.push(factur_x(invoice));
    }
    described.push(extensions(invoice.is_some()));
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF \
         xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n{}\n</rdf:RDF></x:xmpmeta>\n\
         <?xpacket end=\"r\"?>",
        described.join("\n")
    )
}

fn factur_x(invoice: &EmbeddedInvoice<'_>) -> String {
    format!(
        "<rdf:Description rdf:about=\"\" xmlns:fx=\"{FACTUR_X}\"><fx:DocumentType>INVOICE\
         </fx:DocumentType><fx:DocumentFileName>{}</fx:DocumentFileName><fx:Version>{}\
         </fx:Version><fx:ConformanceLevel>{}</fx:ConformanceLevel></rdf:Description>",
        invoice.level.file_name(),
        invoice.version,
        invoice.level.as_str()
    )
}

/// What the properties of others mean: PDF/A asks for it where XMP itself does not say so.
fn extensions(with_invoice: bool) -> String {
    let property = |name: &str, kind: &str, category: &str, about: &str| {
        format!(
            "<rdf:li rdf:parseType=\"Resource\"><pdfaProperty:name>{name}</pdfaProperty:name>\
             <pdfaProperty:valueType>{kind}</pdfaProperty:valueType><pdfaProperty:category>\
             {category}</pdfaProperty:category><pdfaProperty:description>{about}\
             </pdfaProperty:description></rdf:li>"
        )
    };
    let schema = |title: &str, uri: &str, prefix: &str, properties: String| {
        format!(
            "<rdf:li rdf:parseType=\"Resource\"><pdfaSchema:schema>{title}</pdfaSchema:schema>\
             <pdfaSchema:namespaceURI>{uri}</pdfaSchema:namespaceURI><pdfaSchema:prefix>{prefix}\
             </pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>{properties}</rdf:Seq>\
             </pdfaSchema:property></rdf:li>"
        )
    };
    let part = property("part", "Integer", "internal", "Part of ISO 14289 that the file follows");
    let ua = "http://www.aiim.org/pdfua/ns/id/";
    let mut schemas = schema("PDF/UA identification schema", ua, "pdfuaid", part);
    if with_invoice {
        let properties = [
            ("DocumentFileName", "Name of the embedded invoice file"),
            ("DocumentType", "Type of the embedded document"),
            ("Version", "Version of the standard that the embedded invoice follows"),
            ("ConformanceLevel", "Profile of the embedded invoice"),
        ];
        let all = properties.map(|(name, about)| property(name, "Text", "external", about));
        let title = "Factur-X PDFA Extension Schema";
        schemas.push_str(&schema(title, FACTUR_X, "fx", all.concat()));
    }
    format!(
        "<rdf:Description rdf:about=\"\" \
         xmlns:pdfaExtension=\"http://www.aiim.org/pdfa/ns/extension/\" \
         xmlns:pdfaSchema=\"http://www.aiim.org/pdfa/ns/schema#\" \
         xmlns:pdfaProperty=\"http://www.aiim.org/pdfa/ns/property#\"><pdfaExtension:schemas>\
         <rdf:Bag>{schemas}</rdf:Bag></pdfaExtension:schemas></rdf:Description>"
    )
}
