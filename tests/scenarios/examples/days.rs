//! What the files promise for a whole day, counted to the last request.

use weir_core::engine::request::written::Written;
use weir_core::time::SECOND;

use super::native::{Seen, Service};

const DAY: u64 = 86_400;

/// `GET /api/items` of a client of the service.
fn items(client: &str, address: &str) -> Written {
    Written::new("GET", "/api/items", "api.test").with("x-client", client).from(address)
}

/// Asks at the plan's own pace: all are admitted until the day's number is reached, and none after, until midnight.
fn expect_days(days: u64, client: &str, plan: &str, per_minute: u64, per_day: u64) {
    let mut service = Service::new("envoy/api-keys.yaml");
    // Many machines, each below what one address may send.
    let addresses: Vec<String> = (1..=10).map(|number| format!("192.0.2.{number}:1234")).collect();
    let mut turn = addresses.iter().cycle();
    let mut ask = |service: &mut Service| {
        let address = turn.next().expect("an address");
        service.ask(&items(client, address))
    };
    for day in 0..days {
        service.pass_to(day, 5 * 3600);
        for number in 0..per_day {
            assert_eq!(ask(&mut service), Seen::Admitted, "{plan}: number {number} of day {day}");
            service.pass(60 * SECOND / per_minute);
        }
        let spent = 5 * 3600 + per_day * 60 / per_minute;
        let refused = |at: u64| Seen::Refused(format!("{plan}-2"), DAY - at);
        assert_eq!(ask(&mut service), refused(spent), "day {day}");
        for at in [spent + 1, DAY - 3600, DAY - 1] {
            service.pass_to(day, at);
            (0..50).for_each(|_| assert_eq!(ask(&mut service), refused(at), "day {day}, second {at}"));
        }
    }
    service.pass_to(days, 0);
    (0..10).for_each(|_| assert_eq!(ask(&mut service), Seen::Admitted, "{plan}: after midnight"));
}

#[test]
fn free_is_a_thousand_a_day() {
    expect_days(3, "acme", "free", 60, 1000);
}

#[test]
fn pro_is_fifty_thousand_a_day() {
    expect_days(2, "initech", "pro", 600, 50_000);
}

#[test]
fn enterprise_is_half_a_million_a_day() {
    expect_days(1, "globex", "enterprise", 6000, 500_000);
}

/// At one moment, so that nothing is earned: exactly so many, and then that limit refuses.
#[test]
fn at_once_it_is_the_burst_to_the_last_request() {
    for (method, path, client, limit, burst) in [
        ("GET", "/api/items", "acme", "free", 10),
        ("GET", "/api/items", "initech", "pro", 100),
        ("POST", "/login", "initech", "auth", 10),
        ("GET", "/api/search/boats", "initech", "search", 30),
        ("GET", "/api/items", "globex", "everything-else", 1000),
    ] {
        let mut service = Service::new("envoy/api-keys.yaml");
        let asked = Written::new(method, path, "api.test").with("x-client", client).from("192.0.2.1:1234");
        (0..burst).for_each(|number| assert_eq!(service.ask(&asked), Seen::Admitted, "{limit}: {number}"));
        assert!(matches!(service.ask(&asked), Seen::Refused(name, _) if name == limit), "{limit}");
    }
    let mut service = Service::new("envoy/api-keys.yaml");
    let mut globex = |address| service.ask(&items("globex", address));
    (0..500).for_each(|_| assert_eq!(globex("192.0.2.1:1"), Seen::Admitted));
    (0..500).for_each(|_| assert_eq!(globex("192.0.2.2:1"), Seen::Admitted));
    assert_eq!(globex("192.0.2.3:1"), Seen::Refused("enterprise".to_owned(), 1));
}

/// Failures in the first 24 hours of somebody who tries every ten seconds: in the long run the day's numbers hold.
fn failures_of_a_day(accounts: u64) -> usize {
    let mut service = Service::new("envoy/login.yaml");
    let attempts = (0..DAY / 10).map(|number| {
        service.pass(10 * SECOND);
        let path = format!("/accounts/user{}/login", number % accounts);
        service.ask(&Written::new("POST", &path, "api.test").from("192.0.2.1:1234"))
    });
    attempts.filter(|seen| *seen == Seen::Admitted).count()
}

#[test]
fn failed_logins_of_a_day_are_few() {
    // A bucket of fifteen, and fifteen more that it earns; the last one is due when the day is over.
    assert_eq!(failures_of_a_day(1), 15 + 14);
    assert_eq!(failures_of_a_day(1000), 50 + 49);
}
