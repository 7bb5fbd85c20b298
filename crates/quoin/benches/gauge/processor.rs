//! What benches measure with, and where they write it.

use std::path::Path;

use serde_json::Value;

/// The memory of the program that is measured.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Seconds of processor time of this process so far, of all threads.
pub fn processor_time() -> f64 {
    processor_time_in(Path::new("/proc/self/stat"))
}

/// The same of the process or thread with this `stat`.
pub fn processor_time_in(stat: &Path) -> f64 {
    let stat = std::fs::read_to_string(stat).unwrap_or_default();
    let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks =
        after.split_whitespace().skip(11).take(2).filter_map(|text| text.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Writes `target/bench/NAME.json`.
pub fn write(name: &str, rows: &[Value]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench");
    let text = serde_json::to_string_pretty(rows).expect("json");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(format!("{name}.json")), text).expect("written");
}
