//! A server that speaks OpenAI's protocol answers the planner's questions, each in a request of its own.
//!
//! The question is a line of Python with values instead of names. The answer is a JSON object, which is
//! converted to the step form and parsed from there, so that literals and object references are resolved
//! in one place.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use codexec_data::trace::Origin;
use codexec_data::trace::notation::{read_value, spaced_text, spaced_value};
use codexec_plan::oracles::{Oracle, OracleError};
use codexec_plan::question::{Answer, AnswerError, Operation, Question};
use codexec_plan::step_form;
use codexec_plan::text::repr;
use codexec_plan::value::{Heap, Value};
use serde_json::{Map, Value as Json};

use codexec_model::error::Error;
use codexec_unknown::llm::{Client, Failure, Message, Usage, json};

/// Requests that wait for their answers at the same time.
const AT_ONCE: usize = 8;

/// Shared by all questions.
const SYSTEM: &str = "\
You are a Python 3.11 interpreter that carries out one operation. You are shown one line of Python. \
Values stand in it where a program has names; o0, o1, … are objects of the program without a literal.

Reply with nothing but a JSON object of these keys:
  \"value\": what the expression evaluates to, as a Python literal in a string, such as \"3\", \"'ab'\", \
\"[1, 'x']\"; \"None\" for a statement.
  \"changed\": if the operation changes its first operand in place, the whole operand afterwards, as a \
Python literal in a string; otherwise null.
  \"raises\": if an exception is raised, its class, such as \"ValueError\"; otherwise null.
  \"message\": the message of that exception, or null.
  \"output\": what is printed to standard output, otherwise \"\".
Write sets and dicts in Python's own order. A list may be written with equal items in a row as *[0]*6.";

/// An additional note if only a part of the first operand is shown.
const SHORTENED: &str = "\
\nThe first operand is long: `...` stands for items that do not matter, `*48` for 48 of them. Say in \
\"changed\" only what changes, as a list of strings: \"+v\" for v appended or added, \"<v\" for v put in \
front, \"[i]=v\" for v stored at an index or key, \"[i]+v\" for v inserted before an index, \"[i]\" for \
the item at an index or key taken out, \"-v\" for the first item equal to v taken out.";

/// Asks a server.
pub(super) struct Endpoint<'c> {
    client: &'c Client,
    name: String,
}

impl<'c> Endpoint<'c> {
    pub(super) fn new(client: &'c Client) -> Self {
        Self {
            client,
            name: client.name(),
        }
    }

    /// Asks one question, and once more if the reply is invalid.
    fn one(&self, question: &Question) -> Result<Result<Answer, AnswerError>, Failure> {
        let code = match step_form::code(question) {
            Ok(code) => code,
            Err(error) => return Ok(Err(AnswerError::Refused(error.to_string()))),
        };
        let shortened = is_shortened(&code);
        let more = if shortened { SHORTENED } else { "" };
        let mut messages = vec![
            Message::system(format!("{SYSTEM}{more}")),
            Message::user(code),
        ];
        for last in [false, true] {
            let replies = match self.client.ask(&messages, 1, None, &mut Usage::default()) {
                Ok(replies) => replies,
                Err(Failure::Unfit(why)) => return Ok(Err(AnswerError::Refused(why))),
                Err(failure) => return Err(failure),
            };
            let reply = replies.into_iter().next().unwrap_or_default();
            match read(question, &reply, shortened) {
                Err(AnswerError::Malformed(why)) if !last => {
                    messages.push(Message::assistant(reply));
                    messages.push(Message::user(format!(
                        "That is no answer: {why}. Reply with the JSON object alone."
                    )));
                }
                answer => return Ok(answer),
            }
        }
        Ok(Err(AnswerError::Malformed("no answer".to_owned())))
    }
}

impl Oracle for Endpoint<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn origin(&self) -> Origin {
        Origin::Predicted
    }

    fn answer(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
        let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
        let answers = Mutex::new(BTreeMap::new());
        let work = || {
            while !ended.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(question) = questions.get(at) else {
                    return;
                };
                let answer = self.one(question);
                // No other question will be answered either.
                ended.fetch_or(answer.is_err(), Ordering::Relaxed);
                let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                answers.insert(at, answer);
            }
        };
        match questions.len() {
            1 => work(),
            count => std::thread::scope(|scope| {
                for _ in 0..count.min(AT_ONCE) {
                    scope.spawn(work);
                }
            }),
        }
        let answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        let failed = |failure: Failure| {
            OracleError::Other(Box::new(Error::Oracle(failure.why().to_owned())))
        };
        let answers: Result<Vec<_>, Failure> = answers.into_values().collect();
        answers.map_err(failed)
    }
}

