// Enough of CUDA's language to run kernels on a CPU: one thread per thread of a block, one block
// after the other.
#pragma once
#include <barrier>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(threads)

struct Three {
    int x = 0, y = 0, z = 0;
};
struct uint2 {
    unsigned x, y;
};
struct float4 {
    float x, y, z, w;
};
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline float __expf(float x) { return std::exp(x); }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }

// Rounds to the nearest bf16, ties to even.
inline unsigned rounded(float x) {
    const unsigned bits = std::bit_cast<unsigned>(x);
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

struct Warp {
    std::barrier<> ready{32}, done{32};
    unsigned values[32];
};

thread_local Three threadIdx, blockIdx;
inline Three blockDim, gridDim;
inline std::unique_ptr<std::barrier<>> block_barrier;
inline std::vector<std::unique_ptr<Warp>> warps;
inline std::mutex adding;

inline void __syncthreads() { block_barrier->arrive_and_wait(); }

template <class T> T __shfl_xor_sync(unsigned, T value, int apart) {
    Warp &warp = *warps[threadIdx.x / 32];
    const int lane = threadIdx.x % 32;
    warp.values[lane] = std::bit_cast<unsigned>(value);
    warp.ready.arrive_and_wait();
    const T other = std::bit_cast<T>(warp.values[lane ^ apart]);
    warp.done.arrive_and_wait();
    return other;
}

inline void atomicAdd(float *to, float x) {
    std::lock_guard lock(adding);
    *to += x;
}

// Runs `kernel` for every thread of a grid of (x, y) blocks.
template <class Kernel> void launch(int x, int y, int threads, Kernel kernel) {
    gridDim = {x, y, 1}, blockDim = {threads, 1, 1};
    for (int block = 0; block < x * y; block++) {
        block_barrier = std::make_unique<std::barrier<>>(threads);
        warps.clear();
        for (int k = 0; k < (threads + 31) / 32; k++) warps.push_back(std::make_unique<Warp>());
        std::vector<std::thread> running;
        for (int thread = 0; thread < threads; thread++)
            running.emplace_back([=] {
                threadIdx = {thread, 0, 0}, blockIdx = {block % x, block / x, 0};
                kernel();
                block_barrier->arrive_and_drop();
            });
        for (auto &one : running) one.join();
    }
}
