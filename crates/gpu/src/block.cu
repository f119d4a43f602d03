// The operations between the matrix products of a transformer block in training, each as one pass
// over memory. Values are bf16; arithmetic and weights are f32. Rows are contiguous. A warp has 32
// threads; the launches in `block.rs` set the `threads` of a block. `crates/gpu/tests/kernels.rs`
// runs this file on the CPU.

#define WARP 32
#define ALL 0xffffffffu

typedef unsigned short bf16;

// Two neighbouring values, the first in the lower half.
__device__ __forceinline__ float low(unsigned pair) { return __uint_as_float(pair << 16); }
__device__ __forceinline__ float high(unsigned pair) { return __uint_as_float(pair & 0xffff0000u); }

__device__ __forceinline__ unsigned pack(float a, float b) {
#ifdef __CUDA_ARCH__
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(b), "f"(a));
    return pair;
#else
    return rounded(a) | rounded(b) << 16;
#endif
}

__device__ __forceinline__ void read4(const bf16 *from, float *to) {
    uint2 pairs = *reinterpret_cast<const uint2 *>(from);
    to[0] = low(pairs.x), to[1] = high(pairs.x), to[2] = low(pairs.y), to[3] = high(pairs.y);
}

__device__ __forceinline__ void write4(bf16 *to, const float *from) {
    *reinterpret_cast<uint2 *>(to) = make_uint2(pack(from[0], from[1]), pack(from[2], from[3]));
}

__device__ __forceinline__ void read4(const float *from, float *to) {
    float4 four = *reinterpret_cast<const float4 *>(from);
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

__device__ __forceinline__ float warp_sum(float x) {
#pragma unroll
    for (int apart = WARP / 2; apart > 0; apart /= 2) x += __shfl_xor_sync(ALL, x, apart);
    return x;
}

__device__ __forceinline__ float warp_max(float x) {
#pragma unroll
    for (int apart = WARP / 2; apart > 0; apart /= 2) x = fmaxf(x, __shfl_xor_sync(ALL, x, apart));
    return x;
}

// A thread processes four neighbouring columns of each 128; CHUNKS of them cover a row.
template <int CHUNKS, class Body> __device__ __forceinline__ void each_chunk(int width, Body body) {
#pragma unroll
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        const int column = 4 * (WARP * chunk + (int)(threadIdx.x % WARP));
        if (column < width) body(chunk, column);
    }
}

// Normalises x, a row with a known sum, then scales and shifts it. Keeps for the backward pass the
// input of scale and shift, and the inverse of the divisor.
template <int CHUNKS>
__device__ __forceinline__ void normalise(float (&x)[CHUNKS][4], float sum, const float *scale, const float *shift, float eps,
                                          int row, int width, bf16 *normal, float *inverse, bf16 *out) {
    const float mean = warp_sum(sum) / width;
    float squares = 0;
    each_chunk<CHUNKS>(width, [&](int c, int) {
        for (int k = 0; k < 4; k++) x[c][k] -= mean, squares += x[c][k] * x[c][k];
    });
    const float by = rsqrtf(warp_sum(squares) / width + eps);
    each_chunk<CHUNKS>(width, [&](int c, int column) {
        float times[4], plus[4], result[4];
        read4(scale + column, times);
        read4(shift + column, plus);
        for (int k = 0; k < 4; k++) x[c][k] *= by, result[k] = x[c][k] * times[k] + plus[k];
        write4(normal + column, x[c]);
        write4(out + column, result);
    });
    if (threadIdx.x % WARP == 0) inverse[row] = by;
}

// The layer normalisation of y + bias + residual, for rows of (count, width).
template <int CHUNKS>
__device__ void residual_norm(const bf16 *y, const float *bias, const bf16 *residual, const float *scale,
                              const float *shift, float eps, int count, int width, bf16 *normal, float *inverse, bf16 *out) {
    const int row = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
    if (row >= count) return;
    const long long at = (long long)row * width;
    float x[CHUNKS][4], sum = 0;
    each_chunk<CHUNKS>(width, [&](int c, int column) {
        float more[4], also[4];
        read4(y + at + column, x[c]);
        read4(residual + at + column, more);
        read4(bias + column, also);
        for (int k = 0; k < 4; k++) sum += x[c][k] += more[k] + also[k];
    });
    normalise<CHUNKS>(x, sum, scale, shift, eps, row, width, normal + at, inverse, out + at);
}

