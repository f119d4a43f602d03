//! The type in which matrices are multiplied.

/// The type in which a product takes its operands; it adds in f32 either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Products {
    /// As the values are.
    #[default]
    F32,
    /// Rounded to bf16: about twice as fast with AVX-512 BF16 (AMD from Zen 4, Intel from Cooper Lake), and faster still with
    /// AMX (Intel from Sapphire Rapids). The values themselves stay f32.
    Bf16,
}

impl Products {
    /// bf16 where this processor multiplies faster in it, f32 elsewhere.
    #[must_use]
    pub fn fastest() -> Self {
        match codexec_tiles::available() || codexec_tiles::has_dot_products() {
            true => Self::Bf16,
            false => Self::F32,
        }
    }

    /// Whether factors are rounded before a product: on tiles the product itself does that.
    pub(super) fn are_rounded_before(self) -> bool {
        self == Self::Bf16 && !codexec_tiles::available()
    }
}
