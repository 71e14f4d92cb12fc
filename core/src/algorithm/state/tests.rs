use proptest::prelude::*;

use super::*;

const MAX_40: u64 = (1 << 40) - 1;

proptest! {
    /// What is written is read.
    #[test]
    fn round_trips(a: u64, b in 0..=MAX_40, c: u64, previous in 0..=MAX_40, age: u8, even: [bool; 2], undone: bool) {
        for state in [
            State::Tat { tat: Tat(Span { ns: a, sub: b }), touched: Nanos(c) },
            State::Fixed(Window { last: Now { mono: Nanos(a), wall: UnixNanos(c) }, count: b }),
            State::Sliding(Windows { last: Nanos(a), current: b, previous, age, even, undone }),
        ] {
            prop_assert_eq!(State::decode(state.form(), &state.encode()), state);
        }
    }

    /// Any bytes are a state of any form.
    #[test]
    fn reads_anything(bytes: [u8; STATE_BYTES]) {
        for form in [Form::Tat, Form::Fixed] {
            prop_assert_eq!(State::decode(form, &bytes).encode(), bytes);
        }
        let [written @ .., _, _] = State::decode(Form::Sliding, &bytes).encode();
        prop_assert_eq!(&written, bytes.first_chunk::<19>().unwrap());
    }
}
