//! `plans`: what callers of different standing may do.

use std::collections::BTreeMap;

use super::cursor::Cursor;
use super::error::ConfigError;
use super::fields::{Fields, Shape};
use super::limit::{self, Owner, Site};
use super::value::Value;
use super::{attribute, name, url};
use crate::policy::{ClientPlans, ClientSource, CredentialDigest, Plan, PlanPolicy, PlanSource};

const PLANS: Shape = Shape { what: "an object", known: &["assign", "default", "tiers", "upgrade_url"] };

const SOURCE_WHAT: &str = "an object with one of metadata, property, header, clients";

const SOURCE: Shape = Shape { what: SOURCE_WHAT, known: &["metadata", "property", "header", "clients", "trusted"] };

const TIER: Shape = Shape { what: "an object with limits", known: &["limits"] };

/// Before the SHA-256 of a credential, in hexadecimal digits.
const DIGEST_PREFIX: &str = "sha256:";

/// The plans, for callers that `client` finds.
pub(super) fn read(cursor: &Cursor<'_>, client: &[ClientSource], site: &Site) -> Result<PlanPolicy, ConfigError> {
    let fields = cursor.fields(&PLANS)?;
    let tiers = tiers(&fields.require("tiers", "an object with at least one plan")?, site)?;
    let default = fields.read("default", |field| tier(field, &tiers))?;
    let assign = fields.read("assign", |field| assign(field, &tiers, client))?;
    if assign.is_none() && default.is_none() {
        return Err(cursor.error("expected assign or default: without both nobody has a plan"));
    }
    let upgrade_url = fields.read("upgrade_url", url::read)?;
    Ok(PlanPolicy { assign: assign.unwrap_or_default(), default, tiers, upgrade_url })
}

fn tiers(cursor: &Cursor<'_>, site: &Site) -> Result<Vec<Plan>, ConfigError> {
    let plan = |(given, field): &(&str, Cursor<'_>)| {
        let name = name::key(field, given)?;
        let limits = field.fields(&TIER)?.require("limits", "a list of at least one limit")?;
        let limits = limit::list(&limits, &Owner { name: &name, captures: &[], site })?;
        Ok(Plan { name, limits })
    };
    cursor.entries("an object with at least one plan")?.iter().map(plan).collect()
}

/// A tier by its name, as an index.
fn tier(cursor: &Cursor<'_>, tiers: &[Plan]) -> Result<usize, ConfigError> {
    let what = "the name of one of the tiers";
    let name = cursor.string(what)?;
    tiers.iter().position(|plan| plan.name == name).ok_or_else(|| cursor.expected(what))
}

fn assign(cursor: &Cursor<'_>, tiers: &[Plan], client: &[ClientSource]) -> Result<Vec<PlanSource>, ConfigError> {
    let mut sources: Vec<PlanSource> = Vec::new();
    for item in cursor.some("a list of at least one source")? {
        let source = source(&item, tiers, client)?;
        if let Some(twin) = sources.iter().position(|earlier| *earlier == source) {
            return Err(item.error(format!("the same as {}[{twin}]", cursor.path())));
        }
        sources.push(source);
    }
    Ok(sources)
}

fn source(cursor: &Cursor<'_>, tiers: &[Plan], client: &[ClientSource]) -> Result<PlanSource, ConfigError> {
    let fields = cursor.fields(&SOURCE)?;
    if let Some(header) = fields.get("header") {
        return trusted_header(&fields, &header).map(PlanSource::Header);
    }
    if let Some(trusted) = fields.get("trusted") {
        return Err(trusted.error("only a header is to be trusted"));
    }
    let (kind, field) = fields.only()?;
    match kind {
        "metadata" => attribute::metadata(&field).map(PlanSource::Attribute),
        "property" => attribute::property(&field).map(PlanSource::Attribute),
        _ if !client.iter().any(ClientSource::is_credential) => {
            Err(field.error("needs a bearer, header or cookie in client, which finds the credential"))
        }
        _ => clients(&field, tiers).map(PlanSource::Clients),
    }
}

/// Anybody can send a header: the configuration must say that nobody outside can send this one.
fn trusted_header(fields: &Fields<'_>, header: &Cursor<'_>) -> Result<String, ConfigError> {
    fields.nothing_but(&["header", "trusted"], "does not go with a header")?;
    let what = "true: something in front of Weir sets this header and strips the client's own";
    let trusted = fields.require("trusted", what)?;
    if *trusted.value() != Value::Bool(true) {
        return Err(trusted.expected(what));
    }
    name::header(header, header.string("the name of a header")?)
}

/// Credentials and their plans. A message names an entry by its place: a credential belongs into no log.
fn clients(cursor: &Cursor<'_>, tiers: &[Plan]) -> Result<ClientPlans, ConfigError> {
    let (mut plans, mut places) = (Vec::new(), BTreeMap::new());
    for (place, (credential, field)) in
        cursor.secret_entries("an object with at least one credential")?.iter().enumerate()
    {
        let digest = digest(field, credential)?;
        if let Some(twin) = places.insert(digest, place) {
            return Err(field.error(format!("the same credential as {}[{twin}]", cursor.path())));
        }
        plans.push((digest, tier(field, tiers)?));
    }
    Ok(ClientPlans::new(plans))
}

fn digest(entry: &Cursor<'_>, credential: &str) -> Result<CredentialDigest, ConfigError> {
    if let Some(digits) = credential.strip_prefix(DIGEST_PREFIX) {
        return from_hex(digits).ok_or_else(|| entry.error("expected 64 hexadecimal digits after sha256:"));
    }
    // As requests have it: what HTTP trims can be in no value.
    if credential.is_empty() || credential.trim_ascii() != credential {
        return Err(entry.error("expected a credential that is not empty and without blanks around it"));
    }
    Ok(CredentialDigest::of(credential.as_bytes()))
}

fn from_hex(digits: &str) -> Option<CredentialDigest> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let mut digest = [0; 32];
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
        return None;
    };
    if pairs.len() != digest.len() {
        return None;
    }
    for (byte, [high, low]) in digest.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(CredentialDigest(digest))
}
