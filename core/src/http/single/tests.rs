use super::Single;

fn single<'a>(values: &[&'a str]) -> Single<'a> {
    values.iter().map(|value| value.as_bytes()).collect()
}

#[test]
fn one_value_counts_without_its_blanks() {
    assert_eq!(single(&[" \tK v\t"]), Single::One(b"K v"));
    assert_eq!(single(&["K"]).value(), Some(b"K".as_slice()));
}

#[test]
fn no_value_and_a_blank_one_are_none() {
    for values in [[].as_slice(), &[""], &[" \t "], &["", " "]] {
        assert_eq!(single(values).value(), None, "{values:?}");
        assert_ne!(single(values), Single::Repeated, "{values:?}");
    }
    assert_eq!(single(&[]), Single::default());
}

#[test]
fn a_second_field_names_nobody_whatever_it_says() {
    for values in [["a", "b"], ["a", "a"], ["", "a"], ["a", " "]] {
        assert_eq!(single(&values), Single::Repeated, "{values:?}");
        assert_eq!(single(&values).value(), None);
    }
    assert_eq!(single(&["a", "b", "", "c"]), Single::Repeated);
}
