//! Matrices rounded to bf16 and packed in tiles, with zeros where a tile exceeds the matrix.

use std::arch::x86_64::{
    __m512bh, __m512i, _mm512_cvtne2ps_pbh, _mm512_loadu_ps, _mm512_loadu_si512,
    _mm512_permutexvar_epi16, _mm512_shuffle_i32x4, _mm512_storeu_si512, _mm512_unpackhi_epi32,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};
use std::mem::transmute;

use super::Matrix;

/// Rows of a tile.
pub(crate) const ROWS: usize = 16;
/// Values of bf16 in a row of a tile.
pub(crate) const DEPTH: usize = 32;
/// Pairs of bf16 in a row of a tile.
const PAIRS: usize = DEPTH / 2;

/// 16 rows of 16 pairs of bf16, as in an AMX register.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Tile(pub(crate) [[u32; PAIRS]; ROWS]);

const ZERO: Tile = Tile([[0; PAIRS]; ROWS]);

/// Packs the left operand: for each 16 rows the tiles along the inner dimension, row by row; a pair
/// is two neighbours along the inner dimension. `tiles` are filled from block `first` on.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(crate) fn left(a: Matrix, first: usize, tiles: &mut [Tile]) {
    let depth = a.columns.div_ceil(DEPTH);
    for (block, at) in order(tiles.len() / depth, depth, a.column_stride == 1) {
        let from = (first + block) * ROWS;
        let rows = ROWS.min(a.rows - from);
        let tile = &mut tiles[block * depth + at];
        let inner = at * DEPTH;
        let most = DEPTH.min(a.columns - inner);
        let whole = rows == ROWS && most == DEPTH;
        let start = from * a.row_stride + inner * a.column_stride;
        if whole && a.column_stride == 1 {
            by_rows(&a.values[start..], a.row_stride, tile);
        } else if whole && a.row_stride == 1 {
            let mut pairs = ZERO;
            interleaved(&a.values[start..], a.column_stride, &mut pairs);
            transposed(&pairs, tile);
        } else {
            *tile = ZERO;
            for (i, row) in tile.0[..rows].iter_mut().enumerate() {
                for k in 0..most {
                    let value = a.values[start + i * a.row_stride + k * a.column_stride];
                    row[k / 2] |= rounded(value) << (16 * (k % 2));
                }
            }
        }
    }
}

/// Packs the right operand: for each 16 columns the tiles along the inner dimension; a row of a
/// tile has the pairs of two neighbouring rows of the matrix.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(crate) fn right(b: Matrix, tiles: &mut [Tile]) {
    let depth = b.rows.div_ceil(DEPTH);
    for (block, at) in order(tiles.len() / depth, depth, b.row_stride == 1) {
        let from = block * ROWS;
        let columns = ROWS.min(b.columns - from);
        let tile = &mut tiles[block * depth + at];
        let inner = at * DEPTH;
        let most = DEPTH.min(b.rows - inner);
        let whole = columns == ROWS && most == DEPTH;
        let start = from * b.column_stride + inner * b.row_stride;
        if whole && b.column_stride == 1 {
            interleaved(&b.values[start..], b.row_stride, tile);
        } else if whole && b.row_stride == 1 {
            let mut pairs = ZERO;
            by_rows(&b.values[start..], b.column_stride, &mut pairs);
            transposed(&pairs, tile);
        } else {
            *tile = ZERO;
            for k in 0..most {
                for j in 0..columns {
                    let value = b.values[start + j * b.column_stride + k * b.row_stride];
                    tile.0[k / 2][j] |= rounded(value) << (16 * (k % 2));
                }
            }
        }
    }
}

/// Iterates over blocks and the tiles in each in memory order: along the inner dimension first if
/// it is contiguous.
fn order(blocks: usize, depth: usize, along: bool) -> impl Iterator<Item = (usize, usize)> {
    let place = move |n: usize| match along {
        true => (n / depth, n % depth),
        false => (n % blocks, n / blocks),
    };
    (0..blocks * depth).map(place)
}

/// Returns the first `count` tiles of a buffer, which grows if necessary.
pub(crate) fn first(tiles: &mut Vec<Tile>, count: usize) -> &mut [Tile] {
    if tiles.len() < count {
        tiles.resize(count, ZERO);
    }
    &mut tiles[..count]
}

