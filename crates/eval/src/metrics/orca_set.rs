//! An engine on ORCA's set, beside the stored predictions: traces in, results out. Nothing is read,
//! run or printed.
//!
//! ORCA's programs are run inside a function by its authors and lack the imports that they need; some
//! raise because of that in our sandbox and did not there. See `docs/evaluation.md`.

use std::collections::BTreeMap;

use codexec_data::sources::{BlockPrediction, OrcaPredictions, OrcaProgram, ending_at_returns};
use codexec_data::trace::{Program, Trace};

use super::answers::{Answers, notes_of};
use super::baselines::no_change_trace;
use super::metric::{broken_down, names, shares};
use super::orca::{
    BLOCK_METRICS, Confusion, METRICS, OrcaGuess, OrcaPair, OrcaTruth, compare_orca,
};
use super::orca_blocks::{self, BlockGuess, BlockTruth, compare_blocks};
use super::records::{by_questions, by_size, digest, lines};
use super::{Bootstrap, Example, Reliability, SetResults, Share, Table};
use codexec_engine::orca::blocks::Blocks;

/// Predictions stored beside a set, and their names.
pub type Stored = (String, OrcaPredictions);

const TITLE: &str = "ORCA's metrics, on lines";
const PLANS: &str = "ORCA's metrics, on blocks and the transitions between them";
const BLOCKS: &str = "ORCA's metrics, on whole blocks as ORCA scores itself";
/// The program in the form given to an engine.
pub fn program_of(program: &OrcaProgram) -> Program {
    Program {
        id: program.id.clone(),
        source: Some(ending_at_returns(&program.code)),
        stdin: None,
        ..Program::default()
    }
}

/// Scores answers for programs of ORCA's set, the baseline and the stored rows. Breakdowns,
/// calibration and notes are of the first answers.
pub fn evaluate_orca(
    name: &str,
    programs: &[&OrcaProgram],
    answers: &[Answers],
    stored: &[Stored],
    (samples, seed): (usize, u64),
) -> SetResults {
    let examples: Vec<Example> = programs.iter().map(|p| example_of(p)).collect();
    let groups: Vec<&str> = examples.iter().map(|e| e.group.as_str()).collect();
    let bootstrap = Bootstrap::new(&groups, samples, seed);
    let truths: Vec<(OrcaTruth, OrcaTruth)> = programs
        .iter()
        .map(|p| (OrcaTruth::as_stored(p), OrcaTruth::placed(p)))
        .collect();
    let score = |guesses: Vec<OrcaGuess>| -> Vec<OrcaPair> {
        let pairs = guesses.iter().zip(&truths);
        pairs.map(|(g, (s, p))| compare_orca(g, s, p)).collect()
    };
    let answered = |answers: &Answers| {
        let traces = answers.traces.iter().map(|t| t.as_ref());
        traces
            .map(|t| t.map(OrcaGuess::from).unwrap_or_default())
            .collect()
    };
    let unchanged = programs.iter().map(|p| no_change_trace(program_of(p)));
    let unchanged: Vec<Trace> = unchanged.collect();
    let mut plans = Plans::of(programs);
    for answers in answers {
        let traces = answers.traces.iter().map(|t| t.as_ref());
        plans.push_traces(&answers.engine, traces, &bootstrap);
    }
    let baseline = "baseline: no change";
    plans.push_traces(baseline, unchanged.iter().map(Some), &bootstrap);
    let unchanged = unchanged.iter().map(OrcaGuess::from);
    let mut rows: Vec<(String, Vec<OrcaPair>)> = answers
        .iter()
        .map(|answers| (answers.engine.clone(), score(answered(answers))))
        .collect();
    rows.push((baseline.to_owned(), score(unchanged.collect())));
    let mut blocks = Table::new(BLOCKS, &names(BLOCK_METRICS));
    let mut of_blocks = Vec::new();
    let mut notes = notes_of(answers);
    for (title, predictions) in stored {
        match predictions {
            OrcaPredictions::Statements(found) => {
                let guess = |p: &&OrcaProgram| found.get(&p.id).cloned().unwrap_or_default();
                let guesses = programs.iter().map(guess).map(OrcaGuess::from);
                rows.push((title.clone(), score(guesses.collect())));
            }
            OrcaPredictions::Blocks(found) => {
                let pairs: Vec<OrcaPair> = programs
                    .iter()
                    .map(|p| block_pair(p, found.get(&p.id)))
                    .collect();
                let shares = pairs.iter().map(|p| shares(BLOCK_METRICS, p)).collect();
                blocks.push(title.as_str(), shares, &bootstrap);
                let guess = |p: &OrcaProgram| found.get(&p.id).map(BlockGuess::from);
                plans.push(title, guess, &bootstrap);
                notes.push(error_blocks(title, programs, |p| found.get(&p.id)));
                of_blocks.push((
                    title.clone(),
                    Confusion::of(pairs.iter().map(|p| p.detection)),
                ));
            }
        }
    }
    let (table, mut confusions) = on_lines(&rows, &bootstrap);
    confusions.extend(of_blocks);
    let main = &rows[0].1;
    let scores: Vec<Vec<Share>> = main.iter().map(OrcaPair::shares).collect();
    let (columns, scores) = broken_down(METRICS, &scores);
    let sizes = programs.iter().map(|p| lines(&p.code));
    let steps = programs.iter().map(|p| p.order.len());
    let mut tables = vec![table];
    notes.push(plans.note());
    tables.extend(plans.table());
    if !blocks.rows.is_empty() {
        tables.push(blocks);
    }
    let mut breakdowns = vec![
        by_size("lines", &columns, sizes, &scores),
        by_size("lines of the trace", &columns, steps, &scores),
    ];
    if answers.first().is_some_and(Answers::has_questions) {
        breakdowns.push(by_questions(&columns, answers.first(), &scores));
    }
    SetResults {
        name: name.to_owned(),
        examples,
        tables,
        confusions,
        calibration: calibration(answers, main).into_iter().collect(),
        breakdowns,
        notes,
    }
}

