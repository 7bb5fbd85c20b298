//! Where a node stands in the text.

use super::{Document, NodeId, Position};

impl Document {
    /// The line and column in which a node begins; for an element, its start tag.
    pub fn position_of(&self, id: NodeId) -> Position {
        self.position(self.node(id.0).map_or(0, |node| node.offset))
    }
}
