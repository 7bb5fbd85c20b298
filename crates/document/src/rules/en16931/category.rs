//! The VAT categories of EN 16931 (UNTDID 5305), each with a family of rules.

/// A category that has rules of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::rules) enum Category {
    /// `S`: standard rate.
    Standard,
    /// `Z`: zero rated.
    Zero,
    /// `E`: exempt.
    Exempt,
    /// `AE`: reverse charge.
    Reverse,
    /// `K`: supply inside the community.
    Community,
    /// `G`: export.
    Export,
    /// `O`: not subject to VAT.
    Outside,
    /// `L`: Canary Islands (IGIC).
    Canary,
    /// `M`: Ceuta and Melilla (IPSI).
    Ceuta,
}

/// How many there are.
pub(in crate::rules) const COUNT: usize = 9;

impl Category {
    /// The category of a code, spelled exactly so.
    pub(in crate::rules) fn of_code(code: &str) -> Option<Category> {
        Some(match code {
            "S" => Category::Standard,
            "Z" => Category::Zero,
            "E" => Category::Exempt,
            "AE" => Category::Reverse,
            "K" => Category::Community,
            "G" => Category::Export,
            "O" => Category::Outside,
            "L" => Category::Canary,
            "M" => Category::Ceuta,
            _ => return None,
        })
    }

    /// The category of a rule by its identifier, `BR-IC-02`. Until release 1.3.13 the rules of L
    /// and M were `IG` and `IP`, later `AF` and `AG`.
    pub(in crate::rules) fn of_rule(id: &str) -> Option<Category> {
        Category::of_code(match id.split('-').nth(1)? {
            "IC" => "K",
            "AF" | "IG" => "L",
            "AG" | "IP" => "M",
            code => code,
        })
    }
}
