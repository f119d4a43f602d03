//! The command line as users meet it, one module for each subcommand: what it prints, where, and with
//! which exit code. One binary, since linking is what takes long.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

#[path = "../support/mod.rs"]
mod support;

mod check;
mod check_projects;
mod commands;
mod data;
mod diff;
mod errors;
mod eval;
mod eval_pages;
mod folded;
mod forms;
mod guide;
mod install;
mod llm;
mod mutate;
mod packages;
mod page;
mod pages;
mod plan;
mod prefix;
mod pretrain;
mod record;
mod rerank;
mod search;
mod search_training;
mod selected;
mod sets;
mod trace;
mod values;
mod why;
