//! The index against a scan of all rules.

mod agreement;
mod prefixes;
mod reference;
mod repeats;
#[path = "../../../benches/matching/sets.rs"]
mod sets;
mod work;

use super::{Matcher, Purpose, Scratch, Subject};
use crate::config;
use crate::http::{NormalPath, host, is_preflight, path};
use crate::policy::RequestMatch;

/// A request as a test writes it.
#[derive(Debug, Clone)]
struct Asked {
    method: String,
    path: Option<Vec<u8>>,
    host: Option<Vec<u8>>,
    fields: Vec<(String, Vec<u8>)>,
}

impl Asked {
    fn get(path: &str, fields: &[(&str, &str)]) -> Self {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        Self { method: "GET".to_owned(), path: Some(path.into()), host: Some(b"a.test".to_vec()), fields }
    }

    fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> + Clone {
        self.fields.iter().map(|(name, value)| (name.as_bytes(), value.as_slice()))
    }

    fn field(&self, wanted: &str) -> Option<&[u8]> {
        self.fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_slice())
    }

    /// Hands over what is matched, in normal form.
    fn with<T>(&self, ask: impl FnOnce(&Subject<'_>) -> T) -> T {
        let (mut path_scratch, mut host_scratch) = (Vec::new(), Vec::new());
        let method = self.method.as_bytes();
        let preflight = is_preflight(method, self.field("origin"), self.field("access-control-request-method"));
        let path: Option<NormalPath<'_>> =
            self.path.as_deref().map(|raw| path::normalise(raw, false, &mut path_scratch));
        let host = self.host.as_deref().map(|raw| host::normalise(raw, &mut host_scratch));
        ask(&Subject { method, preflight, path, host, raw_path: self.path.as_deref() })
    }

    fn first(&self, matcher: &Matcher, scratch: &mut Scratch) -> Option<usize> {
        self.with(|subject| matcher.find(subject, || self.fields(), scratch))
    }
}

/// The matches of rules, each given as the JSON of its `match`.
fn matches(rules: &[&str]) -> Vec<RequestMatch> {
    let rule = |(place, json): (usize, &&str)| format!(r#"{{"name": "r{place}", "match": {json}, "limits": ["1/s"]}}"#);
    let rules: Vec<String> = rules.iter().enumerate().map(rule).collect();
    let config = format!(r#"{{"rules": [{}]}}"#, rules.join(","));
    let policy = config::parse(config.as_bytes()).unwrap_or_else(|fault| panic!("{config}: {fault}"));
    policy.rules.into_iter().map(|rule| rule.matches).collect()
}

fn first(rules: &[&str], purpose: Purpose, asked: &Asked) -> Option<usize> {
    let matcher = Matcher::new(&matches(rules), purpose);
    asked.first(&matcher, &mut Scratch::default())
}
