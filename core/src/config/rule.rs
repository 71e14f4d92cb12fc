//! `rules`: the first that matches a request applies.

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::Shape;
use super::limit::{self, Owner, Site};
use super::show::quoted;
use super::{matching, name};
use crate::http::pattern::PathPattern;
use crate::policy::Rule;

const RULE: Shape = Shape { what: "an object", known: &["name", "match", "limits"] };

/// What the limits outside of rules have for a rule's name.
pub(super) const TOP_LEVEL: &str = "all";

/// The rules in order: their names are unique, and each can be reached.
pub(super) fn list(cursor: &Cursor<'_>, site: &Site) -> Result<Vec<Rule>, ConfigError> {
    let mut rules: Vec<Rule> = Vec::new();
    for item in cursor.some("a list of at least one rule")? {
        let rule = rule(&item, site)?;
        let path = cursor.path();
        if let Some(twin) = rules.iter().position(|earlier| earlier.name == rule.name) {
            let message = format!("{} is the name of {path}[{twin}] already", quoted(&rule.name));
            return Err(ConfigError::new(format!("{}.name", item.path()), message));
        }
        if let Some(all) = rules.iter().position(|earlier| earlier.matches.matches_everything()) {
            return Err(item.error(format!("never reached: {path}[{all}] matches everything")));
        }
        if let Some(twin) = rules.iter().position(|earlier| matching::same(&earlier.matches, &rule.matches)) {
            return Err(item.error(format!("never reached: {path}[{twin}] matches the same")));
        }
        rules.push(rule);
    }
    Ok(rules)
}

fn rule(cursor: &Cursor<'_>, site: &Site) -> Result<Rule, ConfigError> {
    let fields = cursor.fields(&RULE)?;
    let name = name::label(&fields.require("name", "a name")?)?;
    let matches = fields.read("match", |field| matching::read(field, site.fold_case))?.unwrap_or_default();
    let captures: Vec<&str> = matches.paths.iter().flatten().flat_map(PathPattern::names).collect();
    let owner = Owner { name: &name, captures: &captures, site };
    let limits = limit::list(&fields.require("limits", "a list of at least one limit")?, &owner)?;
    Ok(Rule { name, matches, limits })
}
