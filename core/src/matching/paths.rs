//! By path.

use super::bits::Bits;
use super::keyed::Keyed;
use super::posting::Posting;
use super::prefixes::PrefixIndex;
use crate::http::pattern::Form;
use crate::policy::RequestMatch;

/// Rules by the paths that they name.
#[derive(Debug)]
pub(super) struct PathIndex {
    /// Those that any request may meet.
    any: Bits,
    /// By a whole path.
    exact: Keyed<Posting>,
    /// A tree of segments, its root first.
    nodes: Vec<Node>,
    /// Those that have a regular expression only, by how it begins.
    regexes: PrefixIndex,
    /// All of them are in `any`.
    idle: bool,
}

#[derive(Debug, Default)]
struct Node {
    literals: Keyed<usize>,
    wildcard: Option<usize>,
    /// Rules whose pattern ends here.
    end: Posting,
    /// Rules whose pattern goes on with any rest.
    open: Posting,
}

/// The nodes that a walk has come to, and those it is about to come to.
#[derive(Debug, Default)]
pub(super) struct Walk {
    here: Vec<usize>,
    next: Vec<usize>,
}

impl PathIndex {
    pub(super) fn new(matches: &[&RequestMatch]) -> Self {
        let rules = matches.len();
        let mut regexes = Vec::new();
        let mut index = Self {
            any: Bits::empty(rules),
            exact: Keyed::default(),
            nodes: vec![Node::default()],
            regexes: PrefixIndex::default(),
            idle: false,
        };
        for (rule, one) in matches.iter().enumerate() {
            match (&one.paths, &one.path_regex) {
                (None, None) => index.any.insert(rule),
                (None, Some(regex)) => regexes.push((regex.literal_prefix().to_vec(), rule)),
                (Some(paths), _) => paths.iter().for_each(|path| index.insert(path.form(), rule, rules)),
            }
        }
        index.regexes = PrefixIndex::new(regexes, rules);
        index.idle = !Bits::full(rules).exceeds(&index.any);
        index
    }

    fn insert(&mut self, pattern: Form<'_>, rule: usize, rules: usize) {
        match pattern {
            Form::Everything => self.any.insert(rule),
            Form::Exact(path) => self.exact.entry(path, Posting::default).push(rule, rules),
            Form::Segments { segments, open } => {
                let last = segments.into_iter().fold(0, |node, segment| self.child(node, segment));
                if let Some(node) = self.nodes.get_mut(last) {
                    let posting = if open { &mut node.open } else { &mut node.end };
                    posting.push(rule, rules);
                }
            }
        }
    }

    /// The node below `parent` for a segment, None being any, made if it is new.
    fn child(&mut self, parent: usize, segment: Option<&[u8]>) -> usize {
        let new = self.nodes.len();
        let Some(node) = self.nodes.get_mut(parent) else {
            return parent;
        };
        let child = match segment {
            Some(literal) => *node.literals.entry(literal, || new),
            None => *node.wildcard.get_or_insert(new),
        };
        if child == new {
            self.nodes.push(Node::default());
        }
        child
    }

    /// Leaves those that `path` may meet: exactly those that it meets, where no regular expression has a say.
    pub(super) fn narrow(&self, path: Option<&[u8]>, live: &mut Bits, term: &mut Bits, walk: &mut Walk) {
        if self.idle {
            return;
        }
        term.clone_from(&self.any);
        if let Some(path) = path {
            if let Some(posting) = self.exact.get(path) {
                posting.mark(term);
            }
            if let Some(posting) = self.regexes.get(path) {
                posting.mark(term);
            }
            if let (Some(segments), true) = (path.strip_prefix(b"/"), self.nodes.len() > 1) {
                self.walk(segments, term, walk);
            }
        }
        live.retain(term);
    }

    fn walk(&self, segments: &[u8], set: &mut Bits, walk: &mut Walk) {
        let Walk { here, next } = walk;
        here.clear();
        here.push(0);
        for segment in segments.split(|byte| *byte == b'/') {
            next.clear();
            for node in here.iter().filter_map(|node| self.nodes.get(*node)) {
                next.extend(node.literals.get(segment));
                next.extend(node.wildcard.filter(|_| !segment.is_empty()));
            }
            next.iter().filter_map(|node| self.nodes.get(*node)).for_each(|node| node.open.mark(set));
            std::mem::swap(here, next);
            if here.is_empty() {
                return;
            }
        }
        here.iter().filter_map(|node| self.nodes.get(*node)).for_each(|node| node.end.mark(set));
    }
}