/// Whether a line of code shows only part of a value.
fn is_shortened(code: &str) -> bool {
    let (mut quote, mut escaped, mut dots) = (None, false, 0);
    for c in code.chars() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '.') => {
                dots += 1;
                if dots == 3 {
                    return true;
                }
                continue;
            }
            (None, _) => {}
        }
        dots = 0;
    }
    false
}

/// The contents of a reply.
fn read(question: &Question, reply: &str, shortened: bool) -> Result<Answer, AnswerError> {
    let malformed = |why: &str| AnswerError::Malformed(why.to_owned());
    let reply = json::object(reply).ok_or_else(|| malformed("no JSON object"))?;
    let words = words(question, &reply, shortened)?;
    step_form::read(question, &words).map_err(|error| AnswerError::Malformed(error.to_string()))
}

/// The same in the step form.
fn words(
    question: &Question,
    reply: &Map<String, Json>,
    shortened: bool,
) -> Result<String, AnswerError> {
    let text = |key: &str| match reply.get(key) {
        None | Some(Json::Null) => None,
        Some(Json::String(text)) if text.trim().is_empty() => None,
        Some(value) => Some(literal(value)),
    };
    let mut words = Vec::new();
    let changed = text("changed");
    let in_place = matches!(question.operation, Operation::Binary(_, true));
    if let Some(kind) = text("raises") {
        words.push("<raise>".to_owned());
        words.push(spelled(&raised(&kind, text("message").as_deref()))?);
    } else if !(in_place && changed.is_some()) {
        match text("value") {
            Some(value) => words.push(spelled(&value)?),
            None if changed.is_some() || reply.contains_key("value") => {
                words.push("None".to_owned());
            }
            None => return Err(AnswerError::Malformed("no \"value\"".to_owned())),
        }
    }
    if let Some(changed) = changed {
        words.push("<state>".to_owned());
        let edits = match reply.get("changed") {
            Some(Json::Array(edits)) if shortened => edits.iter().map(literal).collect(),
            _ if shortened => vec![changed],
            _ => vec![format!("={changed}")],
        };
        let edits: Result<Vec<String>, _> = edits.iter().map(|edit| spelled(edit)).collect();
        words.push(edits?.join(" <dictsep> "));
    }
    if let Some(Json::String(output)) = reply.get("output").filter(|o| **o != "") {
        words.push("<output>".to_owned());
        words.push(spaced_text(output));
    }
    Ok(words.join(" "))
}

/// An exception as the step form writes it.
fn raised(kind: &str, message: Option<&str>) -> String {
    let kind = kind.trim();
    let kind = kind.rsplit("builtins.").next().unwrap_or(kind);
    match message {
        // Its message is the `repr` of its argument; the usual one follows from the question.
        None | Some("") => kind.to_owned(),
        Some(_) if kind == "KeyError" || kind.ends_with(')') => kind.to_owned(),
        Some(message) => format!("{kind}({})", quoted(message)),
    }
}

/// Text as a literal.
fn quoted(text: &str) -> String {
    repr(&Heap::new(), &Value::str(text)).unwrap_or_default()
}

