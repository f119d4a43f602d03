// How long the kernels of a CUDA program took, by name: a library that the CUDA driver loads into the program.
//
//   cc -O2 -shared -fPIC runs/kernel_times.c -o kernel_times.so -I$CUPTI/include -I$CUDA/include -L$CUPTI/lib -l:libcupti.so.13
//   export CUDA_INJECTION64_PATH=$PWD/kernel_times.so KERNEL_TIMES=times.txt KERNEL_TIMES_SKIP=2
//   codexec pretrain --config benches/gpu.toml --device cuda --benchmark 60
//
// $CUPTI and $CUDA: folders `nvidia/cu13` of the wheels nvidia-cuda-cupti and nvidia-cuda-runtime, 13.0 (no GPU is needed to
// compile). The program must find libcupti.so.13 (LD_LIBRARY_PATH). What begins in the first KERNEL_TIMES_SKIP seconds after the
// first kernel is not counted.
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096
#define BUFFER (8 << 20)

static struct {
    char *name;
    unsigned long long nanoseconds, count;
} kernels[MOST];
static int known;
static unsigned long long first, last, counted_from, busy, copied, copies, filled, fills;

static int counts(unsigned long long start) {
    if (!first) {
        const char *skip = getenv("KERNEL_TIMES_SKIP");
        first = start;
        counted_from = start + (unsigned long long)((skip ? atof(skip) : 0) * 1e9);
    }
    return start >= counted_from;
}

static void add(const char *name, unsigned long long nanoseconds) {
    busy += nanoseconds;
    for (int k = 0; k < known; k++)
        if (!strcmp(kernels[k].name, name)) {
            kernels[k].nanoseconds += nanoseconds;
            kernels[k].count++;
            return;
        }
    if (known == MOST) return;
    kernels[known].name = strdup(name);
    kernels[known].nanoseconds = nanoseconds;
    kernels[known++].count = 1;
}

static void CUPTIAPI wanted(uint8_t **buffer, size_t *size, size_t *records) {
    *buffer = aligned_alloc(64, BUFFER);
    *size = BUFFER;
    *records = 0;
}

static void CUPTIAPI completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
    CUpti_Activity *record = NULL;
    while (valid && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            const CUpti_ActivityKernel9 *kernel = (const void *)record;
            if (!counts(kernel->start) || !kernel->name) continue;
            last = kernel->end;
            add(kernel->name, kernel->end - kernel->start);
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
            const CUpti_ActivityMemcpy5 *copy = (const void *)record;
            if (counts(copy->start)) copied += copy->end - copy->start, copies++;
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
            const CUpti_ActivityMemset4 *fill = (const void *)record;
            if (counts(fill->start)) filled += fill->end - fill->start, fills++;
        }
    }
    free(buffer);
}

static int longer(const void *a, const void *b) {
    const unsigned long long x = *(const unsigned long long *)((const char *)a + sizeof(char *));
    const unsigned long long y = *(const unsigned long long *)((const char *)b + sizeof(char *));
    return x < y ? 1 : x > y ? -1 : 0;
}

static void report(void) {
    cuptiActivityFlushAll(1);
    const char *path = getenv("KERNEL_TIMES");
    FILE *out = path ? fopen(path, "w") : stderr;
    if (!out) out = stderr;
    qsort(kernels, known, sizeof kernels[0], longer);
    fprintf(out, "%.1f ms, kernels %.1f ms\n", (last - counted_from) / 1e6, busy / 1e6);
    fprintf(out, "%10.2f ms %8llu copies\n%10.2f ms %8llu fills\n", copied / 1e6, copies, filled / 1e6, fills);
    for (int k = 0; k < known; k++)
        fprintf(out, "%10.2f ms %8llu x %9.1f us  %s\n", kernels[k].nanoseconds / 1e6, kernels[k].count,
                kernels[k].nanoseconds / 1e3 / kernels[k].count, kernels[k].name);
    fflush(out);
}

int InitializeInjection(void) {
    cuptiActivityRegisterCallbacks(wanted, completed);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    atexit(report);
    return 1;
}
