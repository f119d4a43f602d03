//! codexec: predict, collect and fill in the executions of Python programs.