// The same for the sum of a word's row, a position's row and a bias, all f32. The result is NaN for
// an index beyond a table.
template <int CHUNKS>
__device__ void embed(const float *words, const unsigned *ids, unsigned word_rows, const float *places,
                      const unsigned *positions, unsigned place_rows, const float *bias, const float *scale,
                      const float *shift, float eps, int count, int width, bf16 *normal, float *inverse, bf16 *out) {
    const int row = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
    if (row >= count) return;
    const bool known = ids[row] < word_rows && positions[row] < place_rows;
    const long long at = (long long)row * width;
    const float *word = words + (known ? ids[row] : 0) * (long long)width;
    const float *place = places + (known ? positions[row] : 0) * (long long)width;
    float x[CHUNKS][4], sum = known ? 0.0f : NAN;
    each_chunk<CHUNKS>(width, [&](int c, int column) {
        float more[4], also[4];
        read4(word + column, x[c]);
        read4(place + column, more);
        read4(bias + column, also);
        for (int k = 0; k < 4; k++) sum += x[c][k] += more[k] + also[k];
    });
    normalise<CHUNKS>(x, sum, scale, shift, eps, row, width, normal + at, inverse, out + at);
}

// The gradient of the normalised input, and for each block the sums over its rows of that gradient,
// of grad * normal and of grad: sums is (blocks, 3, width). `grad` and `grad2` are added if `grad2`
// is not null.
template <int CHUNKS>
__device__ void norm_backward(const bf16 *__restrict__ grad, const bf16 *__restrict__ grad2, const bf16 *__restrict__ normal, const float *__restrict__ inverse,
                              const float *__restrict__ scale, int count, int width, bf16 *out, float *sums) {
    __shared__ float shared[8][CHUNKS * 4 * WARP];
    const int warps = blockDim.x / WARP, warp = threadIdx.x / WARP;
    float bias[CHUNKS][4] = {}, times[CHUNKS][4] = {}, plus[CHUNKS][4] = {}, weight[CHUNKS][4];
    each_chunk<CHUNKS>(width, [&](int c, int column) { read4(scale + column, weight[c]); });
    for (int row = blockIdx.x * warps + warp; row < count; row += gridDim.x * warps) {
        const long long at = (long long)row * width;
        float g[CHUNKS][4], x[CHUNKS][4], mean = 0, along = 0;
        each_chunk<CHUNKS>(width, [&](int c, int column) {
            read4(grad + at + column, g[c]);
            read4(normal + at + column, x[c]);
            if (grad2) {
                float more[4];
                read4(grad2 + at + column, more);
                for (int k = 0; k < 4; k++) g[c][k] += more[k];
            }
            for (int k = 0; k < 4; k++) {
                times[c][k] += g[c][k] * x[c][k];
                plus[c][k] += g[c][k];
                g[c][k] *= weight[c][k];
                mean += g[c][k];
                along += g[c][k] * x[c][k];
            }
        });
        mean = warp_sum(mean) / width;
        along = warp_sum(along) / width;
        const float by = inverse[row];
        each_chunk<CHUNKS>(width, [&](int c, int column) {
            for (int k = 0; k < 4; k++) {
                g[c][k] = (g[c][k] - mean - x[c][k] * along) * by;
                bias[c][k] += g[c][k];
            }
            write4(out + at + column, g[c]);
        });
    }
#pragma unroll
    for (int which = 0; which < 3; which++) {
        each_chunk<CHUNKS>(width, [&](int c, int column) {
            for (int k = 0; k < 4; k++)
                shared[warp][column + k] = which == 0 ? bias[c][k] : which == 1 ? times[c][k] : plus[c][k];
        });
        __syncthreads();
        for (int column = threadIdx.x; column < width; column += blockDim.x) {
            float sum = 0;
            for (int k = 0; k < warps; k++) sum += shared[k][column];
            sums[((long long)blockIdx.x * 3 + which) * width + column] = sum;
        }
        __syncthreads();
    }
}

