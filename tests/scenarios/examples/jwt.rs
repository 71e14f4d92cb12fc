//! `envoy/jwt.yaml`: users by their tokens.

use std::time::Instant;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use weir_tests::{Envoy, EnvoyFile, Req};

use super::{address, client, earned, flood_from, parsed};
use crate::support::{tally, unix_now};

const FILE: &str = "envoy/jwt.yaml";

fn with_token(token: &str) -> Req {
    Req::get("/api/items").header("authorization", format!("Bearer {token}"))
}

/// The tokens that the file gives for trying out: anne's and bob's.
fn tokens() -> [String; 2] {
    let text = weir_tests::shipped_text(FILE);
    let mut tokens = text.lines().filter_map(|line| line.strip_prefix("#   ")).map(str::to_owned);
    [(); 2].map(|()| tokens.next().expect("a token"))
}

/// An issuer whose key is at hand.
struct Issuer {
    key: EcdsaKeyPair,
    random: SystemRandom,
}

impl Issuer {
    fn new() -> Self {
        let (random, kind) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
        let document = EcdsaKeyPair::generate_pkcs8(kind, &random).expect("a key");
        Self { key: EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random).expect("a key"), random }
    }

    /// Its public key in place of the file's.
    fn put_into(&self, file: EnvoyFile) -> EnvoyFile {
        let filters = &parsed(FILE)["static_resources"]["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"]
            ["http_filters"];
        let keys = filters[0]["typed_config"]["providers"]["id"]["local_jwks"]["inline_string"]
            .as_str()
            .expect("keys")
            .to_owned();
        let key = &serde_json::from_str::<Value>(&keys).expect("a key set")["keys"][0];
        let point = self.key.public_key().as_ref();
        let [x, y] = [&point[1..33], &point[33..65]].map(|number| BASE64.encode(number));
        file.replace(key["x"].as_str().expect("x"), &x).replace(key["y"].as_str().expect("y"), &y)
    }

    fn token(&self, claims: &Value) -> String {
        let header = json!({"alg": "ES256", "kid": "trial"});
        let signed = [&header, claims].map(|part| BASE64.encode(part.to_string())).join(".");
        let signature = self.key.sign(&self.random, signed.as_bytes()).expect("a signature");
        format!("{signed}.{}", BASE64.encode(signature))
    }
}

fn claims(sub: &str, plan: &str) -> Value {
    json!({"iss": "https://id.example.com", "sub": sub, "plan": plan, "exp": unix_now() + 600})
}

#[tokio::test]
async fn users_have_their_plans_and_nobody_has_the_address() {
    let envoy = Envoy::from_file(FILE).start().await;
    let [anne, bob] = tokens();
    for (request, policy, kind, addresses, burst, per_minute) in [
        (with_token(&anne), "\"free\";q=60;w=60;weir-burst=30", "metadata", &[1_u8, 2], 30, 60),
        (with_token(&bob), "\"pro\";q=600;w=60;weir-burst=100", "metadata", &[1, 2], 100, 600),
        (Req::get("/"), "\"anonymous\";q=20;w=60", "ip", &[3, 3], 20, 20),
        (Req::get("/"), "\"anonymous\";q=20;w=60", "ip", &[4, 4], 20, 20),
    ] {
        let begun = Instant::now();
        let flood = flood_from(envoy.addr(), addresses, 160, &request).await;
        let seen = flood.tally;
        seen.expect_no_faults();
        assert!((burst..=burst + earned(begun.elapsed(), per_minute)).contains(&seen.count(200)), "{policy}: {seen:?}");
        let refused = flood.refusal.expect("a refusal");
        assert_eq!(refused.expect("ratelimit-policy"), policy);
        let mut status = Req::get("/ratelimit");
        if kind == "metadata" {
            status = status.header("authorization", format!("Bearer {}", if burst == 30 { &anne } else { &bob }));
        }
        assert_eq!(client(&envoy, addresses[0]).send(&status).await.json()["client"], kind);
    }
}

