//! Source to mutants: finds sites of mutation operators and edits byte ranges. No IO, no Python.
