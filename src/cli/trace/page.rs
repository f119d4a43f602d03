//! The page of a trace: the prediction, the run beside it, and other possible executions.

use std::path::PathBuf;

use codexec_page::{Compare, Page, Tab};

use super::super::page::command;
use super::{Args, Traced};

/// The page of one program's results.
pub(in crate::cli) fn of<'t>(one: &'t Traced<'_>, args: &Args) -> Page<'t> {
    let name = match args.engine.row().executes {
        true => "observed",
        false => "predicted",
    };
    let several = one.worlds.are_several();
    let shown = std::iter::once((one.worlds.shown(), &one.trace, &one.injected));
    let others = one.worlds.others().iter();
    let mut all: Vec<_> = shown
        .chain(others.map(|(at, other)| (*at, &other.trace, &other.injected)))
        .collect();
    all.sort_by_key(|(at, ..)| *at);
    let tabs = all.into_iter().map(|(at, trace, injected)| {
        let world = one.worlds.world(at);
        let label = match several {
            true => format!("world {}", at + 1),
            false => name.to_owned(),
        };
        let decisions = world.map_or(&[][..], |(_, decisions)| decisions);
        let mut tab = Tab::with(label, trace, injected, decisions);
        tab.probability = world.map(|(sure, _)| sure).filter(|_| several);
        tab
    });
    let mut page = Page::new(one.program.id.clone(), tabs.collect());
    page.select = one.worlds.shown();
    page.command = Some(command());
    page.edits = args.given.edits(one);
    if let Some(actual) = &one.actual {
        page.compare = Some(Compare {
            predicted: page.select,
            real: page.tabs.len(),
        });
        page.tabs.push(Tab::new("observed", actual));
    }
    page
}

/// Files whose change makes the trace out of date: the program and its executed modules.
pub(in crate::cli) fn files(one: &Traced<'_>) -> Vec<PathBuf> {
    let program = PathBuf::from(&one.program.id);
    let root = one.program.root.as_deref();
    let modules = one.trace.files.iter().skip(1);
    let modules = modules.filter_map(|file| root.map(|root| root.join(&file.path)));
    std::iter::once(program).chain(modules).collect()
}
