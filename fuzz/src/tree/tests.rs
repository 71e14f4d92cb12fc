use weir_core::config;

use super::*;

/// The generator does reach what is accepted, and what is not.
#[test]
fn trees_are_accepted_and_refused() {
    let mut bytes = [0_u8; 512];
    let (mut seed, mut accepted) = (1_u64, 0);
    for _ in 0..2_000 {
        bytes.fill_with(|| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 56) as u8
        });
        let tree = configuration(&mut Unstructured::new(&bytes)).unwrap_or(json!({}));
        accepted += u32::from(config::parse(tree.to_string().as_bytes()).is_ok());
    }
    assert!((400..1_600).contains(&accepted), "{accepted} of 2000");
}
