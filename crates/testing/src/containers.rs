//! Containers of our own making, for tests.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};

/// A text as deflate packs it.
pub fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap_or_default();
    encoder.finish().unwrap_or_default()
}

fn zlib(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap_or_default();
    encoder.finish().unwrap_or_default()
}

/// An entry: name, content, compression method, flags.
pub struct Entry<'e>(pub &'e str, pub &'e [u8], pub u16, pub u16);

/// An archive of these entries.
pub fn zip(entries: &[Entry<'_>]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for Entry(name, content, method, flags) in entries {
        let packed = if *method == 8 { deflated(content) } else { content.to_vec() };
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let offset = out.len() as u32;
        let mut common = Vec::new();
        for word in [20, *flags, *method, 0, 0] {
            common.extend(u16::to_le_bytes(word));
        }
        for word in [crc.sum(), packed.len() as u32, content.len() as u32] {
            common.extend(word.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(packed);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (count, start) = ((entries.len() as u16).to_le_bytes(), out.len() as u32);
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count, count].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend(b"\x03\0end");
    out
}

/// An element of DER; a tag with `None` has an indefinite length.
fn element(tag: u8, content: &[u8], definite: bool) -> Vec<u8> {
    let mut out = vec![tag];
    if !definite {
        return [&[tag, 0x80], content, &[0, 0]].concat();
    }
    match content.len() {
        length @ 0..=127 => out.push(length as u8),
        length => {
            out.push(0x83);
            out.extend(&(length as u32).to_be_bytes()[1..]);
        }
    }
    out.extend(content);
    out
}

const SIGNED: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
const DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01";

/// Signed data around a document; without one it is detached. In BER, lengths are indefinite and
/// the document is cut in pieces of 100 bytes.
pub fn cms(content: Option<&[u8]>, ber: bool) -> Vec<u8> {
    let enclosed = content.map(|content| match ber {
        true => {
            let pieces: Vec<u8> =
                content.chunks(100).flat_map(|piece| element(0x04, piece, true)).collect();
            element(0xA0, &element(0x24, &pieces, false), false)
        }
        false => element(0xA0, &element(0x04, content, true), true),
    });
    let inner = [DATA, &enclosed.unwrap_or_default()].concat();
    let digests = element(0x31, &element(0x30, b"\x06\x01\x01", !ber), !ber);
    let signers = element(0x31, b"", true);
    let signed = [b"\x02\x01\x01", &digests[..], &element(0x30, &inner, !ber), &signers].concat();
    let explicit = element(0xA0, &element(0x30, &signed, !ber), !ber);
    element(0x30, &[SIGNED, &explicit].concat(), !ber)
}

/// How the cross-reference of a PDF is written.
#[derive(Clone, Copy, PartialEq)]
pub enum Reference {
    /// A table.
    Table,
    /// A stream of objects.
    Stream,
    /// One that leads nowhere.
    Broken,
}

const XMP: &str = "<?xpacket begin=''?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
    xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description \
    xmlns:fx='urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'>\
    <fx:ConformanceLevel>LEVEL</fx:ConformanceLevel></rdf:Description></rdf:RDF></x:xmpmeta>";

/// A PDF with one embedded file. With a cross-reference stream, what is no stream stands in an
/// object stream.
pub fn pdf(name: &str, content: &[u8], level: &str, reference: Reference) -> Vec<u8> {
    let specification = format!(
        "<</Type/Filespec/F({name})/UF({name})/AFRelationship/Alternative/EF<</F 5 0 R>>>>"
    );
    let plain = [
        (1, "<</Type/Catalog/Names 2 0 R/AF[4 0 R]/Metadata 6 0 R>>".to_owned()),
        (2, "<</EmbeddedFiles<</Kids[3 0 R]>>>>".to_owned()),
        (3, format!("<</Limits[(a)(z)]/Names[({name}) 4 0 R]>>")),
        (4, specification),
    ];
    let mut out = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut places = vec![(0, 0, 0); 9];
    let write_stream = |out: &mut Vec<u8>, number: usize, dict: &str, content: &[u8]| {
        let at = out.len();
        let packed = zlib(content);
        let length = packed.len();
        out.extend(
            format!("{number} 0 obj\n<</Filter/FlateDecode/Length {length}{dict}>>\nstream\r\n")
                .into_bytes(),
        );
        out.extend(packed);
        out.extend(b"\nendstream\nendobj\n");
        at
    };
    places[5] = (1, write_stream(&mut out, 5, "/Type/EmbeddedFile", content), 0);
    let xmp = XMP.replace("LEVEL", level);
    places[6] = (1, write_stream(&mut out, 6, "/Type/Metadata", xmp.as_bytes()), 0);
    if reference == Reference::Stream {
        let (mut head, mut body) = (String::new(), String::new());
        for (index, (number, text)) in plain.iter().enumerate() {
            head += &format!("{number} {} ", body.len());
            body += &format!("{text}\n");
            places[*number] = (2, 7, index);
        }
        let dict = format!("/Type/ObjStm/N 4/First {}", head.len());
        places[7] = (1, write_stream(&mut out, 7, &dict, format!("{head}{body}").as_bytes()), 0);
        let start = out.len();
        places[8] = (1, start, 0);
        let mut table = Vec::new();
        let mut above = [0_u8; 5];
        for (kind, field, index) in &places {
            let row =
                [*kind as u8, (field >> 16) as u8, (field >> 8) as u8, *field as u8, *index as u8];
            table.push(2);
            table.extend(row.iter().zip(above).map(|(byte, up)| byte.wrapping_sub(up)));
            above = row;
        }
        let dict = "/Type/XRef/W[1 3 1]/Size 9/Root 1 0 R\
                    /DecodeParms<</Predictor 12/Columns 5>>";
        write_stream(&mut out, 8, dict, &table);
        out.extend(format!("startxref\n{start}\n%%EOF\n").into_bytes());
        return out;
    }
    for (number, text) in &plain {
        places[*number] = (1, out.len(), 0);
        out.extend(format!("{number} 0 obj\n{text}\nendobj\n").into_bytes());
    }
    let start = if reference == Reference::Broken { 3 } else { out.len() };
    out.extend(b"xref\n0 7\n0000000000 65535 f \n");
    for (_, at, _) in &places[1..7] {
        out.extend(format!("{at:010} 00000 n \n").into_bytes());
    }
    out.extend(format!("trailer\n<</Size 7/Root 1 0 R>>\nstartxref\n{start}\n%%EOF").into_bytes());
    out
}

/// A multipart body of parts: headers and content.
pub fn multipart(parts: &[(&str, &[u8])], with_headers: bool) -> Vec<u8> {
    let mut out = Vec::new();
    if with_headers {
        out.extend(
            b"MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n boundary=\"b=1\"; \
              type=\"text/xml\"\r\n\r\npreamble\r\n",
        );
    }
    for (headers, content) in parts {
        out.extend(b"--b=1\r\n");
        out.extend(headers.replace('\n', "\r\n").into_bytes());
        out.extend(b"\r\n\r\n");
        out.extend(*content);
        out.extend(b"\r\n");
    }
    out.extend(b"--b=1--\r\n");
    out
}