// Scores (B,heads,T,T) to probabilities, after adding the mask (B,1,T,T). Each warp has one row.
// The heads of a token are neighbours, so that they read its mask together.
template <int CHUNKS>
__device__ void masked_softmax(bf16 *scores, const float *__restrict__ mask, int batch, int heads, int width) {
    const long long row = (long long)blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
    if (row >= (long long)batch * heads * width) return;
    const long long token = row / heads, sequence = token / width;
    const long long at = ((sequence * heads + row % heads) * width + token % width) * width;
    float x[CHUNKS][4], most = -INFINITY, sum = 0;
    each_chunk<CHUNKS>(width, [&](int c, int column) {
        float more[4];
        read4(scores + at + column, x[c]);
        read4(mask + token * width + column, more);
        for (int k = 0; k < 4; k++) most = fmaxf(most, x[c][k] += more[k]);
    });
    most = warp_max(most);
    each_chunk<CHUNKS>(width, [&](int c, int column) {
        for (int k = 0; k < 4; k++) sum += x[c][k] = __expf(x[c][k] - most);
    });
    const float by = 1.0f / warp_sum(sum);
    each_chunk<CHUNKS>(width, [&](int c, int column) {
        for (int k = 0; k < 4; k++) x[c][k] *= by;
        write4(scores + at + column, x[c]);
    });
}

// Gradients (count, width) of probabilities to those of the scores.
template <int CHUNKS>
__device__ void softmax_backward(bf16 *grad, const bf16 *__restrict__ probs, long long count, int width) {
    const long long row = (long long)blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
    if (row >= count) return;
    const long long at = row * width;
    float g[CHUNKS][4], p[CHUNKS][4], along = 0;
    each_chunk<CHUNKS>(width, [&](int c, int column) {
        read4(grad + at + column, g[c]);
        read4(probs + at + column, p[c]);
        for (int k = 0; k < 4; k++) along += g[c][k] * p[c][k];
    });
    along = warp_sum(along);
    each_chunk<CHUNKS>(width, [&](int c, int column) {
        for (int k = 0; k < 4; k++) g[c][k] = (g[c][k] - along) * p[c][k];
        write4(grad + at + column, g[c]);
    });
}

#define OF_CHUNKS(CHUNKS)                                                                                                                                                           \
    extern "C" __global__ void residual_norm_##CHUNKS(                                                                                                                              \
        const bf16 *__restrict__ y, const float *__restrict__ bias, const bf16 *__restrict__ residual, const float *__restrict__ scale, const float *__restrict__ shift, float eps, \
        int count, int width, bf16 *normal, float *inverse, bf16 *out) {                                                                                                            \
        residual_norm<CHUNKS>(y, bias, residual, scale, shift, eps, count, width, normal, inverse, out);                                                                            \
    }                                                                                                                                                                               \
    extern "C" __global__ void embed_##CHUNKS(                                                                                                                                      \
        const float *words, const unsigned *ids, unsigned word_rows, const float *places, const unsigned *positions,                                                                \
        unsigned place_rows, const float *bias, const float *scale, const float *shift, float eps, int count, int width,                                                            \
        bf16 *normal, float *inverse, bf16 *out) {                                                                                                                                  \
        embed<CHUNKS>(words, ids, word_rows, places, positions, place_rows, bias, scale, shift, eps, count, width, normal,                                                          \
                      inverse, out);                                                                                                                                                \
    }                                                                                                                                                                               \
    extern "C" __global__ void norm_backward_##CHUNKS(                                                                                                                              \
        const bf16 *__restrict__ grad, const bf16 *__restrict__ grad2, const bf16 *__restrict__ normal,                                                                             \
                                                      const float *__restrict__ inverse, const float *__restrict__ scale, int count, int width,                                     \
                                                      bf16 *out, float *sums) {                                                                                                     \
        norm_backward<CHUNKS>(grad, grad2, normal, inverse, scale, count, width, out, sums);                                                                                        \
    }                                                                                                                                                                               \
    extern "C" __global__ void masked_softmax_##CHUNKS(bf16 *scores, const float *__restrict__ mask, int batch, int heads, int width) {                                             \
        masked_softmax<CHUNKS>(scores, mask, batch, heads, width);                                                                                                                  \
    }                                                                                                                                                                               \
    extern "C" __global__ void softmax_backward_##CHUNKS(bf16 *grad, const bf16 *__restrict__ probs, long long count, int width) {                                                  \
        softmax_backward<CHUNKS>(grad, probs, count, width);                                                                                                                        \
    }

