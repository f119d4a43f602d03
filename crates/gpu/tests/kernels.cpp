// Tests the kernels of src/block.cu on a CPU against plain loops in double precision. Exits with 1
// and the name of the differing result.
#include "emulator.h" // replaces CUDA

#include "../src/block.cu"

#include <cstdio>
#include <cstdlib>
#include <string>

typedef std::vector<double> Numbers;

static unsigned state = 1;
static double number() {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / double(1 << 23) - 1;
}

// A tensor of bf16 or f32 and its values.
template <class T> struct Tensor {
    std::vector<T> data;
    explicit Tensor(size_t count) : data(count) {}
    static Tensor random(size_t count) {
        Tensor result(count);
        for (auto &x : result.data) {
            if constexpr (std::is_same_v<T, bf16>) x = rounded(number());
            else x = number();
        }
        return result;
    }
    T *at() { return data.data(); }
    double operator[](size_t k) const {
        if constexpr (std::is_same_v<T, bf16>) return low(data[k]);
        else return data[k];
    }
};
typedef Tensor<bf16> Half;
typedef Tensor<float> Single;

template <class T> void compare(const std::string &what, const Tensor<T> &got, const Numbers &wanted) {
    double apart = 0, size = 1e-30;
    if (got.data.size() != wanted.size()) std::printf("%s: sizes\n", what.c_str()), std::exit(1);
    for (size_t k = 0; k < wanted.size(); k++) apart += std::pow(got[k] - wanted[k], 2), size += std::pow(wanted[k], 2);
    const double error = std::sqrt(apart / size), most = std::is_same_v<T, bf16> ? 4e-3 : 1e-5;
    if (!(error <= most)) std::printf("%s: relative error %g\n", what.c_str(), error), std::exit(1);
}

// Returns the sum over the rows of each part, as the kernel `sum_rows` adds the sums of blocks.
static Single summed(Single &parts, int count, int width) {
    Single out(width);
    launch((width + 31) / 32, 1, 256, [&] { sum_rows(parts.at(), count, width, out.at()); });
    return out;
}

template <class Forward, class Backward> void norms(int rows, int width, Forward forward, Backward backward) {
    const std::string name = "width " + std::to_string(width) + ": ";
    const size_t count = size_t(rows) * width;
    Half y = Half::random(count), residual = Half::random(count), normal(count), out(count);
    Single bias = Single::random(width), scale = Single::random(width), shift = Single::random(width), inverse(rows);
    launch((rows + 7) / 8, 1, 256, [&] {
        forward(y.at(), bias.at(), residual.at(), scale.at(), shift.at(), 1e-5f, rows, width, normal.at(), inverse.at(), out.at());
    });
    Numbers normals(count), outs(count), inverses(rows);
    for (int r = 0; r < rows; r++) {
        double mean = 0, variance = 0;
        auto x = [&](int k) { return y[r * width + k] + bias[k] + residual[r * width + k]; };
        for (int k = 0; k < width; k++) mean += x(k) / width;
        for (int k = 0; k < width; k++) variance += std::pow(x(k) - mean, 2) / width;
        inverses[r] = 1 / std::sqrt(variance + 1e-5);
        for (int k = 0; k < width; k++) {
            const double n = normals[r * width + k] = (x(k) - mean) * inverses[r];
            outs[r * width + k] = n * scale[k] + shift[k];
        }
    }
    compare(name + "normal", normal, normals);
    compare(name + "inverse", inverse, inverses);
    compare(name + "norm", out, outs);
    for (bool second : {false, true}) {
        Half grad = Half::random(count), grad2 = Half::random(count), dx(count);
        const int blocks = 3;
        Single sums(size_t(blocks) * 3 * width);
        launch(blocks, 1, 256, [&] {
            backward(grad.at(), second ? grad2.at() : nullptr, normal.at(), inverse.at(), scale.at(), rows, width, dx.at(), sums.at());
        });
        Numbers wanted(count), sum(3 * width);
        for (int r = 0; r < rows; r++) {
            double mean = 0, along = 0;
            auto g = [&](int k) { return grad[r * width + k] + (second ? grad2[r * width + k] : 0); };
            for (int k = 0; k < width; k++) {
                mean += g(k) * scale[k] / width;
                along += g(k) * scale[k] * normal[r * width + k] / width;
            }
            for (int k = 0; k < width; k++) {
                const double n = normal[r * width + k];
                const double d = wanted[r * width + k] = (g(k) * scale[k] - mean - n * along) * inverse[r];
                sum[k] += d, sum[width + k] += g(k) * n, sum[2 * width + k] += g(k);
            }
        }
        compare(name + "norm's gradient", dx, wanted);
        compare(name + "norm's sums", summed(sums, blocks, 3 * width), sum);
    }
}

