// Described fields of a parameter struct: name, type, default, range and a sentence each. From one
// description come parsing of tagged values and of the string form in files, printing, the generated Python
// signature and the docs.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cpu.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/span.h"
#include "base/value.h"

namespace mixgrad {

using Reals = std::vector<double>;                   // a tuple of numbers
using Bounds = std::vector<std::optional<int64_t>>;  // a tuple of integers or None, as in slices
using Strings = std::vector<std::string>;

enum class FieldType : int32_t {
  boolean,
  int32,
  int64,
  float32,
  float64,
  string,
  dtype,
  enumeration,
  tuple,
  reals,
  bounds
};

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};
inline Range at_least(double low) { return {low, std::numeric_limits<double>::infinity()}; }
inline Range between(double low, double high) { return {low, high}; }

struct Field;

// What is done to fields of types that few operators have: builds without such operators hold nothing of it.
struct ListField {
  bool (*read)(const Field& field, const Value& value, void* place);  // false where the value does not fit
  void (*copy)(const Field& field, void* place, const void* from);    // from null: None
  OwnedValue (*write)(const Field& field, const void* place);
};
extern const ListField kRealsField, kBoundsField;

struct Field {
  std::string name;
  std::string doc;
  FieldType type = FieldType::boolean;
  bool optional = false;  // std::optional member: None is allowed
  bool required = false;  // no default
  size_t offset = 0;
  Range range;
  Strings names;                    // of an enumeration, by number
  const ListField* list = nullptr;  // of reals and bounds
  [[gnu::noinline]] void set_names(const char* const* given, size_t count, bool must);

  // Reads `value` into the field of the params object; `who` names the operator in errors.
  void set(void* params, const Value& value, const char* who) const;
  OwnedValue get(const void* params) const;
  // What a field holds whose type is known; 0 and () for None.
  int64_t integer(const void* params) const;     // a truth, a number or the number of a choice
  double real(const void* params) const;         // any number
  std::string choice(const void* params) const;  // of an enumeration
  Shape tuple(const void* params) const;
  // Copies a field of another struct, which must be of the same type.
  void copy(void* params, const Field& from, const void* from_params) const;
  // "int", "optional float", "{'relu', 'tanh'}": for docs and errors.
  std::string type_str() const;

 private:
  void copy_here(void* params, const void* from) const;  // from the same place of a struct; null: None
};

inline constexpr size_t kParamsAlignment = 8;  // of parameter structs

// Parameters that the struct does not name, as text.
struct NamedText {
  std::string name, text;
};
using NamedTexts = std::vector<NamedText>;

// Everything the library knows about one parameter struct, without its type.
struct Schema {
  std::vector<Field> fields;
  size_t size = 0;
  // Makes a copy of a struct, of nullptr the defaults, in `size` bytes aligned to kParamsAlignment; and ends it there.
  void (*construct)(void* place, const void* params) = nullptr;
  void (*destroy)(void* params) = nullptr;
  int index_of(const char* name) const;  // -1 when there is none
  // Where the struct keeps parameters of names that no field has; null: it takes none.
  NamedTexts& (*others)(void* params) = nullptr;
  // `place`: the offset, and in its lowest byte the type, with kOptional where None is allowed.
  static constexpr uint32_t kOptional = 128;
  [[gnu::noinline]] Field& add(const char* name, uint32_t place);
};

template <class P>
class Fields {
 public:
  explicit Fields(Schema& schema) : schema_(schema) {}

  // A member of P or of a base of P.
  template <class M, class Q>
  MIXGRAD_INLINE Fields& add(const char* name, M Q::*member, const char* doc) {
    push(name, static_cast<M P::*>(member), doc);
    return *this;
  }
  template <class M, class Q>
  MIXGRAD_INLINE Fields& add(const char* name, M Q::*member, const char* doc, Range range) {
    push(name, static_cast<M P::*>(member), doc).range = range;
    return *this;
  }
  // A field that callers must give.
  template <class M, class Q>
  MIXGRAD_INLINE Fields& required(const char* name, M Q::*member, const char* doc) {
    push(name, static_cast<M P::*>(member), doc).required = true;
    return *this;
  }
  template <class M, class Q>
  MIXGRAD_INLINE Fields& required(const char* name, M Q::*member, const char* doc, Range range) {
    Field& field = push(name, static_cast<M P::*>(member), doc);
    field.range = range;
    field.required = true;
    return *this;
  }
  // An enum whose values count up from 0 in the order of `names`.
  template <class M>
  MIXGRAD_INLINE Fields& choice(const char* name, M P::*member, std::initializer_list<const char*> names,
                                const char* doc, bool must = false) {
    push_raw(name, member, doc, FieldType::enumeration).set_names(names.begin(), names.size(), must);
    return *this;
  }
  template <class M>
  MIXGRAD_INLINE Fields& choice(const char* name, M P::*member, Span<const char* const> names,
                                const char* doc) {
    push_raw(name, member, doc, FieldType::enumeration).set_names(names.begin(), names.size(), false);
    return *this;
  }
  // A member that takes parameters of all other names.
  template <NamedTexts P::*member>
  Fields& others() {
    schema_.others = [](void* params) -> NamedTexts& { return static_cast<P*>(params)->*member; };
    return *this;
  }

