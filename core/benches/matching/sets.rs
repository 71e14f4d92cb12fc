//! Sets of rules of one kind, of any size, with requests that meet them.

/// A configuration and requests to it.
pub(crate) struct Set {
    /// What the rules differ in.
    pub(crate) kind: &'static str,
    /// The whole configuration, JSON.
    pub(crate) config: String,
    /// Requests that meet the first rule, some between, the last and none.
    pub(crate) requests: Vec<SetRequest>,
}

/// A request and the rule that it meets.
pub(crate) struct SetRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) host: String,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) rule: Option<usize>,
}

/// The `match` of rule `i`, and a request to it: what differs from `GET / HTTP/1.1`, `Host: api.test`.
type Kind = (&'static str, fn(usize) -> String, fn(usize, &mut SetRequest));

const KINDS: &[Kind] = &[
    (
        "literal paths",
        |i| format!(r#"{{"paths": ["/api/resource-{i}"]}}"#),
        |i, request| request.path = format!("/api/resource-{i}"),
    ),
    (
        "subtrees",
        |i| format!(r#"{{"paths": ["/tenant-{i}/**"]}}"#),
        |i, request| request.path = format!("/tenant-{i}/orders/17"),
    ),
    (
        "wildcards and captures",
        |i| format!(r#"{{"paths": ["/users/{{id}}/part-{i}", "/orgs/*/{{name}}/part-{i}/**"]}}"#),
        |i, request| request.path = format!("/orgs/acme/x/part-{i}/17"),
    ),
    (
        "shared prefixes",
        |i| format!(r#"{{"paths": ["/shop/v{}/area-{}/item-{i}/**"]}}"#, i % 10, i / 10 % 10),
        |i, request| request.path = format!("/shop/v{}/area-{}/item-{i}/x", i % 10, i / 10 % 10),
    ),
    ("methods", |i| format!(r#"{{"methods": ["M{i}"]}}"#), |i, request| request.method = format!("M{i}")),
    (
        "methods of one path each",
        |i| format!(r#"{{"methods": ["{}"], "paths": ["/r{}"]}}"#, METHODS[i % 4], i / 4),
        |i, request| {
            request.method = METHODS[i % 4].to_owned();
            request.path = format!("/r{}", i / 4);
        },
    ),
    (
        "methods of one path",
        |i| format!(r#"{{"methods": ["M{i}"], "paths": ["/rpc/**"]}}"#),
        |i, request| {
            request.method = format!("M{i}");
            request.path = "/rpc/x".to_owned();
        },
    ),
    (
        "hosts",
        |i| format!(r#"{{"hosts": ["t{i}.example.com"]}}"#),
        |i, request| request.host = format!("t{i}.example.com"),
    ),
    (
        "wildcard hosts and paths",
        |i| format!(r#"{{"hosts": ["*.t{i}.example.com"], "paths": ["/api/**"]}}"#),
        |i, request| {
            request.host = format!("www.t{i}.example.com:8443");
            request.path = "/api/x".to_owned();
        },
    ),
    (
        "header equals",
        |i| format!(r#"{{"headers": [{{"name": "x-tenant", "equals": "t{i}"}}]}}"#),
        |i, request| request.field("x-tenant", format!("t{i}")),
    ),
    (
        "header equals, one of two",
        |i| {
            format!(
                r#"{{"headers": [{{"name": "x-env", "equals": "live"}}, {{"name": "x-tenant", "equals": "t{i}"}}]}}"#
            )
        },
        |i, request| {
            request.field("x-env", "live".to_owned());
            request.field("x-tenant", format!("t{i}"));
        },
    ),
    (
        "header prefix",
        |i| format!(r#"{{"headers": [{{"name": "x-tenant", "prefix": "t{i}-"}}]}}"#),
        |i, request| request.field("x-tenant", format!("t{i}-eu")),
    ),
    (
        "header regex",
        |i| format!(r#"{{"headers": [{{"name": "x-tenant", "regex": "t{i}-[a-z]+"}}]}}"#),
        |i, request| request.field("x-tenant", format!("t{i}-eu")),
    ),
    (
        "header names",
        |i| format!(r#"{{"headers": [{{"name": "x-feature-{i}", "present": true}}]}}"#),
        |i, request| request.field(&format!("x-feature-{i}"), "1".to_owned()),
    ),
    (
        "query",
        |i| format!(r#"{{"paths": ["/search"], "query": [{{"name": "tenant", "equals": "t{i}"}}]}}"#),
        |i, request| request.path = format!("/search?q=weir&tenant=t{i}"),
    ),
    (
        "path regex",
        |i| format!(r#"{{"path_regex": "/v1/t{i}/[0-9]+"}}"#),
        |i, request| request.path = format!("/v1/t{i}/17"),
    ),
];

const METHODS: [&str; 4] = ["GET", "POST", "PUT", "DELETE"];

/// Of every kind, a set of `rules` rules.
pub(crate) fn all(rules: usize) -> impl Iterator<Item = Set> {
    KINDS.iter().map(move |(kind, matches, ask)| {
        let rule = |i| format!(r#"{{"name": "r{i}", "match": {}, "limits": ["1/s"]}}"#, matches(i));
        let list: Vec<String> = (0..rules).map(rule).collect();
        let request = |i: usize| {
            let mut request = SetRequest {
                method: "GET".to_owned(),
                path: "/".to_owned(),
                host: "api.test".to_owned(),
                fields: Vec::new(),
                rule: (i < rules).then_some(i),
            };
            for (name, value) in [
                ("accept", "application/json"),
                ("user-agent", "Mozilla/5.0 (X11; Linux x86_64)"),
                ("x-request-id", "f05b6a9e-6a0b-4a8e-9f0c-1f2b3c4d5e6f"),
            ] {
                request.field(name, value.to_owned());
            }
            ask(i, &mut request);
            request
        };
        // The one after the last meets none.
        let requests = [0, rules / 3, rules / 2, rules - 1, rules].map(request).into();
        Set { kind, config: format!(r#"{{"rules": [{}]}}"#, list.join(",")), requests }
    })
}

impl SetRequest {
    fn field(&mut self, name: &str, value: String) {
        self.fields.push((name.to_owned(), value));
    }
}