template <class Forward, class Backward> void softmaxes(int batch, int heads, int width, Forward forward, Backward backward) {
    const std::string name = "length " + std::to_string(width) + ": ";
    const size_t rows = size_t(batch) * heads * width, count = rows * width;
    Half scores = Half::random(count);
    Single mask(size_t(batch) * width * width);
    for (auto &x : mask.data) x = number() < 0 ? -1e9f : 0;
    Numbers probs(count), wanted(count);
    for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        const size_t token = r / width / heads * width + r % width;
        for (int k = 0; k < width; k++) sum += probs[r * width + k] = std::exp(scores[r * width + k] + mask.data[token * width + k]);
        for (int k = 0; k < width; k++) probs[r * width + k] /= sum;
    }
    launch((rows + 7) / 8, 1, 256, [&] { forward(scores.at(), mask.at(), batch, heads, width); });
    compare(name + "softmax", scores, probs);
    Half grad = Half::random(count);
    for (size_t r = 0; r < rows; r++) {
        double along = 0;
        for (size_t k = r * width; k < (r + 1) * width; k++) along += grad[k] * scores[k];
        for (size_t k = r * width; k < (r + 1) * width; k++) wanted[k] = (grad[k] - along) * scores[k];
    }
    launch((rows + 7) / 8, 1, 256, [&] { backward(grad.at(), scores.at(), rows, width); });
    compare(name + "softmax's gradient", grad, wanted);
}

static void activations(int rows, int width) {
    const size_t count = size_t(rows) * width;
    Half y = Half::random(count), out(count), grad = Half::random(count);
    Single bias = Single::random(width);
    const int across = (width + 255) / 256, down = 3;
    Numbers wanted(count), slopes(count), sum(width);
    for (size_t k = 0; k < count; k++) {
        const double x = 0.5 * (y[k] + bias[k % width]), cumulative = 0.5 * (1 + std::erf(2 * x / std::sqrt(2.0)));
        wanted[k] = 2 * x * cumulative;
        slopes[k] = grad[k] * (cumulative + 2 * x * std::exp(-2 * x * x) / std::sqrt(2 * M_PI));
        sum[k % width] += slopes[k];
    }
    launch(across, down, 64, [&] { bias_gelu(y.at(), bias.at(), rows, width, out.at()); });
    compare("gelu", out, wanted);
    Single sums(size_t(down) * width);
    launch(across, down, 64, [&] { gelu_backward(grad.at(), y.at(), bias.at(), rows, width, sums.at()); });
    compare("gelu's gradient", grad, slopes);
    compare("gelu's sums", summed(sums, down, width), sum);
}