OF_CHUNKS(1)
OF_CHUNKS(2)
OF_CHUNKS(3)
OF_CHUNKS(4)
OF_CHUNKS(6)
OF_CHUNKS(8)

__device__ __forceinline__ float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }

__device__ __forceinline__ float gelu_slope(float x) {
    return 0.5f * (1.0f + erff(x * 0.70710678f)) + x * 0.39894228f * __expf(-0.5f * x * x);
}

// GELU of y + bias, (count, width). A thread has four columns and every gridDim.y-th row.
extern "C" __global__ void bias_gelu(const bf16 *__restrict__ y, const float *__restrict__ bias, int count, int width, bf16 *out) {
    const int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (column >= width) return;
    float plus[4];
    read4(bias + column, plus);
#pragma unroll 4
    for (int row = blockIdx.y; row < count; row += gridDim.y) {
        const long long at = (long long)row * width + column;
        float x[4];
        read4(y + at, x);
        for (int k = 0; k < 4; k++) x[k] = gelu(x[k] + plus[k]);
        write4(out + at, x);
    }
}

// Overwrites the gradient of GELU's result with that of y, and sums it over the rows of each
// gridDim.y: (gridDim.y, width).
extern "C" __global__ void gelu_backward(bf16 *grad, const bf16 *__restrict__ y, const float *__restrict__ bias, int count, int width, float *sums) {
    const int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (column >= width) return;
    float plus[4], sum[4] = {};
    read4(bias + column, plus);
#pragma unroll 4
    for (int row = blockIdx.y; row < count; row += gridDim.y) {
        const long long at = (long long)row * width + column;
        float x[4], g[4];
        read4(y + at, x);
        read4(grad + at, g);
        for (int k = 0; k < 4; k++) sum[k] += g[k] *= gelu_slope(x[k] + plus[k]);
        write4(grad + at, g);
    }
    for (int k = 0; k < 4; k++) sums[(long long)blockIdx.y * width + column + k] = sum[k];
}

// In these two kernels a thread processes two neighbouring columns of the first half of a head of
// the queries, keys or values, and their partners in its second half: 3 * heads * size / 4 threads
// per token.
struct Place {
    int part, head, column, half;
};

__device__ __forceinline__ Place place(int thread, int heads, int size) {
    const int quarter = size / 4;
    return {thread / quarter / heads, thread / quarter % heads, 2 * (thread % quarter), size / 2};
}

// Products (B*T,3*heads*size) and their bias to queries, keys and values (3,B,heads,T,size).
// Queries and keys are rotated by cosines and sines (B*T,size/2) if these are not null; queries are
// scaled.
extern "C" __global__ void __launch_bounds__(1024) split_heads(const bf16 *__restrict__ products, const float *__restrict__ bias, const float *__restrict__ cosines, const float *__restrict__ sines,
                                       float scale, int batch, int length, int heads, int size, bf16 *out) {
    const Place p = place(threadIdx.x, heads, size);
    const int width = 3 * heads * size, from = (p.part * heads + p.head) * size + p.column;
    const float b[4] = {bias[from], bias[from + 1], bias[from + p.half], bias[from + p.half + 1]};
    const float times = p.part == 0 ? scale : 1.0f;
    const bool turned = cosines && p.part < 2;
#pragma unroll 4
    for (int token = blockIdx.x; token < batch * length; token += gridDim.x) {
        const bf16 *row = products + (long long)token * width + from;
        const unsigned first = *reinterpret_cast<const unsigned *>(row);
        const unsigned second = *reinterpret_cast<const unsigned *>(row + p.half);
        float x[4] = {low(first) + b[0], high(first) + b[1], low(second) + b[2], high(second) + b[3]};
        if (turned) {
            const long long angle = (long long)token * p.half + p.column;
            for (int k = 0; k < 2; k++) {
                const float c = cosines[angle + k], s = sines[angle + k], a = x[k], o = x[k + 2];
                x[k] = a * c - o * s;
                x[k + 2] = a * s + o * c;
            }
        }
        const int sequence = token / length, at = token % length;
        bf16 *to = out + ((((long long)p.part * batch + sequence) * heads + p.head) * length + at) * size + p.column;
        *reinterpret_cast<unsigned *>(to) = pack(x[0] * times, x[1] * times);
        *reinterpret_cast<unsigned *>(to + p.half) = pack(x[2] * times, x[3] * times);
    }
}

