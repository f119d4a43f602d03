//! Float functions, equal to CPython's to the last bit where possible: through the system's library.
//!
//! WebAssembly has no such library, and the one in Rust's standard library differs for up to a quarter of all
//! arguments. There they are correctly rounded, which glibc's are except for one argument in a thousand.

/// Functions by their standard library name and their correctly rounded counterpart.
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