static void heads_apart(int batch, int length, int heads, int size, bool turned) {
    const std::string name = turned ? "turned heads: " : "heads: ";
    const int width = heads * size, tokens = batch * length, half = size / 2;
    Half products = Half::random(size_t(tokens) * 3 * width), out(products.data.size());
    Single bias = Single::random(3 * width), cosines(size_t(tokens) * half), sines(size_t(tokens) * half);
    for (size_t k = 0; k < cosines.data.size(); k++) cosines.data[k] = std::cos(k * 0.37), sines.data[k] = std::sin(k * 0.37);
    float *const cos = turned ? cosines.at() : nullptr, *const sin = turned ? sines.at() : nullptr;
    const float scale = 0.25f;
    // Returns the value of a token's column c of a part, from `x` of columns; `sign` rotates
    // backwards.
    auto rotated = [&](auto x, int token, int part, int c, double sign) {
        if (!turned || part == 2) return x(c);
        const int k = c % size % half;
        const double cosine = cosines[size_t(token) * half + k], sine = sign * sines[size_t(token) * half + k];
        return c % size < half ? x(c) * cosine - x(c + half) * sine : x(c - half) * sine + x(c) * cosine;
    };
    auto place = [&](int part, int token, int c) {
        return (((size_t(part) * batch + token / length) * heads + c / size) * length + token % length) * size + c % size;
    };
    Numbers wanted(products.data.size());
    for (int token = 0; token < tokens; token++)
        for (int part = 0; part < 3; part++)
            for (int c = 0; c < width; c++) {
                auto x = [&](int c) { return products[(size_t(token) * 3 + part) * width + c] + bias[part * width + c]; };
                wanted[place(part, token, c)] = rotated(x, token, part, c, 1) * (part == 0 ? scale : 1);
            }
    launch(5, 1, 3 * width / 4, [&] { split_heads(products.at(), bias.at(), cos, sin, scale, batch, length, heads, size, out.at()); });
    compare(name + "apart", out, wanted);

    const size_t each = size_t(tokens) * width;
    Half grads = Half::random(3 * each), merged(3 * each);
    Numbers back(3 * each), sum(3 * width);
    for (int token = 0; token < tokens; token++)
        for (int part = 0; part < 3; part++)
            for (int c = 0; c < width; c++) {
                auto x = [&](int c) { return grads[place(part, token, c)] * (part == 0 ? scale : 1); };
                sum[part * width + c] += back[(size_t(token) * 3 + part) * width + c] = rotated(x, token, part, c, -1);
            }
    Single sums(size_t(5) * 3 * width);
    launch(5, 1, 3 * width / 4, [&] {
        merge_heads(grads.at(), grads.at() + each, grads.at() + 2 * each, cos, sin, scale, batch, length, heads, size, merged.at(),
                    sums.at());
    });
    compare(name + "together", merged, back);
    compare(name + "sums", summed(sums, 5, 3 * width), sum);

    Half x = Half::random(each), joined(each), again(each);
    Numbers together(each), same(each);
    for (int token = 0; token < tokens; token++)
        for (int c = 0; c < width; c++) together[size_t(token) * width + c] = x[place(0, token, c)];
    for (size_t k = 0; k < each; k++) same[k] = x[k];
    launch(3, 1, 64, [&] { join_heads(x.at(), batch, length, heads, size, 0, joined.at()); });
    launch(3, 1, 64, [&] { join_heads(joined.at(), batch, length, heads, size, 1, again.at()); });
    compare(name + "joined", joined, together);
    compare(name + "joined and back", again, same);
}

static void losses(int rows, int width) {
    Half logits = Half::random(size_t(rows) * width);
    Single weights = Single::random(rows), loss(rows), hits(rows);
    std::vector<unsigned> targets(rows);
    Numbers wanted(logits.data.size()), expected(rows), right(rows);
    for (int r = 0; r < rows; r++) {
        int best = 0;
        double sum = 0;
        auto x = [&](int k) { return logits[size_t(r) * width + k]; };
        for (int k = 0; k < width; k++) best = x(k) > x(best) ? k : best, sum += std::exp(x(k));
        const int target = targets[r] = r % 2 ? best : (r * 7) % width;
        expected[r] = weights[r] * (std::log(sum) - x(target));
        right[r] = best == target ? weights[r] : 0;
        for (int k = 0; k < width; k++) wanted[size_t(r) * width + k] = weights[r] * (std::exp(x(k)) / sum - (k == target));
    }
    launch(rows, 1, 64, [&] { cross_entropy(logits.at(), targets.data(), weights.at(), width, loss.at(), hits.at()); });
    compare("loss", loss, expected);
    compare("hits", hits, right);
    compare("loss's gradient", logits, wanted);

    targets[1] = width; // not a column
    launch(rows, 1, 64, [&] { cross_entropy(logits.at(), targets.data(), weights.at(), width, loss.at(), hits.at()); });
    if (std::isnan(loss[0]) || !std::isnan(loss[1])) std::puts("the loss of what is no target"), std::exit(1);
}

