//! A table that is full.

use super::{Case, Step};

const fn key(fields: &'static [(&'static str, &'static str)]) -> Step {
    Step::get("/").with(fields)
}

const A: &[(&str, &str)] = &[("x-api-key", "a")];
const B: &[(&str, &str)] = &[("x-api-key", "b")];
const C: &[(&str, &str)] = &[("x-api-key", "c")];
const D: &[(&str, &str)] = &[("x-api-key", "d")];
const E: &[(&str, &str)] = &[("x-api-key", "e")];

pub(super) const CASES: &[Case] = &[
    Case {
        name: "newcomers take the places of the least indebted, not of a client at its limit",
        filters: &[r#"{"store": {"max_entries": 3}, "client": [{"header": "x-api-key"}], "limits": ["4/h"]}"#],
        steps: &[
            key(A).times(5, 4),
            key(B).times(2, 2),
            key(C).shows(4, 3),
            // In place of c, whose debt is the smallest.
            key(D).shows(4, 3),
            key(B).shows(4, 1),
            key(E).shows(4, 3),
            key(A).times(2, 0),
            key(C).shows(4, 3),
            key(B).times(3, 1).shows(4, 0),
            key(A).times(2, 0),
        ],
    },
    Case {
        name: "where all are at the limit the one nearest to recovery makes way",
        filters: &[r#"{"store": {"max_entries": 3}, "client": [{"header": "x-api-key"}], "limits": ["1/h"]}"#],
        steps: &[
            key(A).times(2, 1),
            key(B).times(2, 1),
            key(C).times(2, 1),
            key(D).times(2, 1),
            key(B).times(2, 0),
            key(C).times(2, 0),
            key(A).times(2, 1),
        ],
    },
    Case {
        name: "or newcomers share one bucket",
        filters: &[r#"{"store": {"max_entries": 3, "when_full": "overflow"}, "client": [{"header": "x-api-key"}],
            "limits": ["2/h"]}"#],
        steps: &[
            key(A).times(3, 2),
            key(B).times(3, 2),
            key(C).times(3, 2),
            key(D).times(1, 1).shows(2, 1),
            key(E).times(3, 1).shows(2, 0),
            key(D).times(2, 0),
            key(A).times(2, 0),
            key(C).times(2, 0),
        ],
    },
    Case {
        name: "entries that are full again go first",
        filters: &[r#"{"store": {"max_entries": 3}, "client": [{"header": "x-api-key"}],
            "rules": [{"name": "quick", "match": {"paths": ["/quick"]}, "limits": [{"rate": "4/2s"}]},
                      {"name": "slow", "limits": ["4/h"]}]}"#],
        steps: &[
            key(A).times(1, 1).shows(4, 3),
            Step::get("/quick").with(B).times(3, 3),
            Step::get("/quick").with(C).times(3, 3),
            key(D).after(2).times(1, 1),
            key(E).times(1, 1),
            key(A).times(1, 1).shows(4, 2),
        ],
    },
];
