//! What an invoice in JSON says of itself where it is refused as a whole: who sends it to whom, and
//! its number, so that whoever looks for it finds it.
//!
//! One pass over the text that asks for no form: it ends where the text is no JSON any more, and
//! keeps what it has seen until then.

use quoin_model::ElectronicAddress;
use quoin_model::text::{SPACE, cut};
use quoin_xml::tree::{Limits, ParseError};

use super::{JsonWalk, MAX_NAME, pointer};

/// Characters of a text that are kept.
const MAX_TEXT: usize = 1_000;

/// What was seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SkimmedInvoice {
    /// BT-1.
    pub number: Option<String>,
    /// BT-2, as it is written.
    pub issue_date: Option<String>,
    /// BT-3.
    pub type_code: Option<String>,
    /// BT-5.
    pub currency: Option<String>,
    /// BT-24.
    pub specification: Option<String>,
    /// BT-23.
    pub process: Option<String>,
    /// BT-34 with its scheme.
    seller: [Option<String>; 2],
    /// BT-49 with its scheme.
    buyer: [Option<String>; 2],
}

impl SkimmedInvoice {
    /// The electronic addresses of seller and buyer.
    pub(crate) fn ends(&self) -> [Option<ElectronicAddress>; 2] {
        [&self.seller, &self.buyer].map(|[scheme, value]| {
            let (scheme, value) = (scheme.clone()?, value.clone()?);
            Some(ElectronicAddress { scheme, value })
        })
    }

    /// The place of what stands at a pointer.
    fn place(&mut self, pointer: &str) -> Option<&mut Option<String>> {
        let [seller_scheme, seller] = &mut self.seller;
        let [buyer_scheme, buyer] = &mut self.buyer;
        Some(match pointer {
            "/number" => &mut self.number,
            "/issueDate" => &mut self.issue_date,
            "/typeCode" => &mut self.type_code,
            "/currency" => &mut self.currency,
            "/specification" => &mut self.specification,
            "/process" => &mut self.process,
            "/seller/electronicAddress/scheme" => seller_scheme,
            "/seller/electronicAddress/value" => seller,
            "/buyer/electronicAddress/scheme" => buyer_scheme,
            "/buyer/electronicAddress/value" => buyer,
            _ => return None,
        })
    }

    /// Takes a text, the first of its place.
    fn take(&mut self, pointer: &str, text: &str) {
        let text = text.trim_matches(SPACE);
        if let Some(place) = self.place(pointer).filter(|place| place.is_none())
            && !text.is_empty()
        {
            *place = Some(cut(text, MAX_TEXT).into_owned());
        }
    }
}

/// What a text says that is no invoice of this form as a whole.
pub(crate) fn skim(bytes: &[u8], limits: &Limits) -> SkimmedInvoice {
    let mut skimmed = SkimmedInvoice::default();
    if bytes.len() > limits.bytes {
        return skimmed;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let read = bytes.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(read).unwrap_or_default()
        }
    };
    // Where it is no JSON any more, what was seen is all that there is.
    let _ = JsonWalk::over(text, limits.bytes).skim(&mut skimmed);
    skimmed
}

impl JsonWalk<'_> {
    /// A value of any type.
    fn skim(&mut self, skimmed: &mut SkimmedInvoice) -> Result<(), ParseError> {
        self.space();
        match self.peek() {
            Some(b'{') => self.skim_object(skimmed),
            Some(b'[') => self.list(|walk| walk.skim(skimmed)),
            Some(b'"') => {
                let text = self.string("a text")?;
                skimmed.take(&self.pointer, &text);
                Ok(())
            }
            _ if ["true", "false", "null"].into_iter().any(|word| self.word(word)) => Ok(()),
            _ => self.number().map(|_| ()),
        }
    }

    fn skim_object(&mut self, skimmed: &mut SkimmedInvoice) -> Result<(), ParseError> {
        self.open(b'{', "an object")?;
        self.space();
        let mut has_more = !self.take(b'}');
        while has_more {
            self.space();
            let name = self.string("the name of a member")?;
            self.space();
            self.punctuation(b':', "a colon")?;
            let length = self.pointer.len();
            // A name that is too long is none of those that are looked for.
            pointer::push(&mut self.pointer, &cut(&name, MAX_NAME));
            let value = self.skim(skimmed);
            self.pointer.truncate(length);
            value?;
            self.space();
            has_more = !self.take(b'}');
            if has_more {
                self.punctuation(b',', "a comma or the end of the object")?;
            }
        }
        self.close()
    }
}