static void look_ups(int rows, int width, int words) {
    Single grad = Single::random(size_t(rows) * width), table(size_t(words) * width);
    std::vector<unsigned> ids(rows);
    Numbers wanted(table.data.size());
    for (int r = 0; r < rows; r++) {
        ids[r] = r * r % words;
        for (int k = 0; k < width; k++) wanted[size_t(ids[r]) * width + k] += grad[size_t(r) * width + k];
    }
    launch(3, 1, 64, [&] { add_rows(grad.at(), ids.data(), rows, width, words, table.at()); });
    compare("look-ups", table, wanted);

    Half some = Half::random(3 * 8), all(5 * 8);
    const std::vector<unsigned> places = {4, 0, 3};
    Numbers spread(5 * 8);
    for (int k = 0; k < 3 * 8; k++) spread[places[k / 8] * 8 + k % 8] = some[k];
    launch(1, 1, 64, [&] { spread_rows(some.at(), places.data(), 3, 8, 5, all.at()); });
    compare("spread", all, spread);
}

template <class Kernel> void embeddings(int rows, int width, Kernel kernel) {
    const int words = 7, places = 5;
    Single table = Single::random(size_t(words) * width), positions = Single::random(size_t(places) * width);
    Single bias = Single::random(width), scale = Single::random(width), shift = Single::random(width), inverse(rows);
    Half normal(size_t(rows) * width), out(normal.data.size()), grad = Half::random(normal.data.size());
    std::vector<unsigned> ids(rows), at(rows);
    Numbers normals(normal.data.size()), outs(normals), dwords(table.data.size()), dplaces(positions.data.size());
    for (int r = 0; r < rows; r++) {
        ids[r] = r * r % words, at[r] = r % places;
        double mean = 0, variance = 0;
        auto x = [&](int k) { return table[size_t(ids[r]) * width + k] + positions[size_t(at[r]) * width + k] + bias[k]; };
        for (int k = 0; k < width; k++) mean += x(k) / width;
        for (int k = 0; k < width; k++) variance += std::pow(x(k) - mean, 2) / width;
        for (int k = 0; k < width; k++) {
            const double n = normals[r * width + k] = (x(k) - mean) / std::sqrt(variance + 1e-5);
            outs[r * width + k] = n * scale[k] + shift[k];
            dwords[size_t(ids[r]) * width + k] += grad[r * width + k];
            dplaces[size_t(at[r]) * width + k] += grad[r * width + k];
        }
    }
    launch((rows + 7) / 8, 1, 256, [&] {
        kernel(table.at(), ids.data(), words, positions.at(), at.data(), places, bias.at(), scale.at(), shift.at(), 1e-5f, rows, width,
               normal.at(), inverse.at(), out.at());
    });
    compare("embeddings' normal", normal, normals);
    compare("embeddings", out, outs);
    Single of_words(dwords.size()), of_places(dplaces.size());
    launch(3, 1, 64, [&] { add_rows_twice(grad.at(), ids.data(), at.data(), rows, width, words, places, of_words.at(), of_places.at()); });
    compare("words' gradient", of_words, dwords);
    compare("places' gradient", of_places, dplaces);

    ids[0] = words, at[1] = places; // beyond the tables
    launch((rows + 7) / 8, 1, 256, [&] {
        kernel(table.at(), ids.data(), words, positions.at(), at.data(), places, bias.at(), scale.at(), shift.at(), 1e-5f, rows,
               width, normal.at(), inverse.at(), out.at());
    });
    if (!std::isnan(out[0]) || !std::isnan(out[width]) || std::isnan(out[2 * width]))
        std::puts("embeddings of what is no row"), std::exit(1);
}

int main() {
    embeddings(19, 256, embed_2);
    norms(37, 128, residual_norm_1, norm_backward_1);
    norms(21, 192, residual_norm_2, norm_backward_2);
    norms(30, 512, residual_norm_4, norm_backward_4);
    norms(9, 384, residual_norm_3, norm_backward_3);
    norms(9, 1020, residual_norm_8, norm_backward_8);
    softmaxes(2, 3, 24, masked_softmax_1, softmax_backward_1);
    softmaxes(1, 2, 200, masked_softmax_2, softmax_backward_2);
    softmaxes(1, 1, 644, masked_softmax_6, softmax_backward_6);
    activations(11, 512);
    heads_apart(2, 9, 4, 32, false);
    heads_apart(3, 8, 2, 64, true);
    losses(9, 300);
    look_ups(40, 20, 7);
    std::puts("every kernel gives what the loops give");
}
