//! Tests of `ownership`: in every life of an identifier, nobody takes what another holds, and
//! nobody speaks under what is not its own (TE-1, TE-2).

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[test]
fn words_lead_back_to_their_basis() {
    for basis in HoldingBasis::ALL {
        assert_eq!(HoldingBasis::named(basis.as_str()), Some(basis));
    }
}

#[test]
fn te_1_only_the_holder_or_a_verified_former_holder_speaks() {
    let other = Holder::Other { lets_go: true };
    let cases = [
        (Holder::Asker, false, ActingRight::Speaks),
        (Holder::Asker, true, ActingRight::Speaks),
        (Holder::Nobody, false, ActingRight::Unverified),
        (Holder::Nobody, true, ActingRight::Speaks),
        (other, true, ActingRight::Elsewhere),
        (other, false, ActingRight::Elsewhere),
    ];
    for (holder, verified, expected) in cases {
        assert_eq!(standing(holder, verified), expected, "{holder:?} {verified}");
    }
}

/// What organisations do with one identifier.
#[derive(Debug, Clone)]
enum Act {
    /// One records it, without a verification.
    Record,
    /// One verifies it, showing a key or none.
    Verify(u8, Option<u8>),
    /// One lets it go with a key.
    Leave(u8, u8),
    /// One gives it up.
    GiveUp(u8),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        Just(Act::Record),
        (0u8..3, prop::option::of(0u8..2)).prop_map(|(who, key)| Act::Verify(who, key)),
        (0u8..3, 0u8..2).prop_map(|(who, key)| Act::Leave(who, key)),
        (0u8..3).prop_map(Act::GiveUp),
    ]
}

#[derive(Default)]
struct World {
    holder: Option<u8>,
    key: Option<u8>,
    verified: BTreeMap<u8, bool>,
}

impl World {
    fn holder_for(&self, asker: u8, key: Option<u8>) -> Holder {
        match self.holder {
            None => Holder::Nobody,
            Some(holder) if holder == asker => Holder::Asker,
            Some(_) => Holder::Other { lets_go: self.key.is_some() && self.key == key },
        }
    }

    fn act(&mut self, act: &Act) {
        match *act {
            Act::Record => {}
            Act::Verify(who, key) => {
                let claimed = claim(self.holder_for(who, key));
                if claimed != Claimed::Refused {
                    if claimed == Claimed::Moved {
                        self.key = None;
                    }
                    self.holder = Some(who);
                    self.verified.insert(who, true);
                }
            }
            Act::Leave(who, key) if self.holder == Some(who) => self.key = Some(key),
            Act::GiveUp(who) if self.holder == Some(who) => (self.holder, self.key) = (None, None),
            Act::Leave(..) | Act::GiveUp(_) => {}
        }
    }
}

proptest! {
    #[test]
    fn te_2_an_owner_changes_only_by_its_own_will(acts in prop::collection::vec(act(), 0..40)) {
        let mut world = World::default();
        for act in acts {
            let (before, key) = (world.holder, world.key);
            world.act(&act);
            if before.is_some() && before != world.holder {
                let by_key =
                    matches!(act, Act::Verify(_, shown) if shown.is_some() && shown == key);
                let by_itself = matches!(act, Act::GiveUp(who) if Some(who) == before);
                prop_assert!(by_key || by_itself, "{act:?}");
            }
            let speaks = |who: u8| {
                let verified = world.verified.get(&who).copied().unwrap_or(false);
                standing(world.holder_for(who, None), verified) == ActingRight::Speaks
            };
            let all = (0..3).filter(|who| speaks(*who)).count();
            if let Some(holder) = world.holder {
                prop_assert!(all == 1 && speaks(holder), "only the holder speaks: {act:?}");
            }
            for who in 0..3 {
                let verified = world.verified.get(&who).copied().unwrap_or(false);
                prop_assert!(verified || !speaks(who), "who verified nothing is silent: {act:?}");
            }
        }
    }
}
