//! The attributes of an element (part 1 section 3.4.4 clauses 3 and 4, and section 3.2.4).

use super::{SchemaRun, describe};
use crate::tree::{Attribute, Element};
use crate::xsd::builtin::XSI;
use crate::xsd::model::DocName;
use crate::xsd::schema::{
    AttributeUse, NONE, NamespaceConstraint, ProcessContents, Wildcard, flag,
};

impl<'d> SchemaRun<'_, 'd> {
    pub(super) fn no_attributes(&mut self, element: Element<'d>) {
        if !element.attribute_ids().is_empty() {
            self.attributes(element, (&[], 0), None);
        }
    }

    /// `cvc-complex-type.3` and `.4`, of a type with these uses, so many of them required.
    pub(super) fn attributes(
        &mut self,
        element: Element<'d>,
        (uses, mut required): (&[AttributeUse], usize),
        wildcard: Option<&Wildcard>,
    ) {
        for id in element.attribute_ids() {
            let doc_id = self.document.attribute_name(id).map_or(u32::MAX, |it| it.0);
            let unknown = DocName { name: NONE, namespace: NONE };
            let name = self.names.get(doc_id as usize).copied().unwrap_or(unknown);
            let Some(attribute) = self.document.attribute(id) else { continue };
            let declared = uses.iter().find(|it| it.name == name.name && name.name != NONE);
            if let Some(declared) = declared {
                required -= usize::from(declared.flags & flag::REQUIRED != 0);
                self.attribute(element, attribute, declared);
            } else if attribute.namespace == XSI {
                self.instance_attribute(element, attribute);
            } else {
                self.other_attribute(element, attribute, name, wildcard);
            }
        }
        if required > 0 {
            self.missing_attributes(element, uses);
        }
    }

    /// The four attributes of the instance namespace may stand anywhere, no other one.
    fn instance_attribute(&mut self, element: Element<'d>, attribute: Attribute<'d>) {
        let known = ["type", "nil", "schemaLocation", "noNamespaceSchemaLocation"];
        if !known.contains(&attribute.local) {
            let expected = "one of the attributes of the instance namespace".to_owned();
            let found = describe::attribute_name(attribute);
            self.push("cvc-complex-type.3.2.1", element, Some(attribute), None, expected, found);
        }
    }

    fn missing_attributes(&mut self, element: Element<'d>, uses: &[AttributeUse]) {
        for wanted in uses.iter().filter(|it| it.flags & flag::REQUIRED != 0) {
            let (namespace, local) = self.schema.expanded(wanted.name);
            if element.attribute_ns(namespace, local).is_none() {
                let expected = format!("the attribute {local}");
                self.report("cvc-complex-type.4", element, expected, "no such attribute");
            }
        }
    }

    /// An attribute that the type does not name.
    fn other_attribute(
        &mut self,
        element: Element<'d>,
        attribute: Attribute<'d>,
        name: DocName,
        wildcard: Option<&Wildcard>,
    ) {
        let admitted = wildcard.filter(|it| {
            // A namespace that the schema never names is unlike any it refuses.
            name.namespace != NONE && self.schema.admits(it, name.namespace)
                || name.namespace == NONE && !matches!(it.namespaces, NamespaceConstraint::List(_))
        });
        let found = describe::attribute_name(attribute);
        let Some(wildcard) = admitted else {
            let clause = match wildcard {
                Some(_) => "cvc-complex-type.3.2.2",
                None => "cvc-complex-type.3.2.1",
            };
            let expected = self.describe_attributes(element);
            self.push(clause, element, Some(attribute), Some(attribute.value), expected, found);
            return;
        };
        if wildcard.process == ProcessContents::Skip {
            return;
        }
        let declared = self.schema.name(name.name).map_or(NONE, |it| it.attribute);
        match self.schema.attributes.get(declared as usize).copied() {
            Some(declared) => self.attribute(element, attribute, &declared),
            None if wildcard.process == ProcessContents::Strict => {
                let expected = "an attribute that the schema declares".to_owned();
                let clause = "cvc-complex-type.3.2.2";
                self.push(clause, element, Some(attribute), None, expected, found);
            }
            None => {}
        }
    }

    /// `cvc-attribute` and `cvc-au`.
    fn attribute(
        &mut self,
        element: Element<'d>,
        attribute: Attribute<'d>,
        declared: &AttributeUse,
    ) {
        if self.is_of_no_account(declared.ty, declared.flags) {
            return;
        }
        let text = attribute.value;
        let problems = self.schema.problems(declared.ty, text, element);
        if problems.is_empty() {
            self.record(element, Some(attribute), declared.ty, text);
        }
        for problem in problems {
            let found = describe::value(text);
            let clause = problem.clause;
            self.push(clause, element, Some(attribute), Some(text), problem.expected, found);
        }
        if declared.flags & flag::FIXED != 0 {
            let fixed = self.schema.text(declared.value);
            let key = |text| self.schema.key(declared.ty, text, element);
            if key(fixed) != key(text) {
                let expected = format!("the fixed value {fixed:?}");
                let found = describe::value(text);
                self.push("cvc-attribute.4", element, Some(attribute), Some(text), expected, found);
            }
        }
    }
}
