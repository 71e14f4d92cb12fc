//! Fields that name somebody.

use arbitrary::Unstructured;
use bolero::check;
use weir_core::http::{self, Single, bearer_token};

fn token(authorization: &[u8]) -> Option<&[u8]> {
    bearer_token([authorization].into_iter().collect()).value()
}

#[test]
fn bearer_tokens() {
    check!().for_each(|bytes: &[u8]| {
        let Some(found) = token(bytes) else { return };
        assert!(!found.is_empty() && found.is_ascii() && bytes.windows(found.len()).any(|window| window == found));
        // However it is spelled, it is the same token.
        for (scheme, tail) in [("Bearer ", ""), ("bEARER \t ", " \t"), (" \tBEARER\t", "")] {
            let spelled = [scheme.as_bytes(), found, tail.as_bytes()].concat();
            assert_eq!(token(&spelled), Some(found));
        }
    });
}

#[test]
fn bearer_spellings() {
    check!().for_each(|text: &[u8]| {
        let spelled = [b"Bearer ", text].concat();
        if let Some(read) = token(&spelled) {
            assert_eq!(read, http::trim_blanks(text));
        }
    });
}

#[test]
fn cookies() {
    check!().for_each(|bytes: &[u8]| {
        let mut source = Unstructured::new(bytes);
        let name: &[u8] = source.choose(&[&b"session"[..], b"a", b""]).unwrap_or(&&b"a"[..]);
        let mut fields: Vec<Vec<u8>> = Vec::new();
        for _ in 0..source.int_in_range(0..=3).unwrap_or(0) {
            let mut field = Vec::new();
            for _ in 0..source.int_in_range(0..=5).unwrap_or(0) {
                let parts: [&[u8]; 10] =
                    [b"session", b"=", b";", b" ", b"\"", b"a", b"\t", b"a=1", b"\xff", b"; session=x"];
                field.extend_from_slice(source.choose(&parts).unwrap_or(&&b";"[..]));
            }
            fields.push(field);
        }
        fields.push(source.take_rest().to_vec());
        let joined = fields.join(&b"; "[..]);
        let lines = || fields.iter().map(Vec::as_slice);
        let found = http::cookie(lines(), name);
        assert_eq!(found, http::cookie([&joined[..]].into_iter(), name), "one field or several");
        if let Some(value) = found.value() {
            assert!(!value.is_empty() && !value.contains(&b';'));
        }
        let again = [name, b"=more"].concat();
        let with_more = http::cookie(lines().chain([&again[..]]), name);
        let expected = if found == Single::Absent { Single::One(b"more") } else { Single::Repeated };
        assert_eq!(with_more, expected);
    });
}
