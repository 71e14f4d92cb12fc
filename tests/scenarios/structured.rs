//! Reading structured fields, by another's parser.

use sfv::{BareItem, List, ListEntry, Parser};
use weir_tests::Reply;

/// The members of a structured field: names with their integer parameters.
#[track_caller]
pub(crate) fn members(reply: &Reply, field: &str) -> Vec<(String, Vec<(String, i64)>)> {
    let text = reply.expect(field);
    let list: List = Parser::new(text).parse().unwrap_or_else(|fault| panic!("{field}: {text}: {fault}"));
    let member = |entry: &ListEntry| {
        let ListEntry::Item(item) = entry else { panic!("{field}: {text}: a list within") };
        let BareItem::String(name) = &item.bare_item else { panic!("{field}: {text}: a name is a String") };
        let parameter = |(key, value): (&sfv::Key, &BareItem)| match value {
            BareItem::Integer(number) => (key.as_str().to_owned(), i64::from(*number)),
            other => panic!("{field}: {text}: {other:?}"),
        };
        (name.as_str().to_owned(), item.params.iter().map(parameter).collect())
    };
    list.iter().map(member).collect()
}

/// A parameter, which must be there, of a member.
#[track_caller]
pub(crate) fn parameter(reply: &Reply, field: &str, name: &str, key: &str) -> u64 {
    let members = members(reply, field);
    let member = members.iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("{name} in {members:?}"));
    let value = member.1.iter().find(|(found, _)| found == key).unwrap_or_else(|| panic!("{key} in {members:?}"));
    u64::try_from(value.1).expect("no negative number")
}
