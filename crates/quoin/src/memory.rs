//! How soon memory that was freed goes back to the system.

/// The setting of the allocator, in milliseconds: it is read from the environment when the program
/// is loaded, and by nobody later.
const SETTING: &str = "MIMALLOC_PURGE_DELAY";
/// Under attack a service takes 360 MB at the highest, and 450 to 570 with the allocator's own
/// second.
const DELAY: &str = "10";

/// Starts the program anew, as the same process, with a setting under which memory that was freed
/// goes back within 10 ms. Where an operator has set it, or the system does not let a program start
/// itself, it goes on as it is.
pub fn goes_back_soon() {
    #[cfg(unix)]
    if std::env::var_os(SETTING).is_none()
        && let Ok(program) = std::env::current_exe()
    {
        use std::os::unix::process::CommandExt;
        let mut given = std::env::args_os();
        let mut again = std::process::Command::new(program);
        if let Some(name) = given.next() {
            again.arg0(name);
        }
        // It answers only where it failed.
        let _ = again.args(given).env(SETTING, DELAY).exec();
    }
}
