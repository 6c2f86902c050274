#include <algorithm>
#include <cstring>
#include <numeric>

#include "array/sparse.h"
#include "base/error.h"
#include "io/number.h"
#include "io/table.h"

namespace mixgrad::io {
namespace {

const char* word_end(const char* p, const char* end) {
  while (p < end && !is_blank(*p)) ++p;
  return p;
}
const char* skip_blanks(const char* p, const char* end) {
  while (p < end && is_blank(*p)) ++p;
  return p;
}
bool ends_word(const char* p, const char* end) { return p && (p == end || is_blank(*p)); }

// Calls fn(index, value) for each pair of a line.
template <class Fn>
std::string read_svm_row(const Line& line, float* label, int64_t columns, Fn fn) {
  const void* comment = std::memchr(line.begin, '#', static_cast<size_t>(line.end - line.begin));
  const char* const end = comment ? static_cast<const char*>(comment) : line.end;
  double number = 0;
  const char* p = read_real(line.begin, end, &number);
  if (!ends_word(p, end))
    return "the label is " + shown(line.begin, word_end(line.begin, end)) + "; expected a number";
  *label = static_cast<float>(number);
  for (p = skip_blanks(p, end); p < end; p = skip_blanks(p, end)) {
    int64_t index = 0;
    const char* const colon = read_integer(p, end, &index);
    const char* const after =
        colon && colon < end && *colon == ':' ? read_real(colon + 1, end, &number) : nullptr;
    if (!ends_word(after, end)) return "got " + shown(p, word_end(p, end)) + "; expected index:value";
    if (index < 0 || index >= columns)
      return text("index ", index, " of a row of ", columns, " values; indices begin at 0");
    fn(index, static_cast<float>(number));
    p = after;
  }
  return "";
}

void check_columns(int64_t columns) {
  if (columns < 1) fail(Status::shape, "[libsvm] ", columns, " values per row; expected at least 1");
}

float* floats(const ArrayRef& array) { return static_cast<float*>(array->chunk().data()); }

// What the lines of a piece of the text name, one after another.
struct Elements {
  std::vector<float> values;
  std::vector<int64_t> columns;
};

}  // namespace

LabelledRows parse_libsvm(const Text& text, int64_t columns) {
  check_columns(columns);
  const std::vector<Piece> pieces = cut_lines(text);
  const int64_t rows = count_rows(pieces);
  const Shape shape{rows, columns};
  check_extents(shape, sizeof(float), "libsvm");
  LabelledRows out{Array::empty(shape, DType::float32, Device::cpu()),
                   Array::empty({rows}, DType::float32, Device::cpu())};
  read_lines(text, pieces, "libsvm", {out.data, out.labels}, [&](const Line& line) {
    float* const values = floats(out.data) + line.row * columns;
    std::memset(values, 0, static_cast<size_t>(columns) * sizeof(float));
    return read_svm_row(line, floats(out.labels) + line.row, columns,
                        [values](int64_t index, float value) { values[index] = value; });
  });
  return out;
}

LabelledRows parse_libsvm_csr(const Text& text, int64_t columns) {
  check_columns(columns);
  const std::vector<Piece> pieces = cut_lines(text);
  const int64_t rows = count_rows(pieces);
  check_extents({rows, columns}, sizeof(float), "libsvm");
  const ArrayRef labels = Array::empty({rows}, DType::float32, Device::cpu());
  std::vector<Elements> read(pieces.size());
  std::vector<int64_t> starts(static_cast<size_t>(rows) + 1);
  read_lines(text, pieces, "libsvm", {labels}, [&](const Line& line) {
    const auto after =
        std::upper_bound(pieces.begin(), pieces.end(), line.row,
                         [](int64_t row, const Piece& piece) { return row < piece.first_row; });
    Elements& elements = read[static_cast<size_t>(after - pieces.begin()) - 1];
    const size_t before = elements.values.size();
    std::string wrong =
        read_svm_row(line, floats(labels) + line.row, columns, [&](int64_t index, float value) {
          elements.columns.push_back(index);
          elements.values.push_back(value);
        });
    starts[static_cast<size_t>(line.row) + 1] = static_cast<int64_t>(elements.values.size() - before);
    return wrong;
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  Elements all;
  for (const Elements& part : read) {
    all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    all.columns.insert(all.columns.end(), part.columns.begin(), part.columns.end());
  }
  const Device host = Device::cpu();
  const ArrayRef values = Array::from_host(all.values.data(), {starts.back()}, DType::float32, host);
  return {make_sparse({rows, columns},
                      {Storage::csr, values, make_numbers(all.columns, host), make_numbers(starts, host)}),
          labels};
}

}  // namespace mixgrad::io
