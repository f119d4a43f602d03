//! A language model plans the whole execution in one reply, block by block, as in ORCA ("Planning a Large
//! Language Model for Static Detection of Runtime Errors in Code Snippets"). Nothing is executed.
//!
//! `blocks` writes the program as a control-flow graph, `prompt` the request, `reply` parses the plan, `walk` turns
//! it into a trace and lists the approximations. The reply is not checked against the graph: a model that takes a
//! nonexistent edge is shown as it answered.

pub mod blocks;
mod prompt;
pub mod reply;
mod walk;

use codexec_data::trace::Program;

use super::in_order::each;
use super::{
    Answered, Done, Engine, EngineError, Engines, Need, Question, Row, Settings, Stopped,
    Unanswered,
};
use blocks::Blocks;
use codexec_unknown::llm::{Client, Failure, ServerOptions, Usage};
use reply::Plan;

/// Its row.
pub const ROW: Row = Row {
    name: "orca",
    about: "A language model plans the execution in one reply, as ORCA does; nothing is executed",
    needs: &[Need::Model, Need::Server, Need::Answers],
    executes: false,
    by: codexec_data::trace::Engine::Orca,
    imports_installed: false,
    open,
};

/// Requests that wait for their answers at the same time.
const AT_ONCE: usize = 8;

/// Asks a server about programs.
struct Orca {
    client: Client,
    max_steps: usize,
}

fn open(settings: &Settings) -> Result<Engines, EngineError> {
    let Some(server) = &settings.server else {
        let why = "engine orca has no language model to ask; name one with --model";
        return Err(EngineError::Server(why.to_owned()));
    };
    let client = Client::new(ServerOptions {
        json: false,
        answers: settings.answers.clone(),
        ..server.clone()
    })?;
    Ok(vec![Box::new(Orca {
        client,
        max_steps: settings.max_steps,
    })])
}

impl Orca {
    fn one(&self, program: &Program, lacks_imports: bool) -> Result<super::Answer, EngineError> {
        let source = program.source.as_deref().unwrap_or_default();
        let blocks = match Blocks::of(source) {
            Ok(blocks) => blocks,
            Err(error) => return Ok(Err(Unanswered::Syntax(error))),
        };
        let messages = prompt::messages(&blocks, program.stdin.as_deref(), lacks_imports);
        let (reply, failed) = match self.client.ask(&messages, 1, None, &mut Usage::default()) {
            Ok(replies) => (replies.into_iter().next().unwrap_or_default(), None),
            Err(Failure::Unfit(why)) => (String::new(), Some(why)),
            Err(failure) => return Err(failure.into()),
        };
        let plan = Plan::read(&reply);
        let (mut trace, stopped) = walk::trace_of(&plan, &blocks, program, self.max_steps);
        trace.checkpoint = Some(self.client.name());
        Ok(Ok(Answered {
            stopped: failed.or(stopped).map(|why| Stopped::at(None, why)),
            ..Answered::certain(trace)
        }))
    }
}

impl Engine for Orca {
    fn heading(&self) -> String {
        format!("orca: {}", self.client.name())
    }

    fn label(&self, _question: &Question<'_>) -> String {
        self.heading()
    }

    fn answer(&self, question: &Question<'_>, done: &mut Done<'_>) -> Result<(), EngineError> {
        each(question.programs, AT_ONCE, done, |program| {
            self.one(program, question.lacks_imports)
        })
    }
}