// The backward pass of gradients (B,heads,T,size) each, and for each block the sums over its
// tokens: (blocks, 3*heads*size).
extern "C" __global__ void __launch_bounds__(1024) merge_heads(const bf16 *__restrict__ queries, const bf16 *__restrict__ keys, const bf16 *__restrict__ values, const float *__restrict__ cosines,
                                       const float *__restrict__ sines, float scale, int batch, int length, int heads, int size, bf16 *out,
                                       float *sums) {
    const Place p = place(threadIdx.x, heads, size);
    const int width = 3 * heads * size, to = (p.part * heads + p.head) * size + p.column;
    const bf16 *__restrict__ const grads = p.part == 0 ? queries : p.part == 1 ? keys : values;
    const float times = p.part == 0 ? scale : 1.0f;
    const bool turned = cosines && p.part < 2;
    float sum[4] = {};
#pragma unroll 4
    for (int token = blockIdx.x; token < batch * length; token += gridDim.x) {
        const int sequence = token / length, at = token % length;
        const bf16 *row = grads + (((long long)sequence * heads + p.head) * length + at) * size + p.column;
        const unsigned first = *reinterpret_cast<const unsigned *>(row);
        const unsigned second = *reinterpret_cast<const unsigned *>(row + p.half);
        float x[4] = {low(first) * times, high(first) * times, low(second) * times, high(second) * times};
        if (turned) {
            const long long angle = (long long)token * p.half + p.column;
            for (int k = 0; k < 2; k++) {
                const float c = cosines[angle + k], s = sines[angle + k], a = x[k], o = x[k + 2];
                x[k] = a * c + o * s;
                x[k + 2] = o * c - a * s;
            }
        }
        for (int k = 0; k < 4; k++) sum[k] += x[k];
        bf16 *result = out + (long long)token * width + to;
        *reinterpret_cast<unsigned *>(result) = pack(x[0], x[1]);
        *reinterpret_cast<unsigned *>(result + p.half) = pack(x[2], x[3]);
    }
    float *row = sums + (long long)blockIdx.x * width + to;
    row[0] = sum[0], row[1] = sum[1], row[p.half] = sum[2], row[p.half + 1] = sum[3];
}

// (B,heads,T,size) to (B,T,heads*size), or the inverse with `back`. A thread processes four values.
extern "C" __global__ void join_heads(const bf16 *__restrict__ x, int batch, int length, int heads, int size, int back, bf16 *out) {
    const long long count = (long long)batch * length * heads * size / 4;
    for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < count; k += (long long)gridDim.x * blockDim.x) {
        const long long joined = 4 * k;
        const int width = heads * size, column = joined % width;
        const long long token = joined / width, sequence = token / length;
        const long long apart = ((sequence * heads + column / size) * length + token % length) * size + column % size;
        *reinterpret_cast<uint2 *>(out + (back ? apart : joined)) =
            *reinterpret_cast<const uint2 *>(x + (back ? joined : apart));
    }
}

