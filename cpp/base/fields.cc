#include "base/fields.h"

#include <cmath>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "base/load.h"
#include "base/span.h"

namespace mixgrad {
namespace {

// These say whether a value is of their kind.
bool integer_value(const Value& v, int64_t* out) {
  const bool whole = v.kind == ValueKind::integer || v.kind == ValueKind::boolean;
  if (whole) *out = v.integer;
  if (whole || v.kind != ValueKind::real) return whole;
  if (!(std::fabs(v.real) < 9e18)) return false;
  *out = static_cast<int64_t>(v.real);
  return static_cast<double>(*out) == v.real;
}

bool real_value(const Value& v, double* out) {
  if (v.kind == ValueKind::real)
    *out = v.real;
  else if (v.kind == ValueKind::integer || v.kind == ValueKind::boolean)
    *out = static_cast<double>(v.integer);
  else
    return false;
  return true;
}

// A single number stands for a tuple of one.
bool item_values(const Value& v, Span<const Value>* out) {
  *out = v.kind == ValueKind::tuple ? Span<const Value>(v.items, v.count) : Span<const Value>(&v, 1);
  return v.kind != ValueKind::string;
}

bool in_range(const Range& range, double v) {
  if (v >= range.low && v <= range.high) return true;
  return std::isnan(v) && std::isinf(range.low) && std::isinf(range.high);
}

// A choice named "None" is Python's None.
bool choice_value(const Field& f, const Value& v, int32_t* out) {
  const char* chosen = v.kind == ValueKind::none ? "None" : v.string;
  if (v.kind != ValueKind::string && v.kind != ValueKind::none) return false;
  size_t i = 0;
  while (i < f.names.size() && f.names[i] != chosen) ++i;
  *out = static_cast<int32_t>(i);
  return i < f.names.size();
}

bool dtype_value(const Value& v, DType* out) {
  if (v.kind == ValueKind::string) {
    *out = parse_dtype(v.string);
    return true;
  }
  int64_t n = 0;
  if (!integer_value(v, &n) || n < 0 || n > 100 || !is_dtype(static_cast<int>(n))) return false;
  *out = static_cast<DType>(n);
  return true;
}

template <class M>
bool store_field(const Field& f, void* place, M value) {
  if (f.optional)
    *static_cast<std::optional<M>*>(place) = std::move(value);
  else
    *static_cast<M*>(place) = std::move(value);
  return true;
}

// Reads a value into a field; false where it does not fit.
bool read_field(const Field& f, const Value& v, void* place) {
  int64_t whole = 0;
  double real = 0;
  switch (f.type) {
    case FieldType::boolean: return integer_value(v, &whole) && store_field(f, place, whole != 0);
    case FieldType::int32:
      return integer_value(v, &whole) && whole == static_cast<int32_t>(whole) &&
             in_range(f.range, static_cast<double>(whole)) &&
             store_field(f, place, static_cast<int32_t>(whole));
    case FieldType::int64:
      return integer_value(v, &whole) && in_range(f.range, static_cast<double>(whole)) &&
             store_field(f, place, whole);
    case FieldType::float32:
      return real_value(v, &real) && in_range(f.range, real) &&
             store_field(f, place, static_cast<float>(real));
    case FieldType::float64:
      return real_value(v, &real) && in_range(f.range, real) && store_field(f, place, real);
    case FieldType::string:
      // Tuples of tuples have no field of their own.
      if (v.kind == ValueKind::tuple && v.count > 0 && v.items[0].kind == ValueKind::tuple)
        return store_field(f, place, v.str());
      return v.kind == ValueKind::string && store_field(f, place, std::string(v.string));
    case FieldType::dtype: {
      DType dtype = DType::unknown;
      return dtype_value(v, &dtype) && store_field(f, place, dtype);
    }
    case FieldType::enumeration: {
      int32_t number = 0;
      return choice_value(f, v, &number) && store_field(f, place, number);
    }
    case FieldType::tuple: {
      Span<const Value> items;
      if (!item_values(v, &items)) return false;
      Shape tuple;
      for (const Value& item : items) {
        if (!integer_value(item, &whole) || !in_range(f.range, static_cast<double>(whole))) return false;
        tuple.push_back(whole);
      }
      return store_field(f, place, tuple);
    }
    default: return f.list->read(f, v, place);
  }
}

// Calls fn with a null pointer of the member's type.
template <class Fn>
void with_field_type(FieldType type, Fn fn) {
  switch (type) {
    case FieldType::boolean: return fn(static_cast<bool*>(nullptr));
    case FieldType::int64: return fn(static_cast<int64_t*>(nullptr));
    case FieldType::float32: return fn(static_cast<float*>(nullptr));
    case FieldType::float64: return fn(static_cast<double*>(nullptr));
    case FieldType::string: return fn(static_cast<std::string*>(nullptr));
    case FieldType::dtype: return fn(static_cast<DType*>(nullptr));
    case FieldType::tuple: return fn(static_cast<Shape*>(nullptr));
    default: return fn(static_cast<int32_t*>(nullptr));
  }
}

template <class M>
const M* load_field(const Field& f, const void* place) {
  if (!f.optional) return static_cast<const M*>(place);
  const auto& held = *static_cast<const std::optional<M>*>(place);
  return held ? &*held : nullptr;
}

// `from` null: None.
template <class M>
void copy_field(const Field& f, void* place, const void* from) {
  if (!f.optional)
    *static_cast<M*>(place) = *static_cast<const M*>(from);
  else if (from)
    *static_cast<std::optional<M>*>(place) = *static_cast<const std::optional<M>*>(from);
  else
    static_cast<std::optional<M>*>(place)->reset();
}

// So that 0.9f prints as 0.9.
double shortest_real(float v) {
  char buffer[kRealText];
  return write_real(buffer, v, true);
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
OwnedValue write_field(const Field&, float v) { return OwnedValue(Value(shortest_real(v))); }
OwnedValue write_field(const Field&, const std::string& v) { return OwnedValue(Value(v.c_str())); }
OwnedValue write_field(const Field&, DType v) { return OwnedValue(Value(name_of(v))); }
OwnedValue write_field(const Field&, const Shape& v) {
  return OwnedValue(std::vector<Value>(v.begin(), v.end()));
}
OwnedValue write_field(const Field&, const Reals& v) {
  return OwnedValue(std::vector<Value>(v.begin(), v.end()));
}
OwnedValue write_field(const Field&, const Bounds& v) {
  std::vector<Value> items;
  for (const auto& bound : v) items.push_back(bound ? Value(*bound) : Value());
  return OwnedValue(std::move(items));
}

bool read_item(const Field& f, const Value& v, double* out) {
  return real_value(v, out) && in_range(f.range, *out);
}
bool read_item(const Field&, const Value& v, std::optional<int64_t>* out) {
  return v.kind == ValueKind::none || integer_value(v, &out->emplace());
}

template <class M>
bool read_list_field(const Field& f, const Value& v, void* place) {
  Span<const Value> items;
  if (!item_values(v, &items)) return false;
  M list;
  for (const Value& item : items) {
    typename M::value_type read{};
    if (!read_item(f, item, &read)) return false;
    list.push_back(read);
  }
  return store_field(f, place, std::move(list));
}

template <class M>
OwnedValue list_value(const Field& f, const void* place) {
  const M* held = load_field<M>(f, place);
  return held ? write_field(f, *held) : OwnedValue();
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

const ListField kRealsField = {read_list_field<Reals>, copy_field<Reals>, list_value<Reals>};
const ListField kBoundsField = {read_list_field<Bounds>, copy_field<Bounds>, list_value<Bounds>};

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
  if (value.kind == ValueKind::none && optional) return copy_here(params, nullptr);
  const bool wants_text = type == FieldType::string || type == FieldType::enumeration;
  if (value.kind == ValueKind::string && !wants_text) {
    const OwnedValue parsed = OwnedValue::parse(value.string);
    if (parsed.get().kind != ValueKind::string) return set(params, parsed.get(), who);
  }
  if (read_field(*this, value, static_cast<char*>(params) + offset)) return;
  std::string limits;
  // Whole numbers are written with all their digits.
  const auto bound = [](double limit) {
    return limit == std::trunc(limit) && std::fabs(limit) < 1e15 ? text(static_cast<int64_t>(limit))
                                                                 : text(limit);
  };
  if (!std::isinf(range.low)) limits += text(" >= ", bound(range.low));
  if (!std::isinf(range.high)) limits += text(limits.empty() ? " <= " : " and <= ", bound(range.high));
  fail(Status::invalid_argument, "[", who, "] parameter '", name, "' got ", value.str(), "; expected ",
       type_str(), limits);
}

void Field::copy_here(void* params, const void* from) const {
  void* place = static_cast<char*>(params) + offset;
  if (list) return list->copy(*this, place, from);
  with_field_type(type,
                  [&](auto* tag) { copy_field<std::remove_pointer_t<decltype(tag)>>(*this, place, from); });
}

void Field::copy(void* params, const Field& from, const void* from_params) const {
  if (type != from.type || optional != from.optional)
    fail(Status::internal, "[", name, "] is ", type_str(), " and is copied from ", from.type_str());
  copy_here(params, static_cast<const char*>(from_params) + from.offset);
}

OwnedValue Field::get(const void* params) const {
  const void* place = static_cast<const char*>(params) + offset;
  if (list) return list->write(*this, place);
  OwnedValue out;
  with_field_type(type, [&](auto* tag) {
    using M = std::remove_pointer_t<decltype(tag)>;
    if (const M* held = load_field<M>(*this, place)) out = write_field(*this, *held);
  });
  return out;
}

int64_t Field::integer(const void* params) const {
  const void* place = static_cast<const char*>(params) + offset;
  if (type == FieldType::boolean) {
    const bool* held = load_field<bool>(*this, place);
    return held && *held;
  }
  if (type == FieldType::int64) {
    const int64_t* held = load_field<int64_t>(*this, place);
    return held ? *held : 0;
  }
  const int32_t* held = load_field<int32_t>(*this, place);
  return held ? *held : 0;
}

double Field::real(const void* params) const {
  const void* place = static_cast<const char*>(params) + offset;
  if (type == FieldType::float32) {
    const float* held = load_field<float>(*this, place);
    return held ? shortest_real(*held) : 0;
  }
  if (type != FieldType::float64) return static_cast<double>(integer(params));
  const double* held = load_field<double>(*this, place);
  return held ? *held : 0;
}

std::string Field::choice(const void* params) const {
  const int32_t* held = load_field<int32_t>(*this, static_cast<const char*>(params) + offset);
  return held ? names[static_cast<size_t>(*held)] : "None";
}

Shape Field::tuple(const void* params) const {
  const Shape* held = load_field<Shape>(*this, static_cast<const char*>(params) + offset);
  return held ? *held : Shape();
}

void Field::set_names(const char* const* given, size_t count, bool must) {
  names.assign(given, given + count);
  required = must;
}

Field& Schema::add(const char* name, uint32_t place) {
  fields.emplace_back();
  Field& field = fields.back();
  field.name = name;
  field.type = static_cast<FieldType>(place & (kOptional - 1));
  field.optional = (place & kOptional) != 0;
  field.offset = place >> 8;
  return field;
}

const Schema& schema_at(std::atomic<const Schema*>& place, size_t size, void (*construct)(void*, const void*),
                        void (*destroy)(void*), void (*describe)(Schema&)) {
  if (const Schema* schema = place.load(std::memory_order_acquire)) return *schema;
  std::unique_ptr<Schema> made;
  at_load([&] {
    made = std::make_unique<Schema>();
    made->size = size;
    made->construct = construct;
    made->destroy = destroy;
    describe(*made);
  });
  if (load_failed()) return nothing_loaded<Schema>();
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
