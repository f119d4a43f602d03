//! Numbers in few bits: blocks of values, each with its maximum magnitude as the scale and every
//! value as a fraction of it; and second moments as the outer product of their row and column sums.

/// Values that share a scale.
pub(super) const BLOCK: usize = 128;

/// Bytes that [`quantise`] makes of `count` values in `bits` bits.
pub(super) fn size(count: usize, bits: u32) -> usize {
    count.div_ceil(BLOCK) * 2 + (count * bits as usize).div_ceil(8)
}

/// A scale as the upper half of an f32, rounded up.
fn scale_up(largest: f32) -> u16 {
    let bits = largest.to_bits();
    let rounded = (bits >> 16) + u32::from(bits & 0xffff != 0);
    // The largest finite one, if rounding would give infinity.
    rounded.min(0x7f7f) as u16
}

fn scale(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

/// Scales, then values of `bits` bits each, the lowest bits first.
pub(super) fn quantise(values: &[f32], bits: u32) -> Vec<u8> {
    let most = ((1_u32 << (bits - 1)) - 1) as f32;
    let largest = |block: &[f32]| block.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    let scales: Vec<u16> = values
        .chunks(BLOCK)
        .map(|block| scale_up(largest(block)))
        .collect();
    let mut out: Vec<u8> = scales.iter().flat_map(|s| s.to_le_bytes()).collect();
    let (mut word, mut held) = (0_u64, 0);
    for (block, half) in values.chunks(BLOCK).zip(scales) {
        let scale = scale(half);
        for value in block {
            let fraction = if scale > 0.0 { value / scale } else { 0.0 };
            let level = (fraction * most).round().clamp(-most, most) + most;
            word |= u64::from(level as u32) << held;
            held += bits;
            while held >= 8 {
                out.push(word as u8);
                word >>= 8;
                held -= 8;
            }
        }
    }
    if held > 0 {
        out.push(word as u8);
    }
    out
}

/// The values given to [`quantise`], to its precision. `None` if there are too few bytes.
pub(super) fn restore(bytes: &[u8], count: usize, bits: u32) -> Option<Vec<f32>> {
    if bytes.len() != size(count, bits) {
        return None;
    }
    let most = ((1_u32 << (bits - 1)) - 1) as f32;
    let (scales, levels) = bytes.split_at(count.div_ceil(BLOCK) * 2);
    let (scales, _) = scales.as_chunks::<2>();
    let mut levels = levels.iter();
    let (mut word, mut held) = (0_u64, 0);
    let mut values = Vec::with_capacity(count);
    for index in 0..count {
        while held < bits {
            word |= u64::from(*levels.next()?) << held;
            held += 8;
        }
        let level = (word & ((1 << bits) - 1)) as f32 - most;
        word >>= bits;
        held -= bits;
        let scale = scale(u16::from_le_bytes(scales[index / BLOCK]));
        values.push(level / most * scale);
    }
    Some(values)
}

/// Sums of the rows and of the columns of a matrix.
pub(super) fn factors(values: &[f32], columns: usize) -> (Vec<f32>, Vec<f32>) {
    let mut by_column = vec![0.0; columns];
    let sum = |row: &[f32]| {
        by_column.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        row.iter().sum()
    };
    let by_row = values.chunks(columns.max(1)).map(sum).collect();
    (by_row, by_column)
}

/// The matrix of rank one with these sums, as in Adafactor's second moments.
pub(super) fn product(by_row: &[f32], by_column: &[f32]) -> Vec<f32> {
    let total: f32 = by_row.iter().sum();
    let share = |sum: &f32| if total > 0.0 { sum / total } else { 0.0 };
    by_row
        .iter()
        .flat_map(|row| by_column.iter().map(move |column| share(row) * column))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_within_half_a_level() {
        let values: Vec<f32> = (0..1000)
            .map(|i| ((i * 7919 % 997) as f32 / 500.0 - 1.0) * 10f32.powi(i / 250 - 8))
            .collect();
        for bits in [4, 8, 11, 16] {
            let bytes = quantise(&values, bits);
            assert_eq!(bytes.len(), size(values.len(), bits));
            let back = restore(&bytes, values.len(), bits).unwrap();
            let most = ((1 << (bits - 1)) - 1) as f32;
            for (block, ours) in values.chunks(BLOCK).zip(back.chunks(BLOCK)) {
                let largest = block.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
                for (x, y) in block.iter().zip(ours) {
                    // The scale is at most 2^-7 above the largest value.
                    assert!((x - y).abs() <= 0.51 * 1.008 * largest / most, "{x} {y}");
                }
            }
            assert!(restore(&bytes[1..], values.len(), bits).is_none());
        }
        assert_eq!(restore(&quantise(&[0.0; 5], 4), 5, 4), Some(vec![0.0; 5]));
    }

    #[test]
    fn a_matrix_of_rank_one_survives() {
        let (rows, columns) = ([1.0, 2.0, 0.0, 4.0], [3.0, 5.0, 0.5]);
        let values: Vec<f32> = rows.iter().flat_map(|r| columns.map(|c| r * c)).collect();
        let (by_row, by_column) = factors(&values, 3);
        for (x, y) in values.iter().zip(product(&by_row, &by_column)) {
            assert!((x - y).abs() < 1e-5, "{x} {y}");
        }
        assert_eq!(product(&[0.0, 0.0], &[0.0, 0.0]), [0.0; 4]);
    }
}
