//! Text of the delta form, as our own checkpoints read and write it.
//!
//! ```text
//! trace := step* [<end> outcome]
//! step  := <line> <k> [<raise> Kind [: message]] [<return>] [<call> name] [<reset>]
//!          [<state> entry (<dictsep> entry)* </state>] [<output> text]
//! entry := name : value | <del> name
//! ```
//!
//! `k` counts from 0. [`super::notation`] defines the spelling of names, values and text. The text
//! holds only steps and outcome, not who produced the trace, of which program, and with what
//! confidence.

use super::notation::{CUT, LINE_TOKENS, Reader, Spaced};
use super::{DeltaStep, DeltaTrace, Engine, FormError, Origin, Outcome, Program, Value};

/// The text of a delta form.
pub fn render(trace: &DeltaTrace) -> String {
    let mut out = Spaced::default();
    let raised = raised_at(trace);
    for (k, step) in trace.steps.iter().enumerate() {
        line_number(&mut out, step.line);
        if let Some((_, exception, message)) = raised.filter(|(at, ..)| *at == k) {
            out.word("<raise>");
            out.name(exception);
            field(&mut out, message);
        }
        render_step(&mut out, step);
    }
    if raised.is_none() && trace.outcome != Outcome::Finished {
        out.word("<end>");
        render_outcome(&mut out, &trace.outcome);
    }
    out.0
}

/// Step, exception and message, if the step has the outcome's line.
fn raised_at(trace: &DeltaTrace) -> Option<(usize, &str, &str)> {
    let Outcome::Raised {
        file: _,
        exception,
        message,
        line,
        step: Some(step),
    } = &trace.outcome
    else {
        return None;
    };
    let at = *step as usize;
    let raising = trace.steps.get(at)?;
    (raising.line == *line).then_some((at, exception.as_str(), message.as_str()))
}

fn line_number(out: &mut Spaced, line: u32) {
    out.word("<line>");
    let token = format!("<{}>", line.saturating_sub(1));
    if line <= LINE_TOKENS {
        out.word(&token);
    } else {
        out.chars(&token);
    }
}

fn render_step(out: &mut Spaced, step: &DeltaStep) {
    if step.leave {
        out.word("<return>");
    }
    if let Some(function) = &step.enter {
        out.word("<call>");
        out.name(function);
    }
    if step.reset {
        out.word("<reset>");
    }
    let mut mark = "<state>";
    for name in &step.gone {
        out.word(std::mem::replace(&mut mark, "<dictsep>"));
        out.word("<del>");
        out.name(name);
    }
    for (name, value) in &step.changed {
        out.word(std::mem::replace(&mut mark, "<dictsep>"));
        out.name(name);
        out.word(":");
        out.value(&value.text);
    }
    if mark == "<dictsep>" {
        out.word("</state>");
    }
    if !step.output.is_empty() {
        out.word("<output>");
        match step.output.strip_suffix('\n') {
            Some(text) => out.text(text),
            None => {
                out.text(&step.output);
                out.chars(CUT);
            }
        }
    }
}

/// An optional field of an outcome: `None` if empty.
fn field(out: &mut Spaced, text: &str) {
    if !text.is_empty() {
        out.word(":");
        out.text(text);
    }
}

fn render_outcome(out: &mut Spaced, outcome: &Outcome) {
    let number = |out: &mut Spaced, n: u32| {
        out.word(":");
        out.chars(&n.to_string());
    };
    match outcome {
        Outcome::Finished => out.word("finished"),
        Outcome::Exited { code, text } => {
            out.word("exited");
            number(out, u32::from(*code));
            field(out, text);
        }
        Outcome::Raised {
            file: _,
            exception,
            message,
            line,
            step,
        } => {
            out.word("raised");
            number(out, *line);
            match step {
                Some(step) => number(out, *step),
                None => out.word(": -"),
            }
            out.word(":");
            out.name(exception);
            field(out, message);
        }
        Outcome::Timeout => out.word("timeout"),
        Outcome::StepLimit => out.word("step_limit"),
        Outcome::InstructionLimit => out.word("instruction_limit"),
        Outcome::OutputLimit => out.word("output_limit"),
        Outcome::TraceLimit => out.word("trace_limit"),
        Outcome::MemoryLimit => out.word("memory_limit"),
        Outcome::Killed { why } => {
            out.word("killed");
            field(out, why);
        }
        Outcome::SyntaxError {
            line,
            column,
            message,
        } => {
            out.word("syntax_error");
            number(out, *line);
            number(out, *column);
            field(out, message);
        }
    }
}

