//! Metrics of predictions: one per file, each a pure function of predictions and truths.
//!
//! | module | what | judged on |
//! |---|---|---|
//! | [`traces`] | the CodeExecutor paper's metrics, Tutorial and CodeNetMut | paper-form text |
//! | [`single_line`] | the same for SingleLine | paper-form text |
//! | [`output`], [`line`](mod@line), [`identifier`] | the parts of [`traces`] | pieces of that text |
//! | [`structure`] | our own metrics | [`codexec_data::trace::Trace`] |
//! | [`orca`], [`orca_value`] | ORCA's metrics | lines, and states as text |
//! | [`orca_blocks`] | ORCA's metrics of a plan | blocks, and tables as text |
//! | [`divergence`] | where prediction and truth part | [`codexec_data::trace::Trace`] |
//! | [`baselines`] | predictors that know nothing, to compare with | |
//! | [`metric`] | a column of a table | |
//! | [`answers`], [`records`], [`orca_set`] | what an engine answered; our examples, and ORCA's, scored | traces |
//! | [`steps`], [`breakdown`] | scores by step, statement, length | traces; shares |
//! | [`calibration`] | what a confidence is worth | confidences and truths |
//! | [`guide`], [`values`] | guided execution, and predictors of missing values | runs; recorded values |
//! | [`errors`] | predictions of runtime errors: kinds, lines, detection | kinds and lines |
//! | [`questions`] | the planner's questions, by operation | answers in step form |
//! | [`rerank`] | orders of samples: pass@k | what engines told |
//! | [`search`] | searches of code by code: average precision | scores |
//! | [`results`] | all of it, as Markdown and JSON | |
//! | [`comparison`] | two of those on the same examples | shares |
//!
//! All scores are fractions in 0..=1; tables show percentages. A score that is undefined, because
//! no example applies, is `None` and never a panic. Nothing here runs Python, loads a model or
//! reads a file.

pub mod answers;
pub mod baselines;
pub mod breakdown;
pub mod calibration;
pub mod comparison;
pub mod divergence;
pub mod errors;
pub mod guide;
pub mod identifier;
pub mod line;
pub mod metric;
pub mod orca;
pub mod orca_blocks;
pub mod orca_set;
pub mod orca_value;
pub mod output;
pub mod pieces;
pub mod prefix;
pub mod questions;
pub mod records;
pub mod rerank;
pub mod results;
pub mod search;
pub mod single_line;
pub mod steps;
pub mod structure;
pub mod traces;
pub mod values;

use crate::statistics::ratio;
pub use crate::statistics::{Bootstrap, Counts, Estimate, Prf, Share, total};
pub use calibration::Reliability;
pub use comparison::{CompareError, Comparison, compare_evaluations};
pub use divergence::{Difference, Divergence, first_divergence, first_divergence_by};
pub use results::{Evaluation, Example, RESULTS_VERSION, Row, SetResults, Table};
pub use single_line::{SingleLineScores, score_single_lines};
pub use structure::{Matching, PairScores, StructureScores, compare, score_structure};
pub use traces::{TraceScores, score_traces};
