//! Figures in columns.

const WIDTH: usize = 12;

/// Prints a line: a name, and figures under their headings.
pub(crate) fn line(name: &str, figures: &[String]) {
    let figures: String = figures.iter().map(|figure| format!("{figure:>WIDTH$}")).collect();
    println!("{name:<44}{figures}");
}

/// Bytes as MB with one digit.
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
