use super::*;

fn read(bytes: &[u8]) -> Vec<(&[u8], &[u8])> {
    Pairs::new(bytes).collect()
}

#[test]
fn reads_what_it_wrote() {
    let fields = [(":path", "/"), ("empty", ""), ("twice", "1"), ("twice", "2")];
    let bytes = encode(fields.into_iter());
    let expected: Vec<_> = fields.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    assert_eq!(read(&bytes), expected);
    assert_eq!(read(&encode(std::iter::empty())), []);
}

#[test]
fn is_written_as_the_abi_says() {
    assert_eq!(encode([("ab", "c")].into_iter()), b"\x01\0\0\0\x02\0\0\0\x01\0\0\0ab\0c\0");
}

#[test]
fn what_is_cut_off_ends_early() {
    let bytes = encode([("a", "1"), ("b", "2")].into_iter());
    assert_eq!(read(&bytes[..bytes.len() - 1]), [(&b"a"[..], &b"1"[..])]);
    assert_eq!(read(&bytes[..12]), []);
    assert_eq!(read(b""), []);
}

#[test]
fn sizes_that_lie_are_not_believed() {
    assert_eq!(read(&[0xff; 40]), []);
    assert_eq!(read(&[&[1, 0, 0, 0][..], &[0xff; 8], b"a\0b\0"].concat()), []);
}
