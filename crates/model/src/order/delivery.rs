//! When and where ordered goods are wanted or promised.

use crate::en16931::group::group;
use crate::en16931::{Code, Date, Field, Identifier, Party, PostalAddress, Text, Time};

group! {
    /// Delivery, of the document or of a line (`cac:Delivery`).
    OrderDelivery {
        /// tir01-p037: its identifier.
        id: Field<Identifier<'d>>,
        /// tir01-169: the location and its scheme.
        location: Field<Identifier<'d>>,
        /// tir01-p028: the name of the location.
        location_name: Field<Text<'d>>,
        /// tir01-092 to tir01-098: the address of the location.
        address: Field<PostalAddress<'d>>,
        /// tir01-099, tir01-100, tir01-126, tir01-127: when it is wanted.
        requested: Field<OrderPeriod<'d>>,
        /// tir76-099, tir76-100, tir76-126, tir76-127: when it is promised.
        promised: Field<OrderPeriod<'d>>,
        /// tir01-101 to tir01-106: who receives it.
        party: Field<Party<'d>>,
        /// tir01-p053: the day on which it is to leave.
        despatch_date: Field<Date<'d>>,
        /// tir01-p054: the time at which it is to leave.
        despatch_time: Field<Time<'d>>,
        /// T01: the shipment.
        shipment: Field<Identifier<'d>>,
        /// tir01-p47: how urgent the shipment is.
        priority: Field<Code<'d>>,
        /// tir01-p036: the marks on the packages.
        marks: Field<Text<'d>>,
    }
}

group! {
    /// A period with times; or one day, which is its first and its last.
    OrderPeriod {
        /// DICO, cXML: the one day.
        day: Field<Date<'d>>,
        /// DICO: the time on that day.
        time: Field<Time<'d>>,
        /// The first day.
        start: Field<Date<'d>>,
        /// From what time.
        start_time: Field<Time<'d>>,
        /// The last day.
        end: Field<Date<'d>>,
        /// Until what time.
        end_time: Field<Time<'d>>,
    }
}

impl<'d> OrderPeriod<'d> {
    /// The one day that the period is: said so, or the first day that is the last, too.
    pub fn one_day(&self) -> Option<Date<'d>> {
        let day = self.day.filled();
        day.or_else(|| self.start.filled().filter(|start| self.end.is(&start.trimmed())))
    }
}

group! {
    /// DICO: how goods are to be carried (`TransportInstruction`).
    TransportInstruction {
        /// By code.
        code: Field<Code<'d>>,
        /// In words.
        text: Field<Text<'d>>,
    }
}
