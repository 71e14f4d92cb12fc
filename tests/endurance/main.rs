//! What takes minutes to show: memory under millions of clients, hundreds of updates, hours' worth of mixed load.
//!
//! `cargo test --package weir-tests --test endurance -- memory|updates|soak`

mod memory;
mod native;
mod soak;
mod table;
mod updates;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    for name in &chosen {
        match name.as_str() {
            "memory" => memory::run().await,
            "updates" => updates::run().await,
            "soak" => soak::run().await,
            other => panic!("{other} is none of memory, updates, soak"),
        }
    }
    assert!(!chosen.is_empty(), "say which: memory, updates, soak");
}