 private:
  static FieldType type_of(const bool*) { return FieldType::boolean; }
  static FieldType type_of(const int32_t*) { return FieldType::int32; }
  static FieldType type_of(const int64_t*) { return FieldType::int64; }
  static FieldType type_of(const float*) { return FieldType::float32; }
  static FieldType type_of(const double*) { return FieldType::float64; }
  static FieldType type_of(const std::string*) { return FieldType::string; }
  static FieldType type_of(const DType*) { return FieldType::dtype; }
  static FieldType type_of(const Shape*) { return FieldType::tuple; }
  static FieldType type_of(const Reals*) { return FieldType::reals; }
  static FieldType type_of(const Bounds*) { return FieldType::bounds; }
  template <class M>
  static FieldType type_of(const std::optional<M>*) {
    return type_of(static_cast<const M*>(nullptr));
  }
  template <class M>
  static constexpr bool is_optional(const std::optional<M>*) {
    return true;
  }
  static constexpr bool is_optional(...) { return false; }

  template <class M>
  MIXGRAD_INLINE Field& push(const char* name, M P::*member, const char* doc) {
    Field& field = push_raw(name, member, doc, type_of(static_cast<const M*>(nullptr)));
    if constexpr (std::is_same_v<M, Reals> || std::is_same_v<M, std::optional<Reals>>)
      field.list = &kRealsField;
    if constexpr (std::is_same_v<M, Bounds> || std::is_same_v<M, std::optional<Bounds>>)
      field.list = &kBoundsField;
    return field;
  }
  template <class M>
  MIXGRAD_INLINE Field& push_raw(const char* name, M P::*member, const char* doc, FieldType type) {
    alignas(
        P) static const char place[sizeof(P)] = {};  // where a P could be; only addresses in it are looked at
    const auto* sample = reinterpret_cast<const P*>(place);
    const auto offset = static_cast<size_t>(reinterpret_cast<const char*>(&(sample->*member)) - place);
    const uint32_t optional = is_optional(static_cast<const M*>(nullptr)) ? Schema::kOptional : 0;
    Field& field =
        schema_.add(name, static_cast<uint32_t>(offset) << 8 | optional | static_cast<uint32_t>(type));
    if constexpr (kTexts) field.doc = doc;
    return field;
  }

  Schema& schema_;
};

// Functions of their own rather than lambdas, of which every one would be two functions.
template <class P>
void construct_params(void* place, const void* params) {
  static_assert(alignof(P) <= kParamsAlignment);
  params ? new (place) P(*static_cast<const P*>(params)) : new (place) P();
}
template <class P>
void destroy_params(void* params) {
  static_cast<P*>(params)->~P();
}

template <class P>
void describe_params(Schema& schema) {
  Fields<P> fields(schema);
  P::fields(fields);
}

// The schema that is or will be at `place`: made of its parts by the first caller of any thread. It lives as long as the
// process: tasks may run during static destruction.
const Schema& schema_at(std::atomic<const Schema*>& place, size_t size, void (*construct)(void*, const void*),
                        void (*destroy)(void*), void (*describe)(Schema&));

// The schema of P, built from P::fields(Fields<P>&) once.
template <class P>
const Schema& schema_of() {
  static std::atomic<const Schema*> place{nullptr};
  return schema_at(place, sizeof(P), &construct_params<P>, &destroy_params<P>, &describe_params<P>);
}

struct NoParams {
  static void fields(Fields<NoParams>&) {}
};

}  // namespace mixgrad
