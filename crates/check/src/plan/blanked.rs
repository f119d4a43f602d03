//! Programs without a statement that ends them, so that the rest is reached.

use codexec_data::syntax::with_parsed;
use ruff_text_size::Ranged;

/// The program with `0` for the module statement at a line, if that is an expression such as `main()`: definitions of
/// other statements stay. Byte offsets are preserved.
pub(super) fn without_expression(source: &str, line: u32) -> Option<String> {
    let line_of = |at: usize| source[..at].matches('\n').count() as u32 + 1;
    let range = with_parsed(source, |parsed| {
        parsed.suite().iter().find_map(|statement| {
            let range = statement.range().to_std_range();
            let lines = line_of(range.start)..=line_of(range.end);
            (statement.is_expr_stmt() && lines.contains(&line)).then_some(range)
        })
    });
    let range = range.ok().flatten()?;
    let mut text = source[..range.start].to_owned();
    text.push('0');
    let rest = source[range.clone()].bytes().skip(1);
    text.extend(rest.map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    text.push_str(&source[range.end..]);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::without_expression;

    #[test]
    fn only_an_expression_of_the_module_goes() {
        let source = "def f():\n    g()\nprint(\n    f(),\n)\nx = f()\n";
        let want = "def f():\n    g()\n0     \n        \n \nx = f()\n";
        assert_eq!(without_expression(source, 4).as_deref(), Some(want));
        assert_eq!(without_expression(source, 2), None);
        assert_eq!(without_expression(source, 6), None);
    }
}
