//! Limits, prepared once for each configuration.

use crate::answer::names::LimitText;
use crate::engine::caller::Lookup;
use crate::engine::cost::CompiledCost;
use crate::engine::facts::{FieldId, Names};
use crate::engine::plans::PlanLookup;
use crate::engine::request::AttributePath;
use crate::policy::{Count, Limit, Mode, Part, Policy};
use crate::table::partition::{Partition, Salt};
use crate::table::secret::Secret;
use crate::table::shape::Shape;
use crate::table::transaction::Charge;
use crate::time::Nanos;

/// The rule label of top-level limits.
pub const TOP_LEVEL: &str = "all";
/// The rule label of plans' limits.
pub const PLAN: &str = "plan";

/// What is computed from a policy before its first request.
#[derive(Debug)]
pub struct Compiled {
    /// The fields to pick out of a request.
    pub names: Names,
    /// Whether any are needed.
    pub reads_headers: bool,
    /// How to find the caller.
    pub client: Vec<Lookup>,
    /// How to find the caller's plan.
    pub assign: Vec<PlanLookup>,
    /// The value that each exemption asks for, where it asks for one.
    pub exempt: Vec<Option<AttributePath>>,
    /// Every distinct `per`.
    pub pers: Vec<Vec<CompiledPart>>,
    /// Top-level limits.
    pub top: Vec<CompiledLimit>,
    /// The limits of each rule.
    pub rules: Vec<Vec<CompiledLimit>>,
    /// The limits of each plan.
    pub tiers: Vec<Vec<CompiledLimit>>,
    /// What limits asking what is left, where that is possible.
    pub asking: Option<CompiledLimit>,
}

/// Where a limit stands in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitPlace {
    /// Among the top-level limits.
    Top(usize),
    /// In the rule of the first index.
    Rule(usize, usize),
    /// In the plan of the first index.
    Plan(usize, usize),
}

/// One limit.
#[derive(Debug)]
pub struct CompiledLimit {
    /// As configured.
    pub limit: Limit,
    /// Where it stands.
    pub place: LimitPlace,
    /// Its numbers, ready for decisions.
    pub shape: Shape,
    /// What sets its buckets apart.
    pub salt: Salt,
    /// Since when it has these numbers.
    pub since: Nanos,
    /// Its `per`, as an index into [`Compiled::pers`].
    pub per: usize,
    /// What one request takes.
    pub cost: CompiledCost,
    /// Its fixed part of answers.
    pub text: LimitText,
}

/// A [`Part`] with its field looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompiledPart {
    /// The caller.
    Client,
    /// The peer's network.
    Ip,
    /// The caller's plan.
    Plan,
    /// The method.
    Method,
    /// The normalised path.
    Path,
    /// The normalised host.
    Host,
    /// A header.
    Header(FieldId),
    /// A bearer token.
    Bearer(FieldId),
    /// A cookie, by name.
    Cookie(String),
    /// A parameter of the query, by name.
    Query(String),
    /// A capture, by name.
    Capture(String),
    /// What the host knows.
    Attribute(AttributePath),
}

impl Compiled {
    /// Prepares `policy`, in force since `since`.
    #[must_use]
    pub fn new(policy: &Policy, secret: &Secret, since: Nanos) -> Self {
        let mut names = Names::default();
        let client: Vec<_> = policy.client.iter().map(|source| Lookup::new(source, &mut names)).collect();
        let assign = policy.plans.iter().flat_map(|plans| &plans.assign);
        let assign: Vec<_> = assign.map(|source| PlanLookup::new(source, &mut names)).collect();
        let property = |one: &crate::policy::Exemption| Some(AttributePath::new(&one.property.as_ref()?.attribute));
        let mut compiled = Self {
            names,
            reads_headers: false,
            client,
            assign,
            exempt: policy.exempt.iter().map(property).collect(),
            pers: Vec::new(),
            top: Vec::new(),
            rules: Vec::new(),
            tiers: Vec::new(),
            asking: None,
        };
        // The kind comes first: a rule may have any name, so it must not be taken for another kind's.
        let own = |kind| [kind, policy.instance.as_str(), TOP_LEVEL];
        compiled.top = compiled.limits(&policy.limits, secret, since, &own("top"), LimitPlace::Top);
        for (index, rule) in policy.rules.iter().enumerate() {
            let scope = ["rule", &policy.instance, &rule.name];
            let limits = compiled.limits(&rule.limits, secret, since, &scope, |n| LimitPlace::Rule(index, n));
            compiled.rules.push(limits);
        }
        for (index, plan) in policy.plans.iter().flat_map(|plans| &plans.tiers).enumerate() {
            let place = |n| LimitPlace::Plan(index, n);
            let limits = compiled.limits(&plan.limits, secret, since, &["plan", &policy.instance, PLAN], place);
            compiled.tiers.push(limits);
        }
        if let Some(status) = &policy.status {
            let scope = ["status", &policy.instance, "status"];
            compiled.asking = compiled.limits(&[status.limit()], secret, since, &scope, LimitPlace::Top).pop();
        }
        compiled.reads_headers = compiled.needs_headers(policy);
        compiled
    }

