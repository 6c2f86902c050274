#include "base/fields.h"

#include <cmath>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "base/span.h"

namespace mixgrad {
namespace {

// Raised inside field parsing and turned into a full message by Field::set.
struct FieldMismatch {};

int64_t integer_value(const Value& v) {
  if (v.kind == ValueKind::integer || v.kind == ValueKind::boolean) return v.integer;
  if (v.kind == ValueKind::real && v.real == std::floor(v.real) && std::fabs(v.real) < 9e18) {
    return static_cast<int64_t>(v.real);
  }
  throw FieldMismatch();
}

double real_value(const Value& v) {
  if (v.kind == ValueKind::real) return v.real;
  if (v.kind == ValueKind::integer || v.kind == ValueKind::boolean) return static_cast<double>(v.integer);
  throw FieldMismatch();
}

// A single number stands for a tuple of one.
Span<const Value> item_values(const Value& v) {
  if (v.kind == ValueKind::tuple) return {v.items, v.count};
  if (v.kind == ValueKind::string) throw FieldMismatch();
  return {&v, 1};
}

template <class M>
void store_field(void* place, bool optional, M value) {
  if (optional)
    *static_cast<std::optional<M>*>(place) = std::move(value);
  else
    *static_cast<M*>(place) = std::move(value);
}

template <class M>
void clear_field(void* place) {
  static_cast<std::optional<M>*>(place)->reset();
}

template <class M>
const M* load_field(const void* place, bool optional) {
  if (!optional) return static_cast<const M*>(place);
  const auto& held = *static_cast<const std::optional<M>*>(place);
  return held ? &*held : nullptr;
}

// Calls fn with a null pointer of the member's type.
template <class Fn>
void with_field_type(FieldType type, Fn fn) {
  switch (type) {
    case FieldType::boolean: return fn(static_cast<bool*>(nullptr));
    case FieldType::int32: return fn(static_cast<int32_t*>(nullptr));
    case FieldType::int64: return fn(static_cast<int64_t*>(nullptr));
    case FieldType::float32: return fn(static_cast<float*>(nullptr));
    case FieldType::float64: return fn(static_cast<double*>(nullptr));
    case FieldType::string: return fn(static_cast<std::string*>(nullptr));
    case FieldType::dtype: return fn(static_cast<DType*>(nullptr));
    case FieldType::enumeration: return fn(static_cast<int32_t*>(nullptr));
    case FieldType::tuple: return fn(static_cast<Shape*>(nullptr));
    case FieldType::reals: return fn(static_cast<Reals*>(nullptr));
    case FieldType::bounds: return fn(static_cast<Bounds*>(nullptr));
  }
}

void check_field_range(const Range& range, double v) {
  if (!(v >= range.low && v <= range.high)) {
    if (std::isnan(v) && std::isinf(range.low) && std::isinf(range.high)) return;
    throw FieldMismatch();
  }
}

void read_field(const Field& f, const Value& v, bool* out) {
  const int64_t n = integer_value(v);
  (void)f;
  *out = n != 0;
}
void read_field(const Field& f, const Value& v, int64_t* out) {
  *out = integer_value(v);
  check_field_range(f.range, static_cast<double>(*out));
}
void read_field(const Field& f, const Value& v, int32_t* out) {
  if (f.type == FieldType::enumeration) {
    // A choice named "None" is Python's None.
    const char* chosen = v.kind == ValueKind::none ? "None" : v.string;
    if (v.kind != ValueKind::string && v.kind != ValueKind::none) throw FieldMismatch();
    for (size_t i = 0; i < f.names.size(); ++i) {
      if (f.names[i] == chosen) {
        *out = static_cast<int32_t>(i);
        return;
      }
    }
    throw FieldMismatch();
  }
  const int64_t wide = integer_value(v);
  if (wide != static_cast<int32_t>(wide)) throw FieldMismatch();
  *out = static_cast<int32_t>(wide);
  check_field_range(f.range, static_cast<double>(wide));
}
void read_field(const Field& f, const Value& v, double* out) {
  *out = real_value(v);
  check_field_range(f.range, *out);
}
void read_field(const Field& f, const Value& v, float* out) {
  *out = static_cast<float>(real_value(v));
  check_field_range(f.range, real_value(v));
}
void read_field(const Field&, const Value& v, std::string* out) {
  if (v.kind != ValueKind::string) throw FieldMismatch();
  *out = v.string;
}
void read_field(const Field&, const Value& v, DType* out) {
  if (v.kind == ValueKind::string) {
    *out = parse_dtype(v.string);
  } else {
    const int64_t n = integer_value(v);
    if (n < 0 || n > 100 || !is_dtype(static_cast<int>(n))) throw FieldMismatch();
    *out = static_cast<DType>(n);
  }
}
void read_field(const Field& f, const Value& v, Shape* out) {
  Shape s;
  for (const Value& item : item_values(v)) {
    s.push_back(integer_value(item));
    check_field_range(f.range, static_cast<double>(s.back()));
  }
  *out = s;
}
void read_field(const Field& f, const Value& v, Reals* out) {
  out->clear();
  for (const Value& item : item_values(v)) {
    out->push_back(real_value(item));
    check_field_range(f.range, out->back());
  }
}
void read_field(const Field&, const Value& v, Bounds* out) {
  out->clear();
  for (const Value& item : item_values(v)) {
    if (item.kind == ValueKind::none)
      out->emplace_back();
    else
      out->emplace_back(integer_value(item));
  }
}

OwnedValue write_field(const Field&, bool v) { return OwnedValue(Value(v)); }
OwnedValue write_field(const Field&, int64_t v) { return OwnedValue(Value(v)); }
OwnedValue write_field(const Field& f, int32_t v) {
  if (f.type == FieldType::enumeration) {
    const std::string& name = f.names[static_cast<size_t>(v)];
    return OwnedValue(name == "None" ? Value() : Value(name.c_str()));
  }
  return OwnedValue(Value(v));
}
OwnedValue write_field(const Field&, double v) { return OwnedValue(Value(v)); }
OwnedValue write_field(const Field&, float v) {
  // The shortest decimal that reads back as the same float, so that 0.9f prints as 0.9.
  char buffer[32];
  for (int digits = 1; digits <= 9; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, static_cast<double>(v));
    if (std::strtof(buffer, nullptr) == v) break;
  }
  return OwnedValue(Value(std::strtod(buffer, nullptr)));
}
OwnedValue write_field(const Field&, const std::string& v) { return OwnedValue(Value(v.c_str())); }
OwnedValue write_field(const Field&, DType v) { return OwnedValue(Value(name_of(v))); }
OwnedValue write_items(const std::vector<Value>& items) {
  return OwnedValue(Value(items.data(), static_cast<uint32_t>(items.size())));
}
OwnedValue write_field(const Field&, const Shape& v) {
  return write_items(std::vector<Value>(v.begin(), v.end()));
}
OwnedValue write_field(const Field&, const Reals& v) {
  return write_items(std::vector<Value>(v.begin(), v.end()));
}
OwnedValue write_field(const Field&, const Bounds& v) {
  std::vector<Value> items;
  for (const auto& bound : v) items.push_back(bound ? Value(*bound) : Value());
  return write_items(items);
}

const char* base_type_name(FieldType type) {
  switch (type) {
    case FieldType::boolean: return "bool";
    case FieldType::int32:
    case FieldType::int64: return "int";
    case FieldType::float32:
    case FieldType::float64: return "float";
    case FieldType::string: return "str";
    case FieldType::dtype: return "dtype";
    case FieldType::tuple: return "tuple of int";
    case FieldType::reals: return "tuple of float";
    case FieldType::bounds: return "tuple of int or None";
    case FieldType::enumeration: break;
  }
  return "str";
}

}  // namespace