#[tokio::test]
async fn forged_expired_and_foreign_tokens_are_refused_and_cost_their_victim_nothing() {
    let issuer = Issuer::new();
    let envoy = issuer.put_into(Envoy::from_file(FILE)).start().await;
    let good = issuer.token(&claims("anne", "free"));
    let parts: Vec<&str> = good.split('.').collect();
    let pro = BASE64.encode(claims("anne", "pro").to_string());
    let none = BASE64.encode(json!({"alg": "none"}).to_string());
    let with = |field: &str, value: Value| {
        let mut claims = claims("anne", "free");
        claims[field] = value;
        issuer.token(&claims)
    };
    let me = client(&envoy, 1);
    for token in [
        format!("{}.{pro}.{}", parts[0], parts[2]),
        format!("{none}.{pro}."),
        Issuer::new().token(&claims("anne", "pro")),
        with("exp", json!(unix_now() - 3600)),
        issuer.token(&json!({"iss": "https://id.example.com", "sub": "anne", "plan": "free"})),
        with("iss", json!("https://id.example.net")),
        tokens()[1].clone(),
        good.trim_end_matches(char::is_alphanumeric).to_owned(),
        "x".to_owned(),
    ] {
        tally(&me, 3, &with_token(&token)).await.expect_all(401, 3);
    }
    assert_eq!(envoy.upstream.reached(), 0);
    let left = me.send(&with_token(&good)).await.integer("x-ratelimit-remaining");
    assert_eq!(left, 29);
}

#[tokio::test]
async fn a_user_is_one_with_every_token_from_everywhere() {
    let issuer = Issuer::new();
    let envoy = issuer.put_into(Envoy::from_file(FILE)).start().await;
    // A new token for each request, from another address and with claims of one's own in headers.
    let (begun, mut admitted) = (Instant::now(), 0);
    for i in 0..45_u8 {
        let mut claims = claims("anne", "free");
        claims["jti"] = json!(i.to_string());
        let request = with_token(&issuer.token(&claims))
            .header("x-plan", "pro")
            .header("x-forwarded-for", format!("192.0.2.{i}"));
        let reply = envoy.client().from_address(address(i + 1)).send(&request).await;
        admitted += u64::from(reply.status == 200);
    }
    let most = 30 + earned(begun.elapsed(), 60);
    assert!((30..=most).contains(&admitted), "{admitted} of {most}");
    let reply = client(&envoy, 1).send(&with_token(&issuer.token(&claims("carl", "free")))).await;
    assert_eq!(reply.integer("x-ratelimit-remaining"), 29);
}

#[tokio::test]
async fn without_a_plan_of_these_a_user_is_anonymous_by_name() {
    let issuer = Issuer::new();
    let envoy = issuer.put_into(Envoy::from_file(FILE)).start().await;
    for plan in [json!("platinum"), json!(["pro"]), json!(7), json!(""), json!("PRO"), Value::Null] {
        let mut claims = claims("", "");
        claims["sub"] = json!(format!("user with {plan}"));
        claims["plan"] = plan;
        let reply = client(&envoy, 1).send(&with_token(&issuer.token(&claims))).await;
        assert_eq!(reply.expect("ratelimit-policy"), "\"anonymous\";q=20;w=60", "{claims}");
        assert_eq!(reply.integer("x-ratelimit-remaining"), 19, "{claims}");
    }
    // A token for nobody in particular is the address's.
    let nobody = issuer.token(&json!({"iss": "https://id.example.com", "plan": "pro", "exp": unix_now() + 600}));
    let reply = client(&envoy, 1).send(&with_token(&nobody).header("accept", "*/*")).await;
    assert!(reply.expect("ratelimit-policy").contains("\"pro\""));
    let status = Req::get("/ratelimit").header("authorization", format!("Bearer {nobody}"));
    assert_eq!(client(&envoy, 1).send(&status).await.json()["client"], "ip");
}