/// Reads a text back. Values get `origin`; confidences are absent.
///
/// Values of no known shape are taken as [`super::ValueType::Unknown`].
///
/// # Errors
/// [`FormError::Syntax`] with the byte position where the grammar is broken.
pub fn parse(
    text: &str,
    engine: Engine,
    program: Program,
    origin: Origin,
) -> Result<DeltaTrace, FormError> {
    let mut reader = Reader::new(text);
    let mut trace = DeltaTrace::new(engine, program);
    let mut raised = None;
    while reader.peek().is_some() {
        if reader.take_word("<line>") {
            let (step, raises) = parse_step(&mut reader, origin)?;
            if let Some((exception, message)) = raises {
                if raised.is_some() {
                    return Err(reader.error("one `<raise>` only"));
                }
                raised = Some(Outcome::Raised {
                    file: 0,
                    exception,
                    message,
                    line: step.line,
                    step: u32::try_from(trace.steps.len()).ok(),
                });
            }
            trace.steps.push(step);
        } else if raised.is_none() && reader.take_word("<end>") {
            trace.outcome = parse_outcome(&mut reader)?;
            if reader.peek().is_some() {
                return Err(reader.error("the end of the text"));
            }
        } else {
            return Err(reader.error("`<line>`, `<end>` or the end of the text"));
        }
    }
    trace.outcome = raised.unwrap_or(trace.outcome);
    Ok(trace)
}

type Raises = Option<(String, String)>;

fn parse_step(reader: &mut Reader, origin: Origin) -> Result<(DeltaStep, Raises), FormError> {
    let mut step = DeltaStep {
        line: parse_line(reader)?,
        ..DeltaStep::default()
    };
    let raises = if reader.take_word("<raise>") {
        Some((reader.name()?, parse_field(reader)?))
    } else {
        None
    };
    step.leave = reader.take_word("<return>");
    if reader.take_word("<call>") {
        step.enter = Some(reader.name()?);
    }
    step.reset = reader.take_word("<reset>");
    if reader.take_word("<state>") && !reader.take_word("</state>") {
        parse_entries(reader, &mut step, origin)?;
    }
    if reader.take_word("<output>") {
        step.output = reader.text();
        if !reader.take_word(CUT) {
            step.output.push('\n');
        }
    }
    Ok((step, raises))
}

fn parse_line(reader: &mut Reader) -> Result<u32, FormError> {
    if !reader.take('<') {
        return Err(reader.error("a line number as `<0>`"));
    }
    let line = reader.number()?.checked_add(1);
    if !reader.take('>') {
        return Err(reader.error("`>` after a line number"));
    }
    line.ok_or_else(|| reader.error("a line number below 2^32 - 1"))
}

fn parse_entries(
    reader: &mut Reader,
    step: &mut DeltaStep,
    origin: Origin,
) -> Result<(), FormError> {
    loop {
        if reader.take_word("<del>") {
            step.gone.push(reader.name()?);
        } else {
            let name = reader.name()?;
            if !reader.take(':') {
                return Err(reader.error("`:` after a name"));
            }
            let value = Value::new(reader.value()?, origin);
            step.changed.push((name, value));
        }
        if reader.take_word("</state>") {
            return Ok(());
        }
        if !reader.take_word("<dictsep>") {
            return Err(reader.error("`<dictsep>` or `</state>`"));
        }
    }
}

/// `: text`, or nothing.
fn parse_field(reader: &mut Reader) -> Result<String, FormError> {
    if reader.take(':') {
        Ok(reader.text())
    } else if reader.peek().is_none() || reader.special().is_some() {
        Ok(String::new())
    } else {
        Err(reader.error("`:` or a special token"))
    }
}

fn parse_outcome(reader: &mut Reader) -> Result<Outcome, FormError> {
    let kind = reader.name()?;
    let number = |reader: &mut Reader| {
        if !reader.take(':') {
            return Err(reader.error("`:` and a number"));
        }
        reader.number()
    };
    Ok(match kind.as_str() {
        "finished" => Outcome::Finished,
        "exited" => Outcome::Exited {
            code: u8::try_from(number(reader)?)
                .map_err(|_| reader.error("an exit status below 256 before this"))?,
            text: parse_field(reader)?,
        },
        "timeout" => Outcome::Timeout,
        "step_limit" => Outcome::StepLimit,
        "instruction_limit" => Outcome::InstructionLimit,
        "output_limit" => Outcome::OutputLimit,
        "trace_limit" => Outcome::TraceLimit,
        "memory_limit" => Outcome::MemoryLimit,
        "killed" => Outcome::Killed {
            why: parse_field(reader)?,
        },
        "syntax_error" => Outcome::SyntaxError {
            line: number(reader)?,
            column: number(reader)?,
            message: parse_field(reader)?,
        },
        "raised" => {
            let line = number(reader)?;
            let step = if reader.take_word(":-") {
                None
            } else {
                Some(number(reader)?)
            };
            if !reader.take(':') {
                return Err(reader.error("`:` and the kind of exception"));
            }
            Outcome::Raised {
                file: 0,
                line,
                step,
                exception: reader.name()?,
                message: parse_field(reader)?,
            }
        }
        _ => return Err(reader.error("a kind of outcome before this")),
    })
}
