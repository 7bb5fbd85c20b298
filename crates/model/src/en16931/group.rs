//! How a business group is declared: its fields, and an empty one to start reading from.

/// Declares a group: its element, its fields (each public), and `new(element)` with nothing read.
macro_rules! group {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name<'d> {
            /// The element that is the group, or the first that has a term of it.
            pub element: quoin_xml::tree::Element<'d>,
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl<'d> $name<'d> {
            /// The group at this element with nothing read yet.
            pub fn new(element: quoin_xml::tree::Element<'d>) -> Self {
                $name { element, $($field: Default::default(),)* }
            }
        }
    };
}
pub(crate) use group;
