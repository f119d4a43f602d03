//! Bags of tokens scored by Okapi BM25 (Robertson and Zaragoza 2009, equation 3.15): the baseline of search. Not for
//! large corpora: every document is scored.

use std::collections::HashMap;

/// Weight of repeated tokens, and normalisation of long documents: the usual values.
const K1: f64 = 1.5;
const B: f64 = 0.75;

/// Documents as bags of tokens.
pub struct Bm25 {
    documents: Vec<HashMap<String, f64>>,
    lengths: Vec<f64>,
    mean: f64,
    /// Number of documents with each token.
    found_in: HashMap<String, f64>,
}

/// The tokens of a text: runs of letters, digits and underscores, and every other mark by itself.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if is_word && in_word => last.push(c),
            _ if c.is_whitespace() => {}
            _ => tokens.push(c.to_string()),
        }
        in_word = is_word;
    }
    tokens
}

impl Bm25 {
    /// Of these documents.
    pub fn new(texts: &[&str]) -> Self {
        let mut documents = Vec::with_capacity(texts.len());
        let mut lengths = Vec::with_capacity(texts.len());
        let mut found_in: HashMap<String, f64> = HashMap::new();
        for text in texts {
            let mut document: HashMap<String, f64> = HashMap::new();
            let all = tokens(text);
            lengths.push(all.len() as f64);
            for token in all {
                *document.entry(token).or_default() += 1.0;
            }
            for token in document.keys() {
                *found_in.entry(token.clone()).or_default() += 1.0;
            }
            documents.push(document);
        }
        let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        Self {
            documents,
            lengths,
            mean,
            found_in,
        }
    }

    /// The score of every document for a query, in their order.
    pub fn scores(&self, query: &str) -> Vec<f64> {
        let query = tokens(query);
        let count = self.documents.len() as f64;
        let documents = self.documents.iter().zip(&self.lengths);
        let score = |(document, length): (&HashMap<String, f64>, &f64)| {
            let held = K1 * (1.0 - B + B * length / self.mean.max(1.0));
            let one = |token: &String| {
                let times = document.get(token).copied().unwrap_or(0.0);
                let found = self.found_in.get(token).copied().unwrap_or(0.0);
                let rare = ((count - found + 0.5) / (found + 0.5) + 1.0).ln();
                rare * times * (K1 + 1.0) / (times + held)
            };
            query.iter().map(one).sum()
        };
        documents.map(score).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_values_of_its_formula() {
        assert_eq!(tokens("x_1+=f(2)\n"), ["x_1", "+", "=", "f", "(", "2", ")"]);
        let found = Bm25::new(&["a b", "a a c d"]).scores("a b");
        // Lengths 2 and 4, mean 3; `a` in both, `b` in one.
        let rare = |n: f64| ((2.0 - n + 0.5) / (n + 0.5) + 1.0_f64).ln();
        let part = |tf: f64, length: f64| tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * length / 3.0));
        assert!((found[0] - (rare(2.0) + rare(1.0)) * part(1.0, 2.0)).abs() < 1e-12);
        assert!((found[1] - rare(2.0) * part(2.0, 4.0)).abs() < 1e-12);
        assert_eq!(Bm25::new(&[]).scores("a"), [0.0; 0]);
        assert_eq!(Bm25::new(&[""]).scores("a"), [0.0]);
    }
}
