//! Functions of floats, to the last bit those of CPython where that can be: the system's library has them.
//!
//! WebAssembly has no such library, and the one that Rust's standard library brings along differs in up to a quarter of all
//! arguments. There they are correctly rounded ones, which glibc's are but for one argument in a thousand.

/// Functions under the name that the standard library has for them, and that of the correctly rounded ones.
macro_rules! functions {
    ($($name:ident $other:ident),*) => { $(
        #[doc = concat!("`", stringify!($name), "` of a float.")]
        pub fn $name(x: f64) -> f64 {
            #[cfg(not(target_family = "wasm"))]
            { x.$name() }
            #[cfg(target_family = "wasm")]
            { pxfm::$other(x) }
        }
    )* };
}

functions!(exp f_exp, ln f_log, sin f_sin, cos f_cos);

/// `x ** y` of floats.
pub fn power(x: f64, y: f64) -> f64 {
    #[cfg(not(target_family = "wasm"))]
    {
        x.powf(y)
    }
    #[cfg(target_family = "wasm")]
    {
        pxfm::f_pow(x, y)
    }
}

/// The angle of a point.
pub fn angle(y: f64, x: f64) -> f64 {
    #[cfg(not(target_family = "wasm"))]
    {
        y.atan2(x)
    }
    #[cfg(target_family = "wasm")]
    {
        pxfm::f_atan2(y, x)
    }
}
