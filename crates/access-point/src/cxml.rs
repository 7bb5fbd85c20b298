//! cXML over HTTPS, as procurement networks speak it (cXML 1.2, user's guide, chapters 2 and 3):
//! who sends to whom with which secret, the message with its files, and what an answer means. When
//! it is sent again is decided in the room `delivery`.

mod accounts;
mod action;
mod answer;
mod credential;
mod doorway;
mod inbound;
mod message;
mod target;

pub use accounts::{TRADING_NETWORK, TradingAccounts, TradingRelationship};
pub use action::{CXML, CxmlAction};
pub use answer::{CxmlStatus, verdict};
pub use credential::{CxmlCredential, CxmlEnds};
pub use doorway::{CxmlDoorway, believed};
pub use inbound::{CxmlRequest, CxmlSaid, CxmlUpdate, response};
pub use message::{CxmlMessage, CxmlPosting, check_message};
pub use target::CxmlTarget;
