// Sparse arrays by the C functions: misuse, parts whose numbers are changed from outside, and readers beside writers.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "mixgrad/mixgrad.h"

namespace {

std::atomic<int> checks{0};

void expect(bool holds, const char* what, int line) {
  ++checks;
  if (holds) return;
  std::fprintf(stderr, "sparse.cc:%d: not true: %s; last error: %s\n", line, what, mg_last_error());
  std::exit(1);
}
#define CHECK(condition) expect((condition), #condition, __LINE__)
#define STATUS(call, wanted) expect((call) == (wanted), #call, __LINE__)
#define OK(call) STATUS(call, MG_STATUS_OK)

constexpr mg_device kCpu = {MG_DEVICE_CPU, 0};
constexpr int32_t kRows = MG_STORAGE_ROW_SPARSE, kCsr = MG_STORAGE_CSR;
constexpr int32_t kIndices = 1, kStarts = 2;  // of mg_sparse_part
constexpr int64_t kShape[2] = {3, 4};

mg_array* numbers(const std::vector<int64_t>& values) {
  const int64_t count = static_cast<int64_t>(values.size());
  mg_array* made = nullptr;
  OK(mg_array_create_from(values.data(), &count, 1, MG_DTYPE_INT64, kCpu, &made));
  return made;
}

mg_array* floats(const std::vector<int64_t>& shape, float first = 1) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = first++;
  mg_array* made = nullptr;
  OK(mg_array_create_from(values.data(), shape.data(), static_cast<int32_t>(shape.size()), MG_DTYPE_FLOAT32,
                          kCpu, &made));
  return made;
}

// [[0, 0, 1, 0], [0, 0, 0, 0], [2, 0, 0, 3]] times `scale`.
struct Csr {
  explicit Csr(float scale = 1) : indices(numbers({2, 0, 3})), starts(numbers({0, 1, 1, 3})) {
    const float stored[] = {scale, 2 * scale, 3 * scale};
    const int64_t count = 3;
    OK(mg_array_create_from(stored, &count, 1, MG_DTYPE_FLOAT32, kCpu, &values));
    OK(mg_array_create_sparse(kCsr, kShape, 2, 0, kCpu, values, indices, starts, &array));
  }
  ~Csr() {
    for (mg_array* one : {values, indices, starts, array}) mg_array_destroy(one);
  }
  Csr(const Csr&) = delete;
  Csr& operator=(const Csr&) = delete;
  mg_array *values = nullptr, *indices, *starts, *array = nullptr;
};

mg_status call(const char* name, const std::vector<mg_array*>& in, bool transpose, mg_array** out) {
  const mg_op* op = nullptr;
  OK(mg_op_find(name, &op));
  const char* const names[] = {"transpose_a"};
  mg_value values[1];
  std::memset(values, 0, sizeof values);
  values[0].kind = MG_VALUE_BOOLEAN;
  values[0].as.integer = transpose;
  int32_t room = 1;
  *out = nullptr;
  return mg_op_call(op, static_cast<int32_t>(in.size()), in.data(), transpose ? 1 : 0, names, values, &room,
                    out);
}

// Status of a call and of waiting for what it gives.
mg_status outcome(const char* name, const std::vector<mg_array*>& in, bool transpose = false) {
  mg_array* made = nullptr;
  mg_status status = call(name, in, transpose, &made);
  if (status == MG_STATUS_OK) status = mg_array_wait_to_read(made);
  mg_array_destroy(made);
  return status;
}