    fn needs_headers(&self, policy: &Policy) -> bool {
        let parts = || self.pers.iter().flatten();
        let by_client = parts().any(|part| *part == CompiledPart::Client) || policy.plans.is_some();
        let by_other = |part: &CompiledPart| {
            !matches!(part, CompiledPart::Client | CompiledPart::Ip | CompiledPart::Plan | CompiledPart::Attribute(_))
        };
        !policy.rules.is_empty()
            || !policy.exempt.is_empty()
            || policy.status.is_some()
            // A preflight has no plan.
            || policy.plans.is_some()
            || parts().any(by_other)
            || (by_client && self.client.iter().any(Lookup::reads_headers))
            || self.assign.iter().any(PlanLookup::reads_headers)
            || self.all().any(|limit| matches!(limit.cost, CompiledCost::Header { .. }))
    }

    /// Every limit.
    pub fn all(&self) -> impl Iterator<Item = &CompiledLimit> {
        self.top.iter().chain(self.rules.iter().flatten()).chain(self.tiers.iter().flatten())
    }

    /// The limit at a place.
    #[must_use]
    pub fn at(&self, place: LimitPlace) -> Option<&CompiledLimit> {
        match place {
            LimitPlace::Top(limit) => self.top.get(limit),
            LimitPlace::Rule(rule, limit) => self.rules.get(rule)?.get(limit),
            LimitPlace::Plan(plan, limit) => self.tiers.get(plan)?.get(limit),
        }
    }

    /// Takes over from an earlier configuration since when limits have the numbers that they have here too.
    pub fn inherit(&mut self, earlier: &Self) {
        let own = self.top.iter_mut().chain(self.rules.iter_mut().flatten()).chain(self.tiers.iter_mut().flatten());
        for limit in own {
            let same = |other: &&CompiledLimit| other.salt == limit.salt && other.shape.numbers == limit.shape.numbers;
            if let Some(other) = earlier.all().find(same) {
                limit.since = limit.since.min(other.since);
            }
        }
    }

    fn limits(
        &mut self,
        limits: &[Limit],
        secret: &Secret,
        since: Nanos,
        scope: &[&str; 3],
        place: impl Fn(usize) -> LimitPlace,
    ) -> Vec<CompiledLimit> {
        let [kind, instance, label] = *scope;
        let compile = |(index, limit): (usize, &Limit)| CompiledLimit {
            limit: limit.clone(),
            place: place(index),
            shape: Shape::new(limit.algorithm, limit.quota),
            salt: Salt::new(secret, &[kind, instance, label, &bucket_name(kind, index, limit)]),
            since,
            per: self.per(&limit.per),
            cost: CompiledCost::new(&limit.cost, &mut self.names),
            text: LimitText::new(limit, label),
        };
        limits.iter().enumerate().map(compile).collect()
    }

    fn per(&mut self, parts: &[Part]) -> usize {
        let per: Vec<_> = parts.iter().map(|part| CompiledPart::new(part, &mut self.names)).collect();
        let known = self.pers.iter().position(|known| *known == per);
        known.unwrap_or_else(|| {
            self.pers.push(per);
            self.pers.len().saturating_sub(1)
        })
    }
}

/// What names a limit's buckets. A plan's belong to the client whatever its plan, by their place in it, so that debt
/// follows a change of plan.
fn bucket_name(kind: &str, index: usize, limit: &Limit) -> String {
    if kind == "plan" { index.to_string() } else { limit.name.clone() }
}

impl CompiledLimit {
    /// Its demand.
    #[must_use]
    pub fn charge(&self, partition: Partition, cost: u64) -> Charge<'_> {
        let (shape, salt, since, enforce) = (&self.shape, self.salt, self.since, self.enforces());
        Charge { shape, salt, since, partition, cost, enforce }
    }

    /// Whether its refusal refuses the request.
    #[must_use]
    pub fn enforces(&self) -> bool {
        self.limit.mode == Mode::Enforce
    }

    /// The HTTP and the gRPC statuses that count; none where every request does.
    #[must_use]
    pub fn counted_responses(&self) -> (&[u16], &[u8]) {
        match &self.limit.count {
            Count::All => (&[], &[]),
            Count::Responses { status, grpc_status } => (status, grpc_status),
        }
    }

    /// Whether what it takes may be given back when the response is known.
    #[must_use]
    pub fn counts_responses(&self) -> bool {
        self.limit.count != Count::All
    }
}

impl CompiledPart {
    fn new(part: &Part, names: &mut Names) -> Self {
        match part {
            Part::Client => Self::Client,
            Part::Ip => Self::Ip,
            Part::Plan => Self::Plan,
            Part::Method => Self::Method,
            Part::Path => Self::Path,
            Part::Host => Self::Host,
            Part::Header(name) => Self::Header(names.intern(name)),
            Part::Bearer => Self::Bearer(names.intern("authorization")),
            Part::Cookie(name) => Self::Cookie(name.clone()),
            Part::Query(name) => Self::Query(name.clone()),
            Part::Capture(name) => Self::Capture(name.clone()),
            Part::Attribute(attribute) => Self::Attribute(AttributePath::new(attribute)),
        }
    }
}