/// Returns the table on lines, and the confusions of the rows that predict whether a program raises.
fn on_lines(
    rows: &[(String, Vec<OrcaPair>)],
    bootstrap: &Bootstrap,
) -> (Table, Vec<(String, Confusion)>) {
    let mut table = Table::new(TITLE, &names(METRICS));
    let mut confusions = Vec::new();
    for (engine, pairs) in rows {
        let shares = pairs.iter().map(OrcaPair::shares).collect();
        table.push(engine.as_str(), shares, bootstrap);
        if pairs.iter().any(|p| p.detection.1.is_some()) {
            confusions.push((
                engine.clone(),
                Confusion::of(pairs.iter().map(|p| p.detection)),
            ));
        }
    }
    (table, confusions)
}

/// Returns the calibration of the first answers, or `None` without confidences.
fn calibration(answers: &[Answers], pairs: &[OrcaPair]) -> Option<Reliability> {
    let confidences = answers.first()?.confidences.iter();
    let sure = confidences.zip(pairs);
    let sure = sure.filter_map(|(c, pair)| Some(((*c)?, pair.with_states)));
    let sure = Reliability::new("whole trace (right: trace with states)", sure);
    (sure.count > 0).then_some(sure)
}

/// The blocks of a set's programs, and the table about them.
struct Plans<'p> {
    programs: Vec<(&'p OrcaProgram, Option<Blocks>)>,
    table: Table,
}

