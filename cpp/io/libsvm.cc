#include <cstring>

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

std::string read_svm_row(const Line& line, float* values, float* label, int64_t columns) {
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
    values[index] = static_cast<float>(number);
    p = after;
  }
  return "";
}

}  // namespace

LabelledRows parse_libsvm(const Text& text, int64_t columns) {
  if (columns < 1) fail(Status::shape, "[libsvm] ", columns, " values per row; expected at least 1");
  const std::vector<Piece> pieces = cut_lines(text);
  const int64_t rows = count_rows(pieces);
  const Shape shape{rows, columns};
  check_extents(shape, sizeof(float), "libsvm");
  LabelledRows out{Array::empty(shape, DType::float32, Device::cpu()),
                   Array::empty({rows}, DType::float32, Device::cpu())};
  read_lines(text, pieces, "libsvm", {out.data, out.labels}, [&](const Line& line) {
    float* const values = static_cast<float*>(out.data->chunk().data()) + line.row * columns;
    std::memset(values, 0, static_cast<size_t>(columns) * sizeof(float));
    return read_svm_row(line, values, static_cast<float*>(out.labels->chunk().data()) + line.row, columns);
  });
  return out;
}

}  // namespace mixgrad::io
