//! Which limits a request meets.

use super::{Case, Step};

const PREFLIGHT: &[(&str, &str)] = &[("origin", "https://app.test"), ("access-control-request-method", "PUT")];

pub(super) const CASES: &[Case] = &[
    Case {
        name: "the first rule that matches applies",
        filters: &[r#"{"rules": [
            {"name": "login", "match": {"methods": ["POST"], "paths": ["/login", "/auth/**"]}, "limits": ["11/h"]},
            {"name": "reads", "match": {"methods": ["GET"]}, "limits": ["12/h"]},
            {"name": "rest", "limits": ["13/h"]}]}"#],
        steps: &[
            Step::new("POST", "/login").shows(11, 10),
            Step::new("POST", "/auth").shows(11, 9),
            Step::new("POST", "/auth/a/b").shows(11, 8),
            Step::new("POST", "/loginx").shows(13, 12),
            Step::get("/login").shows(12, 11),
            Step::new("HEAD", "/login").shows(12, 10),
            Step::new("PROPFIND", "/login").shows(13, 11),
        ],
    },
    Case {
        name: "where no rule matches nothing is limited",
        filters: &[r#"{"rules": [{"name": "x", "match": {"paths": ["/x/*"]}, "limits": ["1/h"]}]}"#],
        steps: &[
            Step::get("/x").times(5, 5).shows_nothing(),
            Step::get("/x/a/b").times(5, 5).shows_nothing(),
            Step::get("/x/a").times(3, 1).shows(1, 0),
        ],
    },
    Case {
        name: "spellings of one path are one path",
        filters: &[
            r#"{"rules": [{"name": "l", "match": {"paths": ["/login"]}, "limits": [{"rate": "8/h", "per": ["path"]}]}]}"#,
        ],
        steps: &[
            Step::get("/login").shows(8, 7),
            Step::get("/login/").shows(8, 6),
            Step::get("/login?x=1").shows(8, 5),
            Step::get("/lo%67in").shows(8, 4),
            Step::get("/a/../login").shows(8, 3),
            Step::get("/./login").shows(8, 2),
            Step::get("/login;v=1").shows(8, 1),
            Step::get("/x//../../login//").shows(8, 0),
            Step::get("/LOGIN").shows_nothing(),
            Step::get("/login%2F").shows_nothing(),
        ],
    },
    Case {
        name: "case is folded on demand",
        filters: &[r#"{"case_insensitive_paths": true,
            "rules": [{"name": "l", "match": {"paths": ["/Login"]}, "limits": [{"rate": "2/h", "per": ["path"]}]}]}"#],
        steps: &[Step::get("/login"), Step::get("/LOGIN").shows(2, 0), Step::get("/lOgIn").times(2, 0)],
    },
    Case {
        name: "a captured segment is a key",
        filters: &[r#"{"rules": [{"name": "u", "match": {"paths": ["/users/{id}/**"]},
            "limits": [{"rate": "2/h", "per": ["path:id"]}]}]}"#],
        steps: &[
            Step::get("/users/7/a").times(1, 1),
            Step::new("POST", "/users/%37/b?x").from(0, 2).times(2, 1).shows(2, 0),
            Step::get("/users/7").times(2, 0),
            Step::get("/users/8").times(4, 2),
        ],
    },
    Case {
        name: "hosts are compared without port and case",
        filters: &[
            r#"{"rules": [{"name": "h", "match": {"hosts": ["a.test", "*.b.test"]}, "limits": [{"rate": "3/h", "per": ["host"]}]}]}"#,
        ],
        steps: &[
            Step::get("/").host("a.test").shows(3, 2),
            Step::get("/").host("A.Test:8443").shows(3, 1),
            Step::get("/").host("a.test.").shows(3, 0),
            Step::get("/").host("x.y.b.test").shows(3, 2),
            Step::get("/").host("b.test").shows_nothing(),
            Step::get("/").host("ab.test").shows_nothing(),
        ],
    },
    Case {
        name: "a preflight meets the top level and rules that name its method",
        filters: &[r#"{"limits": [{"rate": "9/h", "per": ["ip"]}], "rules": [
            {"name": "named", "match": {"methods": ["OPTIONS"], "paths": ["/named"]}, "limits": ["2/h"]},
            {"name": "rest", "limits": ["1/h"]}]}"#],
        steps: &[
            Step::new("OPTIONS", "/x").with(PREFLIGHT).times(4, 4).shows(9, 5),
            Step::new("OPTIONS", "/named").with(PREFLIGHT).times(4, 2).shows(2, 0),
            Step::new("OPTIONS", "/x").with(&[("origin", "https://app.test")]).times(4, 1).shows(1, 0),
            Step::new("OPTIONS", "/x").with(PREFLIGHT).times(4, 2).shows(9, 0),
        ],
    },
];
