#include "kvstore/key.h"

#include "base/error.h"

namespace mixgrad::kvstore {

Key Key::from(const Value& value) {
  if (value.kind == ValueKind::integer) return Key(value.integer);
  if (value.kind == ValueKind::string && value.string) return Key(std::string(value.string));
  fail(Status::invalid_argument, "[kvstore] the key ", value.str(), " is neither a whole number nor text");
}

}  // namespace mixgrad::kvstore
