//! Several filters on one store.

use super::{Case, Step};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "equal names share buckets",
        filters: &[
            r#"{"rules": [{"name": "r", "limits": [{"rate": "5/h", "name": "l"}]}]}"#,
            r#"{"rules": [{"name": "other", "match": {"paths": ["/x"]}, "limits": ["7/h"]},
                          {"name": "r", "match": {"methods": ["GET"]}, "limits": [{"rate": "5/h", "name": "l"}]}]}"#,
        ],
        steps: &[
            Step::get("/").times(2, 2).shows(5, 3),
            Step::get("/").on(1).times(2, 2).shows(5, 1),
            Step::get("/").times(3, 1).shows(5, 0),
            Step::get("/").on(1).times(2, 0),
        ],
    },
    Case {
        name: "names and instances that differ do not",
        filters: &[
            r#"{"instance": "a", "rules": [{"name": "b", "limits": [{"rate": "2/h", "name": "c"}]}]}"#,
            r#"{"instance": "x", "rules": [{"name": "b", "limits": [{"rate": "2/h", "name": "c"}]}]}"#,
            r#"{"instance": "a", "rules": [{"name": "x", "limits": [{"rate": "2/h", "name": "c"}]}]}"#,
            r#"{"instance": "a", "rules": [{"name": "b", "limits": [{"rate": "2/h", "name": "x"}]}]}"#,
            r#"{"instance": "a", "limits": [{"rate": "2/h", "name": "c"}]}"#,
            r#"{"instance": "ab", "rules": [{"name": "c", "limits": [{"rate": "2/h", "name": "c"}]}]}"#,
        ],
        steps: &[
            Step::get("/").on(0).times(3, 2),
            Step::get("/").on(1).times(3, 2),
            Step::get("/").on(2).times(3, 2),
            Step::get("/").on(3).times(3, 2),
            Step::get("/").on(4).times(3, 2),
            Step::get("/").on(5).times(3, 2),
        ],
    },
    Case {
        name: "debt is owed in other numbers too",
        filters: &[
            r#"{"rules": [{"name": "r", "limits": ["2/h"]}]}"#,
            r#"{"rules": [{"name": "r", "limits": ["5/h"]}]}"#,
        ],
        steps: &[
            Step::get("/").on(0).times(4, 2).shows(2, 0),
            Step::get("/").on(1).times(1, 1).shows(5, 2),
            Step::get("/").on(0).times(2, 0).shows(2, 0),
            Step::get("/").on(1).times(6, 2).shows(5, 0),
        ],
    },
    Case {
        name: "a table of another size is another table",
        filters: &[
            r#"{"store": {"max_entries": 100}, "limits": ["1/h"]}"#,
            r#"{"store": {"max_entries": 200}, "limits": ["1/h"]}"#,
        ],
        steps: &[Step::get("/").on(0).times(2, 1), Step::get("/").on(1).times(2, 1), Step::get("/").on(0).times(2, 0)],
    },
];