/// A value as a Python literal. A string already is one; anything else is what the model considered a
/// literal.
fn literal(value: &Json) -> String {
    let nested = |value: &Json| match value {
        Json::String(text) => quoted(text),
        value => literal(value),
    };
    match value {
        Json::Null => "None".to_owned(),
        Json::Bool(true) => "True".to_owned(),
        Json::Bool(false) => "False".to_owned(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => text.trim().to_owned(),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(nested).collect();
            format!("[{}]", items.join(", "))
        }
        Json::Object(pairs) => {
            let pairs = pairs.iter();
            let pairs: Vec<String> = pairs
                .map(|(key, value)| format!("{}: {}", quoted(key), nested(value)))
                .collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

/// Text in the notation of the step form, if it can be read back.
fn spelled(text: &str) -> Result<String, AnswerError> {
    let words = spaced_value(text);
    let bare = |text: &str| text.replace(' ', "");
    match read_value(&words) {
        Ok(back) if bare(&back) == bare(text) => Ok(words),
        _ => Err(AnswerError::Malformed(format!("`{text}` is no literal"))),
    }
}

#[cfg(test)]
mod tests {
    use codexec_plan::question::{Data, Shape};

    use super::*;

    fn question(operation: Operation, operands: Vec<Data>, objects: Vec<Shape>) -> Question {
        Question {
            operation,
            operands,
            keywords: Vec::new(),
            names: Vec::new(),
            objects,
        }
    }

    fn list(items: impl IntoIterator<Item = i32>) -> Shape {
        Shape::Items(
            "list",
            items.into_iter().map(|n| Data::Int(n.into())).collect(),
        )
    }

    #[test]
    fn replies_become_answers() {
        let pop = question(
            Operation::Method("pop".into()),
            vec![Data::Object(0)],
            vec![list([4, 7])],
        );
        for reply in [
            r#"{"value": "7", "changed": "[4]", "raises": null, "message": null, "output": ""}"#,
            r#"Here: {"value": 7, "changed": [4]}"#,
        ] {
            let answer = read(&pop, reply, false).unwrap();
            assert_eq!(answer.result, Ok(Data::Int(7.into())), "{reply}");
            assert_eq!(answer.changed, [(0, list([4]))], "{reply}");
            assert_eq!(answer.confidence, 1.0);
        }
        let upper = question(
            Operation::Method("upper".into()),
            vec![Data::Str("a \"b".into())],
            Vec::new(),
        );
        let answer = read(&upper, r#"{"value": "'A \"B'", "output": "x\n"}"#, false).unwrap();
        assert_eq!(answer.result, Ok(Data::Str("A \"B".into())));
        assert_eq!(answer.output, "x\n");
    }

    #[test]
    fn exceptions_have_their_message_or_the_usual_one() {
        let int = question(
            Operation::Call("int".into()),
            vec![Data::Str("x".into())],
            Vec::new(),
        );
        let raised = |reply: &str| read(&int, reply, false).unwrap().result.unwrap_err();
        let usual = raised(r#"{"value": null, "raises": "ValueError"}"#);
        assert_eq!(usual.kind, "ValueError");
        let message = "invalid literal for int() with base 10: 'x'";
        assert_eq!(usual.args, [Data::Str(message.into())]);
        let own = raised(r#"{"raises": "ValueError", "message": "it's \"x\""}"#);
        assert_eq!(own.args, [Data::Str("it's \"x\"".into())]);
    }

    #[test]
    fn what_changes_of_a_long_operand_is_said_by_edits() {
        let append = question(
            Operation::Method("append".into()),
            vec![Data::Object(0), Data::Int(9.into())],
            vec![list(0..20)],
        );
        assert!(is_shortened(&step_form::code(&append).unwrap()));
        for reply in [
            r#"{"value": "None", "changed": ["+9"]}"#,
            r#"{"value": "None", "changed": "+9"}"#,
        ] {
            let answer = read(&append, reply, true).unwrap();
            assert_eq!(answer.changed, [(0, list((0..20).chain([9])))], "{reply}");
        }
        assert!(!is_shortened("'...'.strip(\"it's...\") + 1.5"));
    }

    #[test]
    fn the_list_of_an_augmented_assignment_stays_itself() {
        let add = codexec_plan::fold::BinaryOp::Add;
        let extend = question(
            Operation::Binary(add, true),
            vec![Data::Object(0), Data::Object(1)],
            vec![list([1]), list([2])],
        );
        let reply = r#"{"value": "[1, 2]", "changed": "[1, 2]"}"#;
        let answer = read(&extend, reply, false).unwrap();
        assert_eq!(answer.result, Ok(Data::Object(0)));
    }

    #[test]
    fn what_is_no_answer_is_malformed() {
        let len = question(
            Operation::Call("len".into()),
            vec![Data::Object(0)],
            vec![list([])],
        );
        for reply in [
            "",
            "I cannot do that.",
            "[]",
            "{}",
            r#"{"value": "f(1)("}"#,
            r#"{"value": "'open"}"#,
            r#"{"value": "x + 1"}"#,
            r#"{"value": "1", "raises": "1Error"}"#,
            r#"{"value": "<state> +1"}"#,
        ] {
            let found = read(&len, reply, false);
            assert!(
                matches!(found, Err(AnswerError::Malformed(_))),
                "{reply}: {found:?}"
            );
        }
        let change = r#"{"value": "1", "changed": "[1]"}"#;
        let number = question(
            Operation::Call("abs".into()),
            vec![Data::Int(1.into())],
            Vec::new(),
        );
        assert!(read(&number, change, false).is_err());
    }
}
