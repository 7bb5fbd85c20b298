//! Tables of rows that are put together from several modules while compiling.

/// Tables put one after the other.
///
/// It runs while compiling; `N` has to be the number of all rows.
#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
pub const fn join<T: Copy, const N: usize>(groups: &[&[T]]) -> [T; N] {
    let mut all = [groups[0][0]; N];
    let (mut group, mut at) = (0, 0);
    while group < groups.len() {
        let mut row = 0;
        while row < groups[group].len() {
            all[at] = groups[group][row];
            (at, row) = (at + 1, row + 1);
        }
        group += 1;
    }
    all
}