impl<'p> Plans<'p> {
    fn of(programs: &[&'p OrcaProgram]) -> Self {
        let with_blocks = |p: &&'p OrcaProgram| (*p, orca_blocks::blocks_of(p));
        Self {
            programs: programs.iter().map(with_blocks).collect(),
            table: Table::new(PLANS, &names(orca_blocks::METRICS)),
        }
    }

    /// Whether the set has states after blocks.
    fn is_known(&self) -> bool {
        let mut states = self.programs.iter().flat_map(|(p, _)| &p.block_states);
        states.any(|state| !state.is_empty())
    }

    fn push(
        &mut self,
        name: &str,
        guess: impl Fn(&OrcaProgram) -> Option<BlockGuess>,
        bootstrap: &Bootstrap,
    ) {
        let one = |(program, blocks): &(&OrcaProgram, Option<Blocks>)| match blocks {
            Some(_) => {
                let guess = guess(program).unwrap_or_default();
                let pair = compare_blocks(&guess, &BlockTruth::from(*program));
                shares(orca_blocks::METRICS, &pair)
            }
            None => vec![Share::default(); orca_blocks::METRICS.len()],
        };
        let shares = self.programs.iter().map(one).collect();
        self.table.push(name, shares, bootstrap);
    }

    fn push_traces<'t>(
        &mut self,
        name: &str,
        traces: impl Iterator<Item = Option<&'t Trace>>,
        bootstrap: &Bootstrap,
    ) {
        let guesses = self
            .programs
            .iter()
            .zip(traces)
            .map(|((_, blocks), trace)| {
                let (blocks, trace) = (blocks.as_ref()?, trace?);
                Some(BlockGuess::of_trace(trace, blocks))
            });
        let guesses: Vec<Option<BlockGuess>> = guesses.collect();
        let ids = self.programs.iter().map(|(p, _)| p.id.as_str());
        let by_id: BTreeMap<&str, Option<BlockGuess>> = ids.zip(guesses).collect();
        self.push(
            name,
            |p| by_id.get(p.id.as_str()).cloned().flatten(),
            bootstrap,
        );
    }

    fn table(self) -> Option<Table> {
        self.is_known().then_some(self.table)
    }

    fn note(&self) -> String {
        if !self.is_known() {
            return "Left out: transitions between blocks, which traces here do not have."
                .to_owned();
        }
        let unknown = self.programs.iter().filter(|(_, b)| b.is_none()).count();
        format!(
            "On blocks: {} programs; {unknown} are left out, whose blocks are stored as another graph.",
            self.programs.len() - unknown
        )
    }
}

/// Submissions to one problem are different programs: each is drawn separately.
fn example_of(program: &OrcaProgram) -> Example {
    let order: Vec<String> = program.order.iter().map(u32::to_string).collect();
    Example {
        id: program.id.clone(),
        group: program.id.clone(),
        digest: digest(&[&program.code, &order.join(" ")]),
    }
}

/// As ORCA scores itself: predicted and true blocks, each as all of its lines.
fn block_pair(program: &OrcaProgram, found: Option<&BlockPrediction>) -> OrcaPair {
    let guess = OrcaGuess {
        order: found.map_or_else(Vec::new, |f| program.lines_of(&f.blocks)),
        flagged: found.and_then(|f| f.is_error),
        ..OrcaGuess::default()
    };
    let truth = OrcaTruth {
        order: program.lines_of(&program.blocks),
        states: Vec::new(),
        raised: program.raised.is_some(),
    };
    compare_orca(&guess, &truth, &truth)
}

/// How often the block of an exception is found.
fn error_blocks<'p>(
    title: &str,
    programs: &[&OrcaProgram],
    found: impl Fn(&OrcaProgram) -> Option<&'p BlockPrediction>,
) -> String {
    let raising = programs.iter().filter(|p| p.raised.is_some());
    let (mut right, mut all) = (0usize, 0usize);
    for program in raising {
        all += 1;
        let guess = found(program).filter(|g| g.is_error == Some(true));
        let block = guess.and_then(|g| g.error_block);
        right += usize::from(block.is_some() && block == program.blocks.last().copied());
    }
    format!("{title}: the block of the exception is found in {right} of {all} programs that raise.")
}
