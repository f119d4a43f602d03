//! The C interface: memory that both sides know, and texts in it.

use std::alloc::Layout;
use std::cell::RefCell;
use std::sync::Once;

use crate::request;

thread_local! {
    /// The message before a trap.
    static COMPLAINT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what a panic says: the trap that follows says nothing.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let text = info.to_string();
            COMPLAINT.with(|complaint| {
                if let Ok(mut complaint) = complaint.try_borrow_mut() {
                    *complaint = text;
                }
            });
        }));
    });
}

fn layout(len: usize) -> Option<Layout> {
    Layout::array::<u8>(len.max(1)).ok()
}

/// Memory for this many bytes; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(len: usize) -> *mut u8 {
    // SAFETY: the layout is of at least one byte.
    layout(len).map_or(std::ptr::null_mut(), |layout| unsafe {
        std::alloc::alloc(layout)
    })
}

/// Takes memory back. It is not called `free`, as C has that.
///
/// # Safety
/// The pointer is one of [`alloc`], [`plan`] or [`complaint`], with the length that belongs to it, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn give_back(pointer: *mut u8, len: usize) {
    if let Some(layout) = layout(len).filter(|_| !pointer.is_null()) {
        // SAFETY: the caller says that the memory is of this layout.
        unsafe { std::alloc::dealloc(pointer, layout) }
    }
}

/// The bytes of a request.
///
/// # Safety
/// This many bytes at the pointer can be read, and do not change.
pub unsafe fn bytes_at<'m>(pointer: *const u8, len: usize) -> &'m [u8] {
    // SAFETY: the caller says so.
    unsafe { std::slice::from_raw_parts(pointer, len) }
}

/// Plans the request at a pointer, and gives the answer with its length before it; null where there is no memory.
///
/// # Safety
/// This many bytes at the pointer can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan(pointer: *const u8, len: usize) -> *mut u8 {
    listen();
    // SAFETY: the caller says so.
    let text = unsafe { bytes_at(pointer, len) };
    handed_over(&request::answer(text))
}

/// What was said before a trap, with its length before it; null where there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn complaint() -> *mut u8 {
    COMPLAINT.with(|text| {
        text.try_borrow()
            .map_or(std::ptr::null_mut(), |text| handed_over(&text))
    })
}

/// A text in memory of its own, behind its length; null where there is no memory.
pub fn handed_over(text: &str) -> *mut u8 {
    let Ok(len) = u32::try_from(text.len()) else {
        return std::ptr::null_mut();
    };
    let head = len.to_le_bytes();
    let pointer = alloc(head.len() + text.len());
    if !pointer.is_null() {
        // SAFETY: the memory is as long as both texts together, and new.
        unsafe {
            pointer.copy_from_nonoverlapping(head.as_ptr(), head.len());
            pointer
                .add(head.len())
                .copy_from_nonoverlapping(text.as_ptr(), text.len());
        }
    }
    pointer
}
