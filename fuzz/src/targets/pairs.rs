//! Header maps as the host hands them over.

use bolero::check;
use weir_core::http::Pairs;
use weir_core::http::pairs::encode;

#[test]
fn pair_bytes() {
    check!().for_each(|bytes: &[u8]| {
        let mut total = 4;
        for (name, value) in Pairs::new(bytes) {
            total += 8 + name.len() + 1 + value.len() + 1;
        }
        assert!(total <= bytes.len().max(4), "no byte is read twice");
    });
}

/// Reads what was written, and of what is damaged at most as much.
#[test]
fn pair_round_trips() {
    check!().with_type::<(Vec<(String, String)>, Vec<(u16, u8)>, u16)>().for_each(|(fields, damage, cut)| {
        let mut bytes = encode(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let expected: Vec<_> = fields.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        assert_eq!(Pairs::new(&bytes).collect::<Vec<_>>(), expected);
        for &(place, byte) in damage {
            let place = usize::from(place) % bytes.len();
            bytes[place] = byte;
        }
        bytes.truncate(usize::from(*cut));
        assert!(Pairs::new(&bytes).count() * 10 <= bytes.len());
    });
}
