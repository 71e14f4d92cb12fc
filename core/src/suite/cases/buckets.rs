//! How much passes.

use super::{Case, Step};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "a burst passes at once, then what the rate refills",
        filters: &[r#"{"limits": [{"rate": "1/2s", "burst": 3}]}"#],
        steps: &[Step::get("/").times(5, 3).shows(3, 0), Step::get("/").after(2).times(3, 1).shows(3, 0)],
    },
    Case {
        name: "the shown number is the rate's where the burst is smaller",
        filters: &[r#"{"limits": [{"rate": "100/h", "burst": 2}]}"#],
        steps: &[Step::get("/").shows(100, 1), Step::get("/").times(3, 1).shows(100, 0)],
    },
    Case {
        name: "a refusal costs nothing",
        filters: &[r#"{"limits": [{"rate": "1/2s", "burst": 1}]}"#],
        steps: &[Step::get("/").times(20, 1), Step::get("/").after(2).times(20, 1)],
    },
    Case {
        name: "limits are charged together or not at all",
        filters: &[r#"{"client": [{"header": "x-api-key"}],
            "limits": [{"rate": "10/h", "per": ["ip"]}], "rules": [{"name": "each", "limits": ["3/h"]}]}"#],
        steps: &[
            Step::get("/").with(&[("x-api-key", "a")]).times(8, 3).shows(3, 0),
            Step::get("/").with(&[("x-api-key", "b")]).times(8, 3).shows(3, 0),
            Step::get("/").with(&[("x-api-key", "c")]).times(8, 3).shows(3, 0),
            // Had fifteen refusals been charged, nothing would be left for the fourth.
            Step::get("/").with(&[("x-api-key", "d")]).times(8, 1).shows(10, 0),
            Step::get("/").with(&[("x-api-key", "d")]).from(0, 2).times(8, 2).shows(3, 0),
        ],
    },
    Case {
        name: "of several limits the one nearest to exhaustion is shown",
        filters: &[r#"{"limits": [{"rate": "6/h", "name": "six"}, {"rate": "4/h", "name": "four", "per": []}]}"#],
        steps: &[
            Step::get("/").shows(4, 3),
            Step::get("/").from(0, 2).times(2, 2).shows(4, 1),
            Step::get("/").from(0, 3).times(2, 1).shows(4, 0),
        ],
    },
    Case {
        name: "one bucket for everybody",
        filters: &[r#"{"limits": [{"rate": "5/h", "per": []}]}"#],
        steps: &[Step::get("/a").times(3, 3).shows(5, 2), Step::new("POST", "/b").from(0, 2).times(4, 2).shows(5, 0)],
    },
];
