use super::*;

#[test]
fn nothing_has_no_summary() {
    assert_eq!(Summary::of([]), None);
}

#[test]
fn one_value_is_all_of_it() {
    let all = Summary { min: 3.5, lower: 3.5, median: 3.5, upper: 3.5, max: 3.5, interval: (3.5, 3.5) };
    assert_eq!(Summary::of([3.5]), Some(all));
}

#[test]
fn order_does_not_matter() {
    let all = Summary { min: -1.0, lower: 1.0, median: 2.0, upper: 4.0, max: 9.0, interval: (-1.0, 9.0) };
    assert_eq!(Summary::of([4.0, -1.0, 9.0, 2.0, 1.0]), Some(all));
}

#[test]
fn between_two_values_lies_a_share_of_both() {
    let summary = Summary::of([10.0, 20.0, 30.0, 40.0]).unwrap();
    assert_eq!((summary.lower, summary.median, summary.upper), (17.5, 25.0, 32.5));
}

#[test]
fn one_outlier_moves_the_edge_alone() {
    let quiet = Summary::of([5.0, 5.0, 5.0, 5.0, 5.0]).unwrap();
    let busy = Summary::of([5.0, 5.0, 5.0, 5.0, 500.0]).unwrap();
    assert_eq!((quiet.median, quiet.upper), (busy.median, busy.upper));
    assert_eq!(busy.max, 500.0);
}

#[test]
fn the_interval_of_the_median_is_that_of_the_binomial_distribution() {
    // Of 100 values the 40th and the 61st: tabulated for a confidence of 95 %.
    assert_eq!(Summary::of((1..=100).map(f64::from)).unwrap().interval, (40.0, 61.0));
}

#[test]
fn a_multiple_is_as_uncertain_as_both_of_its_parts() {
    let summary = |low, median, high| Summary { interval: (low, high), ..Summary::of([median]).unwrap() };
    let found = times(&summary(8.0, 12.0, 18.0), &summary(3.0, 4.0, 5.0));
    assert_eq!(found, Some(Times { median: 3.0, ends: (1.6, 6.0) }));
    assert_eq!(times(&summary(8.0, 12.0, 18.0), &summary(-1.0, 4.0, 5.0)), None);
}
