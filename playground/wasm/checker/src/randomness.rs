//! Numbers for hash tables that want random ones. A page's programs are its own, and the same program gives the same answer,
//! so these are always the same.

use std::cell::Cell;

use getrandom_03::Error;

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(0x9e37_79b9_7f4a_7c15) };
}

/// What the crate `getrandom` asks where it is told `getrandom_backend="custom"`.
///
/// # Safety
/// This many bytes at the pointer can be written.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(to: *mut u8, len: usize) -> Result<(), Error> {
    for at in 0..len {
        let byte = STATE.with(|state| {
            // Xorshift.
            let mut x = state.get();
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            state.set(x);
            x.to_le_bytes()[7]
        });
        // SAFETY: the caller says that it can be written.
        unsafe { to.add(at).write(byte) };
    }
    Ok(())
}
