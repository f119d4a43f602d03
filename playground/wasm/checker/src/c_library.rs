//! The part of C's library that the grammar of Python wants: memory, which is Rust's, and an end.
//!
//! The crates of the grammar bring an allocator along that takes the whole memory of a module for its own. As these have the
//! same names, it is not linked.

use std::alloc::Layout;

/// Bytes before each piece, which hold its length; as aligned as anything in C.
const HEAD: usize = 16;

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEAD)?, HEAD).ok()
}

/// What stands behind the head of a piece.
///
/// # Safety
/// The pointer is null or one of a piece with a head of `size`.
unsafe fn behind_head(piece: *mut u8, size: usize) -> *mut u8 {
    if piece.is_null() {
        return piece;
    }
    // SAFETY: a piece has a head, which is aligned for a number.
    unsafe {
        piece.cast::<usize>().write(size);
        piece.add(HEAD)
    }
}

/// C's `malloc`.
#[unsafe(no_mangle)]
extern "C" fn malloc(size: usize) -> *mut u8 {
    let Some(layout) = layout(size) else {
        return std::ptr::null_mut();
    };
    // SAFETY: the layout has a head at least.
    unsafe { behind_head(std::alloc::alloc(layout), size) }
}

/// C's `calloc`.
#[unsafe(no_mangle)]
extern "C" fn calloc(count: usize, size: usize) -> *mut u8 {
    let Some((size, layout)) = count
        .checked_mul(size)
        .and_then(|size| Some((size, layout(size)?)))
    else {
        return std::ptr::null_mut();
    };
    // SAFETY: the layout has a head at least.
    unsafe { behind_head(std::alloc::alloc_zeroed(layout), size) }
}

/// C's `realloc`.
///
/// # Safety
/// The pointer is null, or of one of these functions and not given back.
#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(pointer: *mut u8, size: usize) -> *mut u8 {
    if pointer.is_null() {
        return malloc(size);
    }
    // SAFETY: the caller says that there is a head.
    unsafe {
        let piece = pointer.sub(HEAD);
        let (Some(old), Some(new)) = (layout(piece.cast::<usize>().read()), layout(size)) else {
            return std::ptr::null_mut();
        };
        behind_head(std::alloc::realloc(piece, old, new.size()), size)
    }
}

/// C's `free`.
///
/// # Safety
/// As of [`realloc`].
#[unsafe(no_mangle)]
unsafe extern "C" fn free(pointer: *mut u8) {
    if pointer.is_null() {
        return;
    }
    // SAFETY: the caller says that there is a head.
    unsafe {
        let piece = pointer.sub(HEAD);
        if let Some(layout) = layout(piece.cast::<usize>().read()) {
            std::alloc::dealloc(piece, layout);
        }
    }
}

/// C's `abort`.
#[unsafe(no_mangle)]
extern "C" fn abort() -> ! {
    std::process::abort()
}
