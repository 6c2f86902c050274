#include <limits>

#include "base/error.h"
#include "io/number.h"
#include "io/table.h"

namespace mixgrad::io {
namespace {

const char* read_value(const char* p, const char* end, float* out) {
  double value = 0;
  p = read_real(p, end, &value);
  if (p) *out = static_cast<float>(value);
  return p;
}
const char* read_value(const char* p, const char* end, double* out) { return read_real(p, end, out); }
const char* read_value(const char* p, const char* end, int64_t* out) { return read_integer(p, end, out); }
const char* read_value(const char* p, const char* end, int32_t* out) {
  int64_t value = 0;
  p = read_integer(p, end, &value);
  if (!p || value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max())
    return nullptr;
  *out = static_cast<int32_t>(value);
  return p;
}

const char* field_end(const char* p, const char* end) {
  while (p < end && *p != ',') ++p;
  return p;
}

int64_t count_fields(const Line& line) {
  int64_t fields = 1;
  for (const char* p = line.begin; p < line.end; ++p) fields += *p == ',';
  return fields;
}

template <class T>
std::string read_csv_row(const Line& line, T* out, int64_t columns) {
  const char* p = line.begin;
  for (int64_t i = 0; i < columns; ++i) {
    while (p < line.end && is_blank(*p)) ++p;
    const char* after = read_value(p, line.end, out + i);
    const char* stop = after;
    while (stop && stop < line.end && is_blank(*stop)) ++stop;
    const bool last = i + 1 == columns;
    if (stop && (last ? stop == line.end : stop < line.end && *stop == ',')) {
      p = stop + 1;
      continue;
    }
    const int64_t fields = count_fields(line);
    if (fields != columns) return text(fields, fields == 1 ? " value" : " values", "; expected ", columns);
    return text("value ", i + 1, " is ", shown(p, field_end(p, line.end)), "; expected ",
                std::is_integral_v<T> ? "a whole number that fits" : "a number");
  }
  return "";
}

template <class T>
ArrayRef fill_csv(const Text& text, int64_t columns, DType dtype) {
  const std::vector<Piece> pieces = cut_lines(text);
  const int64_t rows = count_rows(pieces);
  const int64_t room = static_cast<int64_t>(text.bytes / 2) + 1;  // values that so much text can hold
  if (rows > 0 && columns > room) {
    fail(Status::format, "[csv] '", text.name, "' has ", text.bytes, " bytes; expected rows of ", columns,
         " values");
  }
  // Some row is short if all together need more text than there is: it is found without taking memory for the rest.
  const bool short_rows = rows > 0 && columns > room / rows + 1;
  const ArrayRef out = Array::empty({short_rows ? 0 : rows, columns}, dtype, Device::cpu());
  read_lines(text, pieces, "csv", {out}, [&](const Line& line) {
    if (!short_rows)
      return read_csv_row(line, static_cast<T*>(out->chunk().data()) + line.row * columns, columns);
    std::vector<T> row(static_cast<size_t>(columns));
    return read_csv_row(line, row.data(), columns);
  });
  return out;
}

}  // namespace

ArrayRef parse_csv(const Text& text, int64_t columns, DType dtype) {
  if (columns < 1) fail(Status::shape, "[csv] ", columns, " values per row; expected at least 1");
  switch (dtype) {
    case DType::float32: return fill_csv<float>(text, columns, dtype);
    case DType::float64: return fill_csv<double>(text, columns, dtype);
    case DType::int32: return fill_csv<int32_t>(text, columns, dtype);
    case DType::int64: return fill_csv<int64_t>(text, columns, dtype);
    default:
      fail(Status::dtype, "[csv] dtype ", name_of(dtype), "; expected float32, float64, int32 or int64");
  }
}

}  // namespace mixgrad::io
