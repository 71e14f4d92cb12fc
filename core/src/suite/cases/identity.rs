//! Who is counted.

use super::{Case, Step};

const BY_KEY: &str =
    r#"{"client": [{"bearer": true}, {"header": "x-api-key"}, {"cookie": "session"}], "limits": ["2/h"]}"#;

pub(super) const CASES: &[Case] = &[
    Case {
        name: "every address is a client",
        filters: &[r#"{"limits": [{"rate": "2/h", "per": ["ip"]}]}"#],
        steps: &[
            Step::get("/").from(0, 2).times(4, 2),
            Step::get("/").from(0, 3).times(4, 2),
            Step::get("/").from(0, 2).with(&[("x-forwarded-for", "192.0.2.7")]).times(2, 0).shows(2, 0),
        ],
    },
    Case {
        name: "or as much of it as is configured",
        filters: &[r#"{"ip": {"v4_prefix": 24}, "limits": [{"rate": "2/h", "per": ["ip"]}]}"#],
        steps: &[
            Step::get("/").from(1, 2).times(1, 1),
            Step::get("/").from(1, 200).times(4, 1),
            Step::get("/").from(2, 2).times(4, 2),
        ],
    },
    Case {
        name: "the first source that yields a value names the caller",
        filters: &[BY_KEY],
        steps: &[
            Step::get("/").with(&[("authorization", "Bearer K"), ("x-api-key", "K")]).times(4, 2),
            Step::get("/").with(&[("authorization", "Basic K"), ("x-api-key", "K")]).times(4, 2),
            Step::get("/").with(&[("x-api-key", ""), ("cookie", "a=b; session=K")]).times(4, 2),
            Step::get("/").with(&[("cookie", "sessions=K")]).times(4, 2),
            Step::get("/").times(2, 0).shows(2, 0),
            Step::get("/").with(&[("x-api-key", "K")]).from(0, 2).times(2, 0),
        ],
    },
    Case {
        name: "spellings of one credential are one caller",
        filters: &[BY_KEY],
        steps: &[
            Step::get("/").with(&[("authorization", "Bearer K")]),
            Step::get("/").with(&[("authorization", "bearer   K")]).times(2, 1).shows(2, 0),
            Step::get("/").with(&[("authorization", "BEARER K")]).times(2, 0),
            Step::get("/").with(&[("authorization", "Bearer k")]).times(4, 2),
            Step::get("/").with(&[("cookie", "session=K")]),
            Step::get("/").with(&[("cookie", "x=1;session=\"K\"")]).times(3, 1),
        ],
    },
    Case {
        name: "a credential given twice names nobody",
        filters: &[BY_KEY],
        steps: &[
            Step::get("/").with(&[("x-api-key", "a"), ("x-api-key", "b")]),
            Step::get("/").with(&[("x-api-key", "a"), ("x-api-key", "a")]),
            Step::get("/").with(&[("cookie", "session=a; session=b")]).times(2, 0),
            Step::get("/").with(&[("authorization", "Bearer a"), ("authorization", "Bearer b")]).times(2, 0),
            Step::get("/").times(2, 0).shows(2, 0),
            Step::get("/").with(&[("x-api-key", "a")]).times(4, 2),
        ],
    },
    Case {
        name: "a key that is missing is counted by address, apart from every value",
        filters: &[r#"{"limits": [{"rate": "2/h", "per": ["header:x-tenant"]}]}"#],
        steps: &[
            Step::get("/").with(&[("x-tenant", "127.0.0.1")]).times(4, 2),
            Step::get("/").times(4, 2),
            Step::get("/").with(&[("x-tenant", "")]).times(2, 0),
            Step::get("/").from(0, 2).times(4, 2),
        ],
    },
    Case {
        name: "several parts make one key",
        filters: &[r#"{"limits": [{"rate": "2/h", "per": ["header:x-tenant", "cookie:user", "method"]}]}"#],
        steps: &[
            Step::get("/").with(&[("x-tenant", "a"), ("cookie", "user=bc")]).times(4, 2),
            Step::get("/").with(&[("x-tenant", "ab"), ("cookie", "user=c")]).times(4, 2),
            Step::new("PUT", "/").with(&[("x-tenant", "a"), ("cookie", "user=bc")]).times(4, 2),
            Step::get("/other").with(&[("cookie", "user=bc"), ("x-tenant", "a")]).times(2, 0),
        ],
    },
];