// For each row of logits (count, width): the loss, and whether the target is the first of the
// largest, both times the row's weight. The gradient of the logits overwrites them. Each block has
// one row; `width` is even. The loss is NaN for a target that is not a column.
extern "C" __global__ void cross_entropy(bf16 *logits, const unsigned *__restrict__ targets, const float *__restrict__ weights, int width, float *losses,
                                         float *hits) {
    __shared__ float values[WARP];
    __shared__ int places[WARP];
    const int warps = blockDim.x / WARP, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    unsigned *row = reinterpret_cast<unsigned *>(logits + (long long)blockIdx.x * width);
    float most = -INFINITY;
    int best = 0;
    for (int k = threadIdx.x; k < width / 2; k += blockDim.x) {
        const float a = low(row[k]), b = high(row[k]);
        if (a > most) most = a, best = 2 * k;
        if (b > most) most = b, best = 2 * k + 1;
    }
    for (int apart = WARP / 2; apart > 0; apart /= 2) {
        const float other = __shfl_xor_sync(ALL, most, apart);
        const int at = __shfl_xor_sync(ALL, best, apart);
        if (other > most || (other == most && at < best)) most = other, best = at;
    }
    if (lane == 0) values[warp] = most, places[warp] = best;
    __syncthreads();
    most = values[0], best = places[0];
    for (int k = 1; k < warps; k++)
        if (values[k] > most || (values[k] == most && places[k] < best)) most = values[k], best = places[k];
    __syncthreads();
    float sum = 0;
    for (int k = threadIdx.x; k < width / 2; k += blockDim.x)
        sum += __expf(low(row[k]) - most) + __expf(high(row[k]) - most);
    sum = warp_sum(sum);
    if (lane == 0) values[warp] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < warps; k++) sum += values[k];
    const bool known = targets[blockIdx.x] < (unsigned)width;
    const int target = known ? targets[blockIdx.x] : 0;
    const float weight = weights[blockIdx.x], by = weight / sum;
    if (threadIdx.x == 0) {
        const unsigned pair = row[target / 2];
        losses[blockIdx.x] = !known ? NAN : weight * (logf(sum) + most - (target % 2 ? high(pair) : low(pair)));
        hits[blockIdx.x] = best == target ? weight : 0.0f;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < width / 2; k += blockDim.x) {
        const float a = __expf(low(row[k]) - most) * by, b = __expf(high(row[k]) - most) * by;
        row[k] = pack(a - (target == 2 * k ? weight : 0.0f), b - (target == 2 * k + 1 ? weight : 0.0f));
    }
}

// Adds the rows of `grad` (count, width) to the rows `ids` of `table`, which has `rows` rows.
// Indices beyond it are ignored.
extern "C" __global__ void add_rows(const float *__restrict__ grad, const unsigned *__restrict__ ids, long long count, int width,
                                    unsigned rows, float *table) {
    for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < count * width;
         k += (long long)gridDim.x * blockDim.x)
        if (ids[k / width] < rows) atomicAdd(table + (long long)ids[k / width] * width + k % width, grad[k]);
}

// The same for two tables, with `ids` and `positions`, and bf16 rows.
extern "C" __global__ void add_rows_twice(const bf16 *__restrict__ grad, const unsigned *__restrict__ ids,
                                          const unsigned *__restrict__ positions, long long count, int width,
                                          unsigned word_rows, unsigned place_rows, float *words, float *places) {
    for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < count * width;
         k += (long long)gridDim.x * blockDim.x) {
        const long long row = k / width, column = k % width;
        const float x = low(grad[k]);
        if (ids[row] < word_rows) atomicAdd(words + ids[row] * (long long)width + column, x);
        if (positions[row] < place_rows) atomicAdd(places + positions[row] * (long long)width + column, x);
    }
}

// Copies the rows of x (count, width) to the rows `rows` of `out`, (total, width). A thread
// processes four values.
extern "C" __global__ void spread_rows(const bf16 *__restrict__ x, const unsigned *__restrict__ rows, int count, int width,
                                       int total, bf16 *out) {
    const long long four = width / 4;
    for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < count * four;
         k += (long long)gridDim.x * blockDim.x) {
        const unsigned row = rows[k / four];
        if (row < (unsigned)total)
            *reinterpret_cast<uint2 *>(out + row * (long long)width + 4 * (k % four)) =
                *reinterpret_cast<const uint2 *>(x + 4 * k);
    }
}

// Sums over the rows of (count, width), f32. A block of 256 threads has 32 columns.
extern "C" __global__ void sum_rows(const float *__restrict__ x, int count, int width, float *out) {
    __shared__ float shared[8][WARP];
    const int lane = threadIdx.x % WARP, part = threadIdx.x / WARP, column = blockIdx.x * WARP + lane;
    float sum = 0;
    if (column < width)
#pragma unroll 8
        for (int row = part; row < count; row += 8) sum += x[(long long)row * width + column];
    shared[part][lane] = sum;
    __syncthreads();
    if (part == 0 && column < width) {
        for (int k = 1; k < 8; k++) sum += shared[k][lane];
        out[column] = sum;
    }
}
