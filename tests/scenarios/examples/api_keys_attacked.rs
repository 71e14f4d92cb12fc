//! `envoy/api-keys.yaml`, by those who have no key, or only a small one.

use std::time::Instant;

use weir_tests::{Envoy, Req, flood_tally};

use super::api_keys::with_key;
use super::{address, client, earned, flood_from};
use crate::support::tally;

async fn started() -> Envoy {
    Envoy::from_file("envoy/api-keys.yaml").start().await
}

#[tokio::test]
async fn nobody_gets_a_plan_by_saying_so() {
    let envoy = started().await;
    let me = client(&envoy, 1);
    let begun = Instant::now();
    let mine = || with_key("/", "trial-key-of-acme");
    for request in [
        mine().header("x-client", "globex"),
        mine().header("x-client", "globex").header("x-client", "initech"),
        mine().header("X-Client", "globex").header("x-plan", "enterprise"),
        // Envoy checks the first of two keys: that one's client is who asks.
        mine().key("trial-key-of-globex"),
        mine().header("authorization", "Bearer trial-key-of-globex").header("cookie", "x-api-key=trial-key-of-globex"),
        with_key("/?x-api-key=trial-key-of-globex", "trial-key-of-acme"),
        with_key("/", "Bearer trial-key-of-acme"),
    ] {
        let reply = me.send(&request).await;
        assert_eq!(reply.status, 200, "{request:?}");
        assert!(reply.expect("ratelimit-policy").contains("\"free\";"), "{request:?}");
        assert_eq!(reply.echoed("x-client"), ["acme"], "{request:?}");
    }
    // All of that was one client's: with this one, eight of ten are spent.
    let state = me.send(&mine()).await.expect("ratelimit").to_owned();
    let left = 2..=2 + earned(begun.elapsed(), 60);
    assert!(left.clone().any(|left| state.contains(&format!("\"free\";r={left};"))), "{left:?}: {state}");

    // Where no key is asked for, the name is still not to be chosen.
    let reply = client(&envoy, 2).send(&Req::post("/login").header("x-client", "globex")).await;
    assert!(reply.expect("ratelimit-policy").contains("\"free\";"));
    assert_eq!(reply.echoed("x-client"), Vec::<String>::new());
}

#[tokio::test]
async fn no_spelling_gets_past_the_check() {
    let envoy = started().await;
    let me = client(&envoy, 1);
    for path in ["/", "/login/", "/login/../api/items", "//login", "/%6Cogin", "/login;x", "/signup/x", "/ratelimit"] {
        for request in [Req::get(path), Req::get(path).key(""), Req::get(path).header("x-client", "globex")] {
            assert_eq!(me.send(&request).await.status, 401, "{path}");
        }
    }
    for key in ["TRIAL-KEY-OF-ACME", "acme", "trial-key-of-acm", "bearer trial-key-of-acme", "trial-key-of-nobody"] {
        assert_eq!(me.send(&with_key("/", key)).await.status, 401, "{key}");
    }
    // The first decides, whatever the second would be.
    assert_eq!(me.send(&with_key("/", "guess").key("trial-key-of-globex")).await.status, 401);
    assert_eq!(envoy.upstream.reached(), 0);
}

#[tokio::test]
async fn a_guessed_key_has_no_bucket_and_guessing_ends_for_the_address() {
    let envoy = started().await;
    let guess =
        |i: usize| with_key("/", &format!("guess-{i}")).header("x-forwarded-for", format!("192.0.2.{}", i % 200));
    let begun = Instant::now();
    let seen = flood_tally(envoy.addr(), 1300, 8, guess).await;
    // A thousand, and twenty for each minute that it takes.
    assert!((1000..=1000 + earned(begun.elapsed(), 20)).contains(&seen.count(401)), "{seen:?}");
    assert_eq!(seen.count(401) + seen.count(429), 1300, "{seen:?}");
    assert_eq!(envoy.stat("wasmcustom.weir_store_entries").await, 1, "the address's own");

    // It is refused with a right key as well, until it may guess again; others are not.
    let me = envoy.client();
    while me.send(&guess(0)).await.status != 429 {}
    let refused = me.send(&with_key("/", "trial-key-of-globex")).await;
    assert_eq!((refused.status, &refused.json()["error"]["policy"]), (429, &"guesses".into()));
    assert!(refused.integer("retry-after") <= 3);
    tally(&client(&envoy, 9), 5, &with_key("/", "trial-key-of-globex")).await.expect(5, 0);
}

#[tokio::test]
async fn a_right_key_costs_no_guess() {
    let envoy = started().await;
    let right = with_key("/", "trial-key-of-globex");
    let seen = flood_from(envoy.addr(), &[1], 1300, &right).await.tally;
    seen.expect_no_faults();
    // Hundreds were refused, by what every address has; none of it as a guess.
    let guesses = "wasmcustom.weir_limited_total;rule=all;limit=guesses;mode=enforce";
    let others = "wasmcustom.weir_limited_total;rule=everything-else;limit=everything-else;mode=enforce";
    assert_eq!(envoy.stat(guesses).await, 0);
    assert_eq!(envoy.stat(others).await, seen.count(429));
    assert_eq!(client(&envoy, 1).send(&with_key("/", "guess")).await.status, 401);
}

#[tokio::test]
async fn logins_are_counted_by_the_peers_address_whatever_it_claims() {
    let envoy = started().await;
    let mut seen = Vec::new();
    for i in 0..14 {
        let claims = [("x-forwarded-for", format!("192.0.2.{i}")), ("x-real-ip", format!("10.0.0.{i}"))];
        let login = claims.iter().fold(Req::post("/login"), |login, (name, value)| login.header(name, value));
        seen.push(envoy.client().from_address(address(1)).send(&login).await.status);
    }
    assert_eq!(seen, [[200; 10].as_slice(), &[429; 4]].concat());
    tally(&client(&envoy, 2), 10, &Req::post("/login")).await.expect(10, 0);
}

#[tokio::test]
async fn the_keys_of_a_client_share_its_bucket() {
    let envoy = started().await;
    let (one, two) = ("trial-key-of-initech", "second-key-of-initech");
    let begun = Instant::now();
    flood_from(envoy.addr(), &[1], 80, &with_key("/", one)).await.tally.expect(80, 0);
    let left = flood_from(envoy.addr(), &[2], 80, &with_key("/", two)).await.tally;
    assert!((20..=20 + earned(begun.elapsed(), 600)).contains(&left.count(200)), "{left:?}");
}