/// Packs 16 rows of 32 values, `stride` apart, in 16 rows of 16 pairs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn by_rows(values: &[f32], stride: usize, tile: &mut Tile) {
    for (i, row) in tile.0.iter_mut().enumerate() {
        let (first, second) = values[i * stride..i * stride + DEPTH].split_at(ROWS);
        *row = pairs(both(first, second));
    }
}

/// Packs 32 rows of 16 values, `stride` apart, in 16 rows of the pairs of two rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn interleaved(values: &[f32], stride: usize, tile: &mut Tile) {
    // SAFETY: 32 numbers of 16 bits are the 64 bytes of a register.
    let order: __m512i = unsafe { transmute(INTERLEAVE) };
    for (p, row) in tile.0.iter_mut().enumerate() {
        let first = &values[2 * p * stride..][..ROWS];
        let second = &values[(2 * p + 1) * stride..][..ROWS];
        *row = pairs(_mm512_permutexvar_epi16(order, both(first, second)));
    }
}

/// The sources of the values of an interleaved row, from two concatenated rows of 16.
const INTERLEAVE: [u16; 2 * ROWS] = {
    let mut from = [0; 2 * ROWS];
    let mut i = 0;
    while i < 2 * ROWS {
        from[i] = (i / 2 + ROWS * (i % 2)) as u16;
        i += 1;
    }
    from
};

/// Rounds 16 values and 16 more to the nearest bf16, ties to even.
#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
fn both(first: &[f32], second: &[f32]) -> __m512i {
    assert!(first.len() == ROWS && second.len() == ROWS);
    // SAFETY: both are 64 bytes; a register is read as its content.
    unsafe {
        let (first, second) = (
            _mm512_loadu_ps(first.as_ptr()),
            _mm512_loadu_ps(second.as_ptr()),
        );
        transmute::<__m512bh, __m512i>(_mm512_cvtne2ps_pbh(second, first))
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn pairs(register: __m512i) -> [u32; PAIRS] {
    // SAFETY: both are 64 bytes.
    unsafe { transmute(register) }
}

/// Transposes 16 x 16 pairs: first the 4 x 4 inside the quarters of the registers, then the
/// quarters.
#[inline]
#[target_feature(enable = "avx512f")]
fn transposed(from: &Tile, to: &mut Tile) {
    // SAFETY: every row is 64 bytes.
    let row = |i: usize| unsafe { _mm512_loadu_si512(from.0[i].as_ptr().cast()) };
    let quarters = |i: usize| -> [__m512i; 4] {
        let (a, b, c, d) = (row(i), row(i + 1), row(i + 2), row(i + 3));
        let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
        let (ab2, cd2) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
        [
            _mm512_unpacklo_epi64(ab, cd),
            _mm512_unpackhi_epi64(ab, cd),
            _mm512_unpacklo_epi64(ab2, cd2),
            _mm512_unpackhi_epi64(ab2, cd2),
        ]
    };
    let (a, b, c, d) = (quarters(0), quarters(4), quarters(8), quarters(12));
    for i in 0..4 {
        // Quarters 0 and 1 of two registers, and 2 and 3.
        let (ab, ab2) = (
            _mm512_shuffle_i32x4::<0x44>(a[i], b[i]),
            _mm512_shuffle_i32x4::<0xee>(a[i], b[i]),
        );
        let (cd, cd2) = (
            _mm512_shuffle_i32x4::<0x44>(c[i], d[i]),
            _mm512_shuffle_i32x4::<0xee>(c[i], d[i]),
        );
        let columns = [
            _mm512_shuffle_i32x4::<0x88>(ab, cd),
            _mm512_shuffle_i32x4::<0xdd>(ab, cd),
            _mm512_shuffle_i32x4::<0x88>(ab2, cd2),
            _mm512_shuffle_i32x4::<0xdd>(ab2, cd2),
        ];
        for (quarter, column) in columns.into_iter().enumerate() {
            // SAFETY: every row is 64 bytes.
            unsafe { _mm512_storeu_si512(to.0[4 * quarter + i].as_mut_ptr().cast(), column) };
        }
    }
}

/// Returns the bits of the nearest bf16, ties to even.
fn rounded(value: f32) -> u32 {
    let bits = value.to_bits();
    let even = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    if value.is_nan() { 0x7fc0 } else { even }
}
