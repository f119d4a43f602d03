//! A metric of a table: its name, the contribution of one example, and whether it is broken down. A new
//! metric is a new row.

use super::Share;

/// One column, over a pair of prediction and truth.
pub struct Metric<S: 'static> {
    /// The column's head.
    pub name: &'static str,
    /// An example's contribution.
    pub share: fn(&S) -> Share,
    /// Whether it has breakdowns.
    pub is_broken_down: bool,
}

/// The heads of columns.
pub fn names<S>(metrics: &[Metric<S>]) -> Vec<&'static str> {
    metrics.iter().map(|metric| metric.name).collect()
}

/// An example's contribution to each.
pub fn shares<S>(metrics: &[Metric<S>], pair: &S) -> Vec<Share> {
    metrics.iter().map(|metric| (metric.share)(pair)).collect()
}

/// The columns with breakdowns, with the contributions of each example.
pub fn broken_down<S>(
    metrics: &[Metric<S>],
    examples: &[Vec<Share>],
) -> (Vec<&'static str>, Vec<Vec<Share>>) {
    let kept = |(_, metric): &(usize, &Metric<S>)| metric.is_broken_down;
    let kept: Vec<(usize, &Metric<S>)> = metrics.iter().enumerate().filter(kept).collect();
    let pick = |shares: &Vec<Share>| kept.iter().map(|(at, _)| shares[*at]).collect();
    (
        kept.iter().map(|(_, metric)| metric.name).collect(),
        examples.iter().map(pick).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breakdowns_pick_their_columns() {
        let metric = |name, is_broken_down| Metric {
            name,
            share: |right: &bool| Share::of_bool(*right),
            is_broken_down,
        };
        let metrics = [metric("a", true), metric("b", false), metric("c", true)];
        assert_eq!(names(&metrics), ["a", "b", "c"]);
        let examples = [shares(&metrics, &true), shares(&metrics, &false)];
        let (columns, picked) = broken_down(&metrics, &examples);
        assert_eq!(columns, ["a", "c"]);
        assert_eq!(
            picked,
            [
                vec![Share::of_bool(true); 2],
                vec![Share::of_bool(false); 2]
            ]
        );
    }
}
