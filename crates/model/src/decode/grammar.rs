//! Which tokens may come next. A grammar is a state machine over token ids. The search queries it
//! before each token and reports the chosen one.

/// The tokens that may come next.
#[derive(Debug)]
pub enum Allowed<'g> {
    /// Any.
    All,
    /// Tokens for which `of[token] & set` is not 0; ids past the end of `of` are not allowed.
    Classes {
        /// One bit per token: its class.
        of: &'g [u32],
        /// The classes allowed.
        set: u32,
    },
    /// These.
    Tokens(Vec<u32>),
}

impl Allowed<'_> {
    /// Calls `f` with every allowed token below `vocab`.
    pub fn for_each(&self, vocab: usize, mut f: impl FnMut(usize)) {
        match self {
            Self::All => (0..vocab).for_each(f),
            Self::Classes { of, set } => {
                let of = &of[..of.len().min(vocab)];
                for (token, class) in of.iter().enumerate() {
                    if class & set != 0 {
                        f(token);
                    }
                }
            }
            Self::Tokens(tokens) => {
                for token in tokens.iter().map(|t| *t as usize) {
                    if token < vocab {
                        f(token);
                    }
                }
            }
        }
    }

    /// Whether a token is among them.
    pub fn contains(&self, token: u32) -> bool {
        match self {
            Self::All => true,
            Self::Classes { of, set } => of.get(token as usize).is_some_and(|c| c & set != 0),
            Self::Tokens(tokens) => tokens.contains(&token),
        }
    }
}

/// A machine over token ids.
pub trait Grammar {
    /// State of a hypothesis.
    type State: Clone + Send + Sync;

    /// Before the first token.
    fn start(&self) -> Self::State;

    /// The possible next tokens.
    fn allowed(&self, state: &Self::State) -> Allowed<'_>;

    /// Advances by a token. If it is not allowed, the result is unspecified but sensible.
    fn advance(&self, state: &Self::State, token: u32) -> Self::State;
}

/// No restriction, as in the published implementation.
#[derive(Debug, Clone, Copy)]
pub struct NoGrammar;

impl Grammar for NoGrammar {
    type State = ();

    fn start(&self) {}

    fn allowed(&self, _state: &()) -> Allowed<'_> {
        Allowed::All
    }

    fn advance(&self, _state: &(), _token: u32) {}
}