void misuse() {
  Csr matrix;
  mg_array *const dense = floats({3, 4}), *const untouched = dense, *out = dense;
  const int64_t negative[2] = {-1, 4}, huge[2] = {INT64_MAX, 2}, longest[2] = {INT64_MAX, 0};
  const auto make = [&](int32_t storage, const int64_t* shape, int32_t ndim, mg_array* v, mg_array* i,
                        mg_array* s) {
    return mg_array_create_sparse(storage, shape, ndim, MG_DTYPE_UINT8, kCpu, v, i, s, &out);
  };
  for (const int32_t storage : {0, 3, -1}) {
    STATUS(make(storage, kShape, 2, nullptr, nullptr, nullptr), MG_STATUS_INVALID_ARGUMENT);
  }
  for (const int64_t* shape : {negative, huge, longest}) {
    for (const int32_t storage : {kRows, kCsr})
      STATUS(make(storage, shape, 2, nullptr, nullptr, nullptr), MG_STATUS_SHAPE);
  }
  STATUS(make(kCsr, kShape, 1, nullptr, nullptr, nullptr), MG_STATUS_SHAPE);
  STATUS(make(kRows, kShape, 0, nullptr, nullptr, nullptr), MG_STATUS_SHAPE);
  STATUS(make(kCsr, kShape, 2, matrix.values, matrix.indices, nullptr), MG_STATUS_INVALID_ARGUMENT);
  STATUS(make(kCsr, kShape, 2, nullptr, matrix.indices, matrix.starts), MG_STATUS_INVALID_ARGUMENT);
  STATUS(make(kCsr, kShape, 2, matrix.values, matrix.indices, matrix.indices), MG_STATUS_SHAPE);
  STATUS(make(kCsr, longest, 2, matrix.values, matrix.indices, matrix.starts), MG_STATUS_SHAPE);
  STATUS(make(kCsr, kShape, 2, matrix.array, matrix.indices, matrix.starts), MG_STATUS_UNSUPPORTED);
  STATUS(make(kCsr, kShape, 2, matrix.values, matrix.values, matrix.starts), MG_STATUS_DTYPE);
  STATUS(make(kRows, kShape, 2, matrix.values, matrix.indices, nullptr), MG_STATUS_SHAPE);
  STATUS(make(kRows, kShape, 2, dense, dense, nullptr), MG_STATUS_SHAPE);
  STATUS(mg_array_create_sparse(kCsr, kShape, 2, 0, kCpu, nullptr, nullptr, nullptr, nullptr),
         MG_STATUS_INVALID_ARGUMENT);
  STATUS(mg_array_get_part(dense, 0, &out), MG_STATUS_INVALID_ARGUMENT);
  STATUS(mg_array_get_part(nullptr, 0, &out), MG_STATUS_INVALID_ARGUMENT);
  STATUS(mg_array_get_part(matrix.array, -1, &out), MG_STATUS_INDEX);
  STATUS(mg_array_get_part(matrix.array, 3, &out), MG_STATUS_INDEX);
  STATUS(mg_array_check_sparse(dense), MG_STATUS_INVALID_ARGUMENT);
  float buffer[12];
  void* data = nullptr;
  STATUS(mg_array_copy_to(matrix.array, buffer, sizeof buffer), MG_STATUS_UNSUPPORTED);
  STATUS(mg_array_copy_from(matrix.array, buffer, sizeof buffer), MG_STATUS_UNSUPPORTED);
  STATUS(mg_array_get_data(matrix.array, &data), MG_STATUS_UNSUPPORTED);
  CHECK(out == untouched && data == nullptr);
  mg_array_destroy(dense);
}

// The parts' memory is the caller's, too: numbers that become wrong are found by whatever reads them.
void parts_changed_from_outside() {
  mg_array *const right = floats({4, 2}), *const left = floats({3, 2});
  for (const int32_t part : {kIndices, kStarts}) {
    for (const int64_t wrong : {int64_t{-1}, int64_t{4}, INT64_MAX, INT64_MIN}) {
      Csr matrix;
      mg_array* alias = nullptr;
      OK(mg_array_get_part(matrix.array, part, &alias));
      std::vector<int64_t> values(part == kIndices ? 3 : 4, wrong);
      OK(mg_array_copy_from(alias, values.data(), values.size() * sizeof(int64_t)));
      STATUS(mg_array_check_sparse(matrix.array), MG_STATUS_INDEX);
      STATUS(outcome("dot", {matrix.array, right}), MG_STATUS_INDEX);
      STATUS(outcome("dot", {matrix.array, left}, true), MG_STATUS_INDEX);
      STATUS(outcome("elemwise_add", {matrix.array, matrix.array}), MG_STATUS_INDEX);
      mg_array_destroy(alias);
    }
  }
  mg_array_destroy(right);
  mg_array_destroy(left);
}

// Sum of [[0, 0, s, 0], [0, 0, 0, 0], [2s, 0, 0, 3s]] times ones: 6 s, with s a power of four.
bool one_of_the_sums(mg_array* product) {
  float values[8], sum = 0;
  if (mg_array_copy_to(product, values, 6 * sizeof(float)) != MG_STATUS_OK) return false;
  for (int i = 0; i < 6; ++i) sum += values[i];
  return sum == 12 || sum == 48 || sum == 192;
}

void readers_beside_writers() {
  Csr pool[3] = {Csr(1), Csr(4), Csr(16)}, shared;
  const float one[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  const int64_t shape[2] = {4, 2};
  mg_array* ones = nullptr;
  OK(mg_array_create_from(one, shape, 2, MG_DTYPE_FLOAT32, kCpu, &ones));
  std::atomic<int> wrong{0}, writing{2};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3000; ++i)
        wrong += mg_array_copy(pool[(i + t) % 3].array, shared.array) != MG_STATUS_OK;
      --writing;
    });
    threads.emplace_back([&] {
      while (writing > 0) {
        mg_array* product = nullptr;
        wrong +=
            call("dot", {shared.array, ones}, false, &product) != MG_STATUS_OK || !one_of_the_sums(product);
        mg_array_destroy(product);
      }
    });
    threads.emplace_back([&] {
      while (writing > 0) {
        mg_array *twice = nullptr, *part = nullptr;
        wrong += call("elemwise_add", {shared.array, shared.array}, false, &twice) != MG_STATUS_OK;
        wrong += mg_array_get_part(shared.array, kIndices, &part) != MG_STATUS_OK ||
                 mg_array_wait_to_read(part) != MG_STATUS_OK || mg_array_check_sparse(twice) != MG_STATUS_OK;
        mg_array_destroy(twice);
        mg_array_destroy(part);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  mg_array_destroy(ones);
}

}  // namespace

int main() {
  misuse();
  parts_changed_from_outside();
  readers_beside_writers();
  OK(mg_wait_all());
  std::printf("sparse: %d checks passed\n", checks.load());
  return 0;
}
