//! Items: BG-31, BG-32.

use super::{begin, form};

begin!(ItemAttribute, ItemInformation);

form! { ItemInformation {
    "name": text(name), "BT-153: the name.";
    "description": text(description), "BT-154: the description.";
    "sellerIdentifier": text(seller_id), "BT-155: the number of the seller.";
    "buyerIdentifier": text(buyer_id), "BT-156: the number of the buyer.";
    "standardIdentifier": id(standard_id), "BT-157: a standard number, and its scheme (BT-157-1).";
    "classifications": classifications(classifications), "BT-158: classifications.";
    "origin": text(origin), "BT-159: the country of origin (ISO 3166-1 alpha-2).";
    "attributes": groups<ItemAttribute>(attributes), "BG-32: attributes.";
} }

form! { ItemAttribute {
    "name": text(name), "BT-160: the name.";
    "value": text(value), "BT-161: the value.";
} }
