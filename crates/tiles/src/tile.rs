//! The AMX registers, and a product over tiles.

use std::arch::asm;
use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::OnceLock;

use super::Matrix;
use super::pack::{self, DEPTH, ROWS, Tile};

/// `arch_prctl`: a process requests the tile state before it uses the tiles.
const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
const XFEATURE_XTILEDATA: libc::c_long = 18;

/// The operand of `ldtilecfg`: eight tiles of 16 rows of 64 bytes.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

static SHAPES: Shapes = Shapes {
    palette: 1,
    start_row: 0,
    reserved: [0; 14],
    row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// Bytes of the operands that stay in the L2 cache (2 MB on processors with AMX) while they are
/// multiplied.
const CACHED_LEFT: usize = 256 << 10;
const CACHED_RIGHT: usize = 768 << 10;

/// Sums of 2 x 2 tiles, row by row.
const BLOCK: usize = 2 * ROWS;

#[repr(C, align(64))]
struct Sums([MaybeUninit<f32>; BLOCK * BLOCK]);

pub(crate) fn available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        let tiles = raw_cpuid::CpuId::new()
            .get_extended_feature_info()
            .is_some_and(|has| has.has_amx_tile() && has.has_amx_bf16());
        let vectors = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512bf16");
        // SAFETY: a call with two numbers; a kernel that does not know it returns an error.
        vectors
            && tiles
            && unsafe {
                libc::syscall(
                    libc::SYS_arch_prctl,
                    ARCH_REQ_XCOMP_PERM,
                    XFEATURE_XTILEDATA,
                ) == 0
            }
    })
}

thread_local! {
    static TILES: RefCell<(Vec<Tile>, Vec<Tile>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

pub(crate) fn product(a: Matrix, b: Matrix) -> Vec<f32> {
    let (rows, columns) = (a.rows, b.columns);
    let depth = a.columns.div_ceil(DEPTH);
    if rows * columns * depth == 0 {
        return vec![0.0; rows * columns];
    }
    let mut out = Vec::with_capacity(rows * columns);
    TILES.with_borrow_mut(|(left, right)| {
        let left = pack::first(left, rows.div_ceil(ROWS) * depth);
        let right = pack::first(right, columns.div_ceil(ROWS) * depth);
        // SAFETY: `available`, which the caller has asserted, implies these features.
        unsafe { pack::right(b, right) };
        // SAFETY: palette 1 allows the shapes, and the memory is as large as a configuration.
        unsafe { asm!("ldtilecfg [{0}]", in(reg) &raw const SHAPES, options(nostack, readonly)) };
        let out = &mut out.spare_capacity_mut()[..rows * columns];
        // Rows that are far apart in memory are packed together.
        let apart = a.column_stride != 1;
        if apart {
            // SAFETY: as above.
            unsafe { pack::left(a, 0, left) };
        }
        let (high, wide) = (at_once(CACHED_LEFT, depth), at_once(CACHED_RIGHT, depth));
        for from in (0..columns).step_by(wide) {
            for (first, out) in out.chunks_mut(high * columns).enumerate() {
                let first = first * high / ROWS;
                let last = first + (out.len() / columns).div_ceil(ROWS);
                let left = &mut left[first * depth..last * depth];
                if from == 0 && !apart {
                    // SAFETY: as above.
                    unsafe { pack::left(a, first, left) };
                }
                sum(
                    left,
                    right,
                    depth,
                    out,
                    columns,
                    from..columns.min(from + wide),
                );
            }
        }
        // SAFETY: frees the tiles; nothing else uses them.
        unsafe { asm!("tilerelease", options(nomem, nostack)) };
    });
    // SAFETY: `sum` has written every value.
    unsafe { out.set_len(rows * columns) };
    out
}

/// Returns how many rows or columns of an operand, a multiple of a block, are multiplied before the
/// next: the number whose tiles take this many bytes.
fn at_once(bytes: usize, depth: usize) -> usize {
    (bytes / (depth * 2 * size_of::<Tile>())).max(1) * BLOCK
}

/// Writes sums of blocks of 2 x 2 tiles, `depth` tiles deep, to these columns of rows of `columns`.
fn sum(
    left: &[Tile],
    right: &[Tile],
    depth: usize,
    out: &mut [MaybeUninit<f32>],
    columns: usize,
    among: Range<usize>,
) {
    let rows = out.len() / columns;
    let mut scratch = Sums([MaybeUninit::uninit(); BLOCK * BLOCK]);
    let panel = |tiles: &'_ [Tile], block: usize| {
        let tiles = tiles
            .chunks_exact(depth)
            .nth(block)
            .or(tiles.chunks_exact(depth).next());
        tiles.map_or(std::ptr::null(), <[Tile]>::as_ptr)
    };
    for j in among.step_by(BLOCK) {
        let b = (panel(right, j / ROWS), panel(right, j / ROWS + 1));
        for i in (0..rows).step_by(BLOCK) {
            let a = (panel(left, i / ROWS), panel(left, i / ROWS + 1));
            let inside = i + BLOCK <= rows && j + BLOCK <= columns;
            if inside {
                let to = &mut out[i * columns + j..(i + BLOCK - 1) * columns + j + BLOCK];
                // SAFETY: panels have `depth` tiles; 32 rows of 32 sums, `columns` apart, are
                // inside `to`.
                unsafe { block(a, b, depth, to.as_mut_ptr(), columns) };
                continue;
            }
            // SAFETY: the same, and the scratch has 32 rows of 32. Past the last panel the first
            // one is read, and its sums are dropped.
            unsafe { block(a, b, depth, scratch.0.as_mut_ptr(), BLOCK) };
            let (high, wide) = (BLOCK.min(rows - i), BLOCK.min(columns - j));
            for (row, sums) in scratch.0.chunks_exact(BLOCK).take(high).enumerate() {
                out[(i + row) * columns + j..][..wide].copy_from_slice(&sums[..wide]);
            }
        }
    }
}

/// Computes the sums of 2 x 2 tiles over panels of `depth` tiles, and writes them to rows of `to`
/// that are `columns` apart.
///
/// # Safety
/// The tiles are configured; every panel has `depth` tiles, at least one; 32 rows of 32 f32 may be
/// written.
#[inline(always)]
unsafe fn block(
    a: (*const Tile, *const Tile),
    b: (*const Tile, *const Tile),
    depth: usize,
    to: *mut MaybeUninit<f32>,
    columns: usize,
) {
    // SAFETY: the caller guarantees it; the loop runs `depth` times.
    unsafe {
        asm!(
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "2:",
            "tileloadd tmm4, [{a0} + {row} * 1]",
            "tileloadd tmm6, [{b0} + {row} * 1]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tileloadd tmm7, [{b1} + {row} * 1]",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tileloadd tmm5, [{a1} + {row} * 1]",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "add {a0}, 1024",
            "add {a1}, 1024",
            "add {b0}, 1024",
            "add {b1}, 1024",
            "dec {depth}",
            "jnz 2b",
            "tilestored [{c} + {stride} * 1], tmm0",
            "tilestored [{c} + {stride} * 1 + 64], tmm1",
            "tilestored [{below} + {stride} * 1], tmm2",
            "tilestored [{below} + {stride} * 1 + 64], tmm3",
            a0 = inout(reg) a.0 => _,
            a1 = inout(reg) a.1 => _,
            b0 = inout(reg) b.0 => _,
            b1 = inout(reg) b.1 => _,
            depth = inout(reg) depth => _,
            row = in(reg) 64_usize,
            c = in(reg) to,
            below = in(reg) to.add(ROWS * columns),
            stride = in(reg) columns * 4,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        );
    }
}
