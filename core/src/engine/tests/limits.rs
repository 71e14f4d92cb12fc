use super::*;

#[test]
fn all_limits_of_a_request_are_charged_or_none() {
    let mut service = Service::new(
        r#"{"limits": [{"rate": "10/h", "per": ["ip"], "name": "ip"}], "client": [{"header": "x-api-key"}],
            "rules": [{"name": "r", "limits": [{"rate": "3/h"}]}]}"#,
    );
    let key = |key: &str| request("GET /", &[("x-api-key", key)]);
    assert_eq!(service.allowed(&key("a"), 20), 3);
    assert_eq!(service.allowed(&key("b"), 20), 3);
    let decision = service.decide(&key("b"));
    let names: Vec<_> = decision.applied.iter().map(|applied| applied.limit.limit.name.as_str()).collect();
    assert_eq!(names, ["ip", "r"]);
    assert_eq!(decision.applied[0].ruling.level.remaining, 4, "34 refusals cost the address nothing");
    assert_eq!((service.allowed(&key("c"), 20), service.allowed(&key("d"), 20)), (3, 1));
}

#[test]
fn buckets_belong_to_instance_rule_and_limit() {
    let store = SharedData::default();
    let config = |instance: &str, rule: &str, limit: &str| {
        format!(
            r#"{{"instance": "{instance}", "rules": [{{"name": "{rule}", "limits": [{{"rate": "3/h", "name": "{limit}"}}]}}]}}"#
        )
    };
    for (instance, rule, limit, allowed) in
        [("a", "b", "c", 3), ("a", "b", "c", 0), ("x", "b", "c", 3), ("a", "x", "c", 3), ("a", "b", "x", 3)]
    {
        let mut service = Service::on(store.clone(), &config(instance, rule, limit));
        assert_eq!(service.allowed(&get("/"), 5), allowed, "{instance} {rule} {limit}");
    }
    let mut top = Service::on(store, r#"{"instance": "a", "limits": [{"rate": "3/h", "name": "c"}]}"#);
    assert_eq!(top.allowed(&get("/"), 5), 3);
}

/// Steps of the wall clock change nothing, in either direction.
#[test]
fn the_wall_clock_decides_nothing() {
    let mut service = Service::new(r#"{"limits": ["5/m"]}"#);
    assert_eq!(service.allowed(&get("/"), 9), 5);
    for step in [-3_600_i64, 3_600, -7_200, 1_000_000_000] {
        let wall = service.clock.wall.get();
        service.clock.wall.set(wall.saturating_add_signed(step * SECOND as i64));
        assert_eq!(service.allowed(&get("/"), 9), 0);
    }
    service.clock.monotonic.set(service.clock.monotonic.get() + 12 * SECOND);
    assert_eq!(service.allowed(&get("/"), 9), 1);
}

#[test]
fn one_bucket_for_everybody() {
    let mut service = Service::new(r#"{"limits": [{"rate": "5/m", "per": []}]}"#);
    assert_eq!(service.allowed(&get("/a"), 3) + service.allowed(&get("/b").from("192.0.2.9:1"), 9), 5);
}

#[test]
fn an_unchanged_limit_keeps_its_age_through_updates() {
    let engine = |since: u64, earlier: &[Engine], config: &str| {
        let policy = config::parse(config.as_bytes()).unwrap();
        Engine::new(policy, Secret::new([3; 16]), Nanos(since), earlier)
    };
    let since = |engine: &Engine| engine.compiled.top.iter().map(|limit| limit.since.0).collect::<Vec<_>>();
    let first = engine(5, &[], r#"{"limits": ["5/m", "7/h"]}"#);
    let second = engine(9, &[first], r#"{"limits": ["5/m", "8/h"]}"#);
    assert_eq!(since(&second), [5, 9]);
}