std::string Field::type_str() const {
  std::string s;
  if (type == FieldType::enumeration) {
    bool none = optional;
    for (const std::string& name : names) {
      if (name == "None")
        none = true;
      else
        s += (s.empty() ? "'" : ", '") + name + "'";
    }
    return (none ? "optional {" : "{") + s + "}";
  }
  s = base_type_name(type);
  return optional ? "optional " + s : s;
}

void Field::set(void* params, const Value& value, const char* who) const {
  void* place = static_cast<char*>(params) + offset;
  try {
    if (value.kind == ValueKind::none && optional) {
      with_field_type(type, [&](auto* tag) { clear_field<std::remove_pointer_t<decltype(tag)>>(place); });
      return;
    }
    const bool wants_text = type == FieldType::string || type == FieldType::enumeration;
    if (value.kind == ValueKind::string && !wants_text) {
      const OwnedValue parsed = OwnedValue::parse(value.string);
      if (parsed.get().kind != ValueKind::string) return set(params, parsed.get(), who);
    }
    with_field_type(type, [&](auto* tag) {
      std::remove_pointer_t<decltype(tag)> read{};
      read_field(*this, value, &read);
      store_field(place, optional, std::move(read));
    });
  } catch (const FieldMismatch&) {
    std::string limits;
    if (!std::isinf(range.low)) limits += text(" >= ", range.low);
    if (!std::isinf(range.high)) limits += text(limits.empty() ? " <= " : " and <= ", range.high);
    fail(Status::invalid_argument, "[", who, "] parameter '", name, "' got ", value.str(), "; expected ",
         type_str(), limits);
  }
}

OwnedValue Field::get(const void* params) const {
  const void* place = static_cast<const char*>(params) + offset;
  OwnedValue out;
  with_field_type(type, [&](auto* tag) {
    using M = std::remove_pointer_t<decltype(tag)>;
    if (const M* held = load_field<M>(place, optional)) out = write_field(*this, *held);
  });
  return out;
}

void Field::set_names(const char* const* given, size_t count, bool must) {
  names.assign(given, given + count);
  required = must;
}

Field& Schema::add(const char* name, uint32_t place) noexcept(kCompact) {
  fields.emplace_back();
  Field& field = fields.back();
  field.name = name;
  field.type = static_cast<FieldType>(place & (kOptional - 1));
  field.optional = (place & kOptional) != 0;
  field.offset = place >> 8;
  return field;
}

const Schema& schema_at(std::atomic<const Schema*>& place, size_t size, void (*construct)(void*, const void*),
                        void (*destroy)(void*), void (*describe)(Schema&)) noexcept(kCompact) {
  if (const Schema* schema = place.load(std::memory_order_acquire)) return *schema;
  auto made = std::make_unique<Schema>();
  made->size = size;
  made->construct = construct;
  made->destroy = destroy;
  describe(*made);
  const Schema* before = nullptr;
  if (!place.compare_exchange_strong(before, made.get(), std::memory_order_acq_rel)) return *before;
  return *made.release();
}

int Schema::index_of(const char* name) const {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace mixgrad
