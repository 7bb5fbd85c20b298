//! Names, roots and other documents, Functions and Operators 11 and 14, and XSLT 2.0 section 16.

use std::rc::Rc;
use std::sync::Arc;

use super::super::environment::{Environment, Loaded};
use super::super::error::{DynamicError, ErrorCode, XPathResult, fail};
use super::super::value::{Item, NodeRef, Sequence, XPathText};
use super::{Function, FunctionCall};
use crate::tree::{NodeId, NodeKind};

/// Documents that one evaluation may read at most.
const MAX_DOCUMENTS: usize = 1_000;

impl<'d> Environment<'d> {
    /// Prefix, local name and namespace; three empty texts for a node without a name.
    pub(crate) fn qualified_name(&self, node: NodeRef) -> [&'d str; 3] {
        let tree = self.tree(node.document);
        if let Some(attribute) = node.attribute_id() {
            let Some(found) = tree.attribute(attribute) else { return [""; 3] };
            return [found.prefix, found.local, found.namespace];
        }
        let Some(id) = node.id() else { return [""; 3] };
        match tree.element(id) {
            Some(element) => [element.prefix(), element.local(), element.namespace()],
            None => ["", tree.instruction_target(id.0).unwrap_or_default(), ""],
        }
    }

    /// Namespace and local name.
    pub(crate) fn expanded_name(&self, node: NodeRef) -> (&'d str, &'d str) {
        let [_, local, namespace] = self.qualified_name(node);
        (namespace, local)
    }

    /// The document node that a reference means.
    fn document_node(&self, reference: &str) -> XPathResult<Option<NodeRef>> {
        let known = self.references.borrow().get(reference).copied();
        let number = match known {
            Some(number) => number,
            None => {
                let found = self.settings.documents.document(reference);
                let number = match found {
                    None => None,
                    Some(document) => Some(self.number_of(document)?),
                };
                self.references.borrow_mut().insert(reference.to_owned(), number);
                number
            }
        };
        Ok(number.map(|document| NodeRef { document, node: 0, attribute: 0 }))
    }

    fn number_of(&self, document: &'d crate::tree::Document) -> XPathResult<u32> {
        if std::ptr::eq(document, self.main.document) {
            return Ok(0);
        }
        let mut others = self.others.borrow_mut();
        let same = |other: &Rc<Loaded<'d>>| std::ptr::eq(other.document, document);
        if let Some(at) = others.iter().position(same) {
            return Ok(at as u32 + 1);
        }
        if others.len() >= MAX_DOCUMENTS {
            return fail!(QX0002, "more than {MAX_DOCUMENTS} documents are read");
        }
        self.spend(document.node_count() as u64)?;
        others.push(Rc::new(Loaded::new(self.program, document)));
        Ok(others.len() as u32)
    }
}

