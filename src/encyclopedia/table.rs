//! Reads the tables that lie beside this module as tab-separated text.
//!
//! It knows no column; a row with too few of them is left out, and the tests count.

/// The rows of a table with `N` columns, without its header.
pub(super) fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table.lines().skip(1).filter_map(|line| {
        let mut cells = line.split('\t');
        let mut row = [""; N];
        for cell in &mut row {
            *cell = cells.next()?;
        }
        cells.next().is_none().then_some(row)
    })
}

/// The ids in a cell.
pub(super) fn ids(cell: &'static str) -> Vec<&'static str> {
    cell.split(' ').filter(|id| !id.is_empty()).collect()
}
