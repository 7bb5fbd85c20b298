//! The tax categories, each with a family of rules: those of EN 16931 (UNTDID 5305), and those that
//! jurisdictions of PINT have beside them.

/// A category that has rules of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// `N`: profit margin (United Arab Emirates).
    Margin,
    /// `SA`: sales tax (Malaysia).
    Sales,
    /// `SE`: service tax (Malaysia).
    Service,
    /// `HVG`: goods of high value (Malaysia).
    HighValue,
    /// `LVG`: goods of low value (Malaysia).
    LowValue,
    /// `TTX`: tourism tax (Malaysia).
    Tourism,
    /// `NG`: the seller is not registered (Singapore).
    Unregistered,
}

/// How many there are.
pub(in crate::rules) const COUNT: usize = 16;

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
            "N" => Category::Margin,
            "SA" => Category::Sales,
            "SE" => Category::Service,
            "HVG" => Category::HighValue,
            "LVG" => Category::LowValue,
            "TTX" => Category::Tourism,
            "NG" => Category::Unregistered,
            _ => return None,
        })
    }

    /// The category of a rule by its identifier, `BR-IC-02`. Until release 1.3.13 the rules of L
    /// and M were `IG` and `IP`, later `AF` and `AG`. Jurisdictions of PINT write
    /// `aligned-ibrp-e-08-ae`.
    pub(in crate::rules) fn of_rule(id: &str) -> Option<Category> {
        let mut parts = id.split('-');
        let is_aligned = parts.next()?.eq_ignore_ascii_case("aligned");
        let part = if is_aligned { parts.nth(1)? } else { parts.next()? };
        Category::of_code(match part {
            "IC" => "K",
            "AF" | "IG" => "L",
            "AG" | "IP" => "M",
            code => return Category::of_code(&code.to_uppercase()),
        })
    }
}