impl<'d> FunctionCall<'_, 'd> {
    /// The node of the argument, or the context item where there is none.
    fn node_or_context(self) -> XPathResult<Option<NodeRef>> {
        match self.arguments.first() {
            Some(argument) => self.environment.one_node(argument, self.focus, self.frame),
            None => match self.context_item()? {
                Item::Node(node) => Ok(Some(node)),
                _ => fail!(XPTY0004, "{}() needs a node", self.function.name()),
            },
        }
    }

    pub(super) fn nodes(self) -> XPathResult<Sequence<'d>> {
        use Function as F;
        Ok(match self.function {
            F::Current => match self.frame.current {
                Some(node) => Item::Node(node).into(),
                None => return Err(ErrorCode::XTDE1360.into()),
            },
            F::Root => match self.node_or_context()? {
                Some(node) => Item::Node(NodeRef { node: 0, attribute: 0, ..node }).into(),
                None => Sequence::Empty,
            },
            F::Doc | F::Document => self.documents()?,
            F::DocAvailable => {
                let reference = self.text(0)?;
                let found = self.environment.document_node(reference.as_str())?;
                Item::Boolean(found.is_some()).into()
            }
            F::Lang => Item::Boolean(self.lang()?).into(),
            F::InScopePrefixes => self.in_scope_prefixes()?,
            F::NamespaceUriForPrefix => self.namespace_for_prefix()?,
            F::QName | F::LocalNameFromQName | F::NamespaceUriFromQName | F::PrefixFromQName => {
                self.qnames()?
            }
            _ => self.names()?,
        })
    }

    fn names(self) -> XPathResult<Sequence<'d>> {
        let node = self.node_or_context()?;
        let [prefix, local, namespace] =
            node.map_or([""; 3], |node| self.environment.qualified_name(node));
        Ok(match (self.function, node) {
            (Function::NodeName, _) if local.is_empty() => Sequence::Empty,
            (Function::NodeName, _) => qname(prefix, local, namespace).into(),
            (Function::LocalName, _) => Item::String(XPathText::Borrowed(local)).into(),
            (Function::NamespaceUri, _) => Item::Uri(XPathText::Borrowed(namespace)).into(),
            (Function::GenerateId, Some(node)) => {
                let NodeRef { document, node, attribute } = node;
                Item::string(format!("d{document}e{node}a{attribute}")).into()
            }
            (Function::GenerateId, None) => Item::String(XPathText::Borrowed("")).into(),
            _ if prefix.is_empty() => Item::String(XPathText::Borrowed(local)).into(),
            _ => Item::string(format!("{prefix}:{local}")).into(),
        })
    }

    fn documents(self) -> XPathResult<Sequence<'d>> {
        let references = self.argument(0)?;
        let mut nodes = Vec::new();
        for item in references.items() {
            let text = self.environment.text_of_item(item);
            match self.environment.document_node(text.as_str())? {
                Some(node) => nodes.push(node),
                None => {
                    let message = format!("there is no document {:?} here", text.as_str());
                    return Err(DynamicError::new(ErrorCode::FODC0002, message));
                }
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes.into_iter().map(Item::Node).collect::<Vec<_>>().into())
    }

    /// `lang`: whether the nearest `xml:lang` is the language or a sublanguage of it.
    fn lang(self) -> XPathResult<bool> {
        let wanted = self.text(0)?;
        let mut place = match self.arguments.get(1) {
            Some(argument) => self.environment.one_node(argument, self.focus, self.frame)?,
            None => match self.context_item()? {
                Item::Node(node) => Some(node),
                _ => return fail!(XPTY0004, "lang() needs a node"),
            },
        };
        while let Some(node) = place {
            let element = node.id().and_then(|id| self.environment.tree(node.document).element(id));
            if let Some(element) = element.filter(|_| node.attribute == 0)
                && let Some(language) = element.attribute_ns(crate::namespaces::XML, "lang")
            {
                let (language, wanted) = (language.to_lowercase(), wanted.as_str().to_lowercase());
                let rest = language.strip_prefix(&wanted);
                return Ok(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-')));
            }
            place = self.environment.parent(node);
        }
        Ok(false)
    }

    fn element_argument(self, at: usize) -> XPathResult<crate::tree::Element<'d>> {
        let node = match self.arguments.get(at) {
            Some(argument) => self.environment.one_node(argument, self.focus, self.frame)?,
            None => None,
        };
        let element = node.filter(|node| node.attribute == 0).and_then(|node| {
            let NodeId(id) = node.id()?;
            let tree = self.environment.tree(node.document);
            (tree.kind_of(id) == Some(NodeKind::Element)).then(|| tree.element(NodeId(id)))?
        });
        match element {
            Some(element) => Ok(element),
            None => fail!(XPTY0004, "{}() needs an element", self.function.name()),
        }
    }

    fn in_scope_prefixes(self) -> XPathResult<Sequence<'d>> {
        let mut place = Some(self.element_argument(0)?);
        let mut seen: Vec<(&str, &str)> = vec![("xml", crate::namespaces::XML)];
        while let Some(element) = place {
            for (prefix, uri) in element.declarations() {
                if !seen.iter().any(|(known, _)| *known == prefix) {
                    seen.push((prefix, uri));
                }
            }
            place = element.parent();
        }
        let bound = seen.into_iter().filter(|(_, uri)| !uri.is_empty());
        Ok(bound.map(|(prefix, _)| Item::string(prefix.to_owned())).collect::<Vec<_>>().into())
    }

    fn namespace_for_prefix(self) -> XPathResult<Sequence<'d>> {
        let prefix = self.text(0)?;
        let found = self.element_argument(1)?.resolve_prefix(prefix.as_str());
        let bound = found.filter(|uri| !uri.is_empty());
        Ok(bound.map(|uri| Item::Uri(XPathText::Borrowed(uri))).into())
    }

    fn qnames(self) -> XPathResult<Sequence<'d>> {
        if self.function == Function::QName {
            let (namespace, name) = (self.text(0)?, self.text(1)?);
            let (prefix, local) = name.as_str().split_once(':').unwrap_or(("", name.as_str()));
            let is_name = |text: &str| {
                text.chars().next().is_some_and(crate::tree::is_name_start)
                    && text.chars().all(crate::tree::is_name)
            };
            if !is_name(local)
                || (!prefix.is_empty() && (!is_name(prefix) || namespace.as_str().is_empty()))
            {
                return fail!(FOCA0002, "{:?} is no name", name.as_str());
            }
            return Ok(qname(prefix, local, namespace.as_str()).into());
        }
        let Some(argument) = self.arguments.first() else { return Ok(Sequence::Empty) };
        let name = match self.environment.single(argument, self.focus, self.frame)? {
            None => return Ok(Sequence::Empty),
            Some(Item::QName(name)) => name,
            Some(_) => return fail!(XPTY0004, "{}() needs a name", self.function.name()),
        };
        let [prefix, local, namespace] = &*name;
        Ok(match self.function {
            Function::LocalNameFromQName => Item::string(local.to_string()).into(),
            Function::NamespaceUriFromQName => Item::Uri(namespace.to_string().into()).into(),
            _ if prefix.is_empty() => Sequence::Empty,
            _ => Item::string(prefix.to_string()).into(),
        })
    }
}

fn qname<'d>(prefix: &str, local: &str, namespace: &str) -> Item<'d> {
    Item::QName(Arc::from([prefix.into(), local.into(), namespace.into()]))
}
