#include "call.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "base/error.h"

using namespace mixgrad;

namespace operators {
namespace {

constexpr int64_t kMostElements = 6000;  // of one input; also in products that an extent of 0 hides: 2^62

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == by)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Input read_input(const std::string& text) {  // dtype|2,3|whole|low|high
  const std::vector<std::string> parts = split(text, '|');
  Input input;
  input.dtype = parse_dtype(parts.at(0));
  if (!parts.at(1).empty()) {
    for (const std::string& extent : split(parts[1], ',')) input.shape.push_back(std::stoll(extent));
  }
  input.whole = parts.at(2) == "1";
  input.low = std::stod(parts.at(3)), input.high = std::stod(parts.at(4));
  return input;
}

int64_t any_extent(Random& random) {
  if (random.chance(0.04)) {
    return random.one_of<int64_t>({int64_t{1} << 20, int64_t{1} << 31, (int64_t{1} << 31) - 1,
                                   int64_t{1} << 40, int64_t{1} << 61, std::numeric_limits<int64_t>::max()});
  }
  return random.one_of<int64_t>({0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 8, 16, 17});
}

std::string any_whole(Random& random, const Range& range) {
  if (random.chance(0.06)) {
    return random.one_of<const char*>({"-1", "-2", "2147483647", "-2147483648", "2147483648",
                                       "9223372036854775807", "-9223372036854775808", "4611686018427387904",
                                       "1000000", "65536"});
  }
  if (range.low > -1e15 && random.chance(0.2)) return text(static_cast<int64_t>(range.low));
  if (range.high < 1e15 && random.chance(0.1)) return text(static_cast<int64_t>(range.high));
  return text(random.one_of<int64_t>({0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, -1, -2}));
}

std::string any_real(Random& random) {
  return random.one_of<const char*>({"0", "1", "-1", "0.5", "2", "0.1", "1e-5", "3.7", "-0.3", "1e30",
                                     "-1e30", "1e-40", "inf", "-inf", "nan", "1e300"});
}

std::string any_value(Random& random, const Field& field) {
  if (field.optional && random.chance(0.2)) return "None";
  const auto list = [&](auto item) {
    std::string items;
    for (int64_t n = random.one_of<int64_t>({0, 1, 1, 2, 2, 2, 3, 3, 4, 5}), i = 0; i < n; ++i)
      items += item() + ", ";
    return "(" + items + ")";
  };
  switch (field.type) {
    case FieldType::boolean: return random.chance(0.5) ? "True" : "False";
    case FieldType::int32:
    case FieldType::int64: return any_whole(random, field.range);
    case FieldType::float32:
    case FieldType::float64: return any_real(random);
    case FieldType::string: return random.one_of<const char*>({"", "x", "NCHW", "NHWC", "ij,jk->ik", "mean"});
    case FieldType::dtype: return name_of(kDTypes[random.below(std::size(kDTypes))]);
    case FieldType::enumeration: return random.item_of(field.names);
    case FieldType::reals: return list([&] { return any_real(random); });
    case FieldType::tuple: return list([&] { return any_whole(random, field.range); });
    case FieldType::bounds:
      return list([&] { return random.chance(0.2) ? std::string("None") : any_whole(random, field.range); });
  }
  return "";
}

void set_param(Call& call, const std::string& name, const std::string& value) {
  for (auto& param : call.params) {
    if (param.first == name) {
      param.second = value;
      return;
    }
  }
  call.params.emplace_back(name, value);
}

void change_param(Random& random, Call& call) {
  const auto& fields = call.op->schema->fields;
  if (fields.empty()) return;
  const Field& field = random.item_of(fields);
  if (field.name.rfind("subgraph", 0) != 0) set_param(call, field.name, any_value(random, field));
}

// Numbers of parameters that are `from` become `to`: a layer's width, a window over the whole.
void replace_in_params(Random& random, Call& call, int64_t from, int64_t to) {
  for (auto& param : call.params) {
    if (param.first.rfind("subgraph", 0) == 0 || !random.chance(0.5)) continue;
    std::string changed, number;
    for (const char c : param.second + ' ') {
      if ((c >= '0' && c <= '9') || c == '.' || c == '-' || c == 'e') {
        number += c;
        continue;
      }
      changed += number == text(from) ? text(to) : number;
      number.clear();
      changed += c;
    }
    changed.pop_back();
    param.second = changed;
  }
}

Input& any_input(Random& random, Call& call) { return random.item_of(call.inputs); }

void change_extent(Random& random, Call& call) {
  Input& chosen = any_input(random, call);
  if (chosen.shape.ndim() == 0) return;
  const int axis = static_cast<int>(random.below(chosen.shape.ndim()));
  const int64_t from = chosen.shape[axis], to = any_extent(random);
  const int64_t how = random.below(4);
  if (how == 0) {
    chosen.shape[axis] = to;
    return;
  }
  const int ndim = chosen.shape.ndim();
  for (Input& input : call.inputs) {
    for (int i = 0; i < input.shape.ndim(); ++i) {
      const bool same_place = input.shape.ndim() == ndim && i == axis;
      if (how == 1 ? same_place : input.shape[i] == from && (how == 3 || same_place || random.chance(0.7)))
        input.shape[i] = to;
    }
  }
  if (how >= 2) replace_in_params(random, call, from, to);
}

void change_rank(Random& random, Call& call) {
  Shape& shape = any_input(random, call).shape;
  if (random.chance(0.5) && shape.ndim() > 0)
    shape.erase(static_cast<int>(random.below(shape.ndim())));
  else if (shape.ndim() < kMaxDims)
    shape.insert(static_cast<int>(random.below(shape.ndim() + 1)), any_extent(random));
}

void change_dtype(Random& random, Call& call) {
  const DType dtype = kDTypes[random.below(std::size(kDTypes))];
  const DType from = any_input(random, call).dtype;
  if (random.chance(0.3)) {
    any_input(random, call).dtype = dtype;
    return;
  }
  for (Input& input : call.inputs) {
    if (input.dtype == from) input.dtype = dtype;
  }
}

void change_values(Random& random, Call& call) {
  Input& input = any_input(random, call);
  const double far = random.one_of<double>({0, 1, 2, 10, 100, 1e6, 1e12});
  input.low = random.chance(0.5) ? -far : 0;
  input.high = far;
  if (random.chance(0.3)) call.special = random.one_of<double>({0.02, 0.2, 1});
}

void change(Random& random, Call& call) {
  const int64_t kind = call.inputs.empty() ? 9 : random.below(10);
  if (kind <= 3) {
    change_extent(random, call);
  } else if (kind == 4) {
    const int64_t extent = random.one_of<int64_t>({0, 0, 1});
    const bool all = random.chance(0.5);
    Input& chosen = any_input(random, call);
    for (Input& input : call.inputs) {
      if (all || &input == &chosen) input.shape = Shape::filled(input.shape.ndim(), extent);
    }
  } else if (kind == 5) {
    change_dtype(random, call);
  } else if (kind == 6) {
    change_values(random, call);
  } else if (kind == 7 && random.chance(0.5)) {
    change_rank(random, call);
  } else if (kind == 8 && random.chance(0.2)) {
    if (random.chance(0.5))
      call.inputs.pop_back();
    else
      call.inputs.push_back(any_input(random, call));
  } else {
    change_param(random, call);
  }
}

// From the description alone.
Call plain_call(Random& random, const Op& op) {
  Call call;
  call.op = &op;
  for (const Field& field : op.schema->fields) {
    if (field.required || random.chance(0.3)) call.params.emplace_back(field.name, any_value(random, field));
  }
  Shape shape;
  for (int64_t n = random.below(5), i = 0; i < n; ++i) shape.push_back(any_extent(random));
  const int64_t extra = op.variadic ? random.below(4) : 0;
  for (int64_t i = 0, n = static_cast<int64_t>(op.inputs.size()) + extra; i < n; ++i) {
    Input input;
    input.shape = shape;
    call.inputs.push_back(input);
    if (random.chance(0.3)) change_rank(random, call);
  }
  if (op.count_field) set_param(call, op.count_field, text(call.inputs.size()));
  return call;
}

// Some inputs as sparse arrays.
void change_storage(Random& random, Call& call) {
  for (Input& input : call.inputs) {
    if (random.chance(0.5)) continue;
    const bool matrix = input.shape.ndim() == 2;
    if (input.shape.ndim() > 0)
      input.storage = matrix && random.chance(0.6) ? Storage::csr : Storage::row_sparse;
  }
}

// Memory is for many calls: large extents stay where one of 0 makes the array empty.
void keep_small(Call& call) {
  for (Input& input : call.inputs) {
    int64_t elements = 1;
    bool empty = false;
    for (const int64_t extent : input.shape) empty |= extent == 0;
    for (int i = 0; i < input.shape.ndim(); ++i) {
      int64_t& extent = input.shape[i];
      int64_t product = 0;
      const bool fits = extent == 0 || (!__builtin_mul_overflow(elements, extent, &product) &&
                                        (empty || product <= kMostElements));
      if (!fits) extent = 1;
      if (extent > 0) elements *= extent;
    }
  }
}

}  // namespace

uint64_t Random::next() {
  uint64_t x = state_ += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::string Call::str() const {
  std::string s = op->name + "(";
  for (const Input& input : inputs) {
    s += text(name_of(input.dtype), input.shape, input.whole ? " whole " : " ", input.low, "..", input.high,
              input.storage == Storage::dense ? ", " : text(" ", name_of(input.storage), ", "));
  }
  for (const auto& [name, value] : params) s += name + "=" + value.substr(0, 200) + ", ";
  return s + (training ? "training, " : "") + (gradient ? "gradient, " : "") +
         (second_order ? "second order, " : "") + text("special=", special, ")");
}

std::vector<Call> read_calls(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  std::vector<Call> calls;
  for (std::string line;
       std::getline(file, line);) {  // operator, inputs, name, value, name, value, ... by tabs
    const std::vector<std::string> parts = split(line, '\t');
    Call call;
    call.op = &find_op(parts.at(0));
    if (!parts.at(1).empty()) {
      for (const std::string& input : split(parts[1], ' ')) call.inputs.push_back(read_input(input));
    }
    for (size_t i = 2; i + 1 < parts.size(); i += 2) call.params.emplace_back(parts[i], parts[i + 1]);
    calls.push_back(std::move(call));
  }
  std::stable_sort(calls.begin(), calls.end(),
                   [](const Call& a, const Call& b) { return a.op->name < b.op->name; });
  return calls;
}

Call make_call(const std::vector<Call>& known, uint64_t seed, uint64_t number) {
  Random random(Random(seed ^ (number * 0x2545f4914f6cdd1du)).next());
  const Op& op = *random.item_of(all_ops());
  const auto by_name = [](const Call& a, const Call& b) { return a.op->name < b.op->name; };
  Call sample;
  sample.op = &op;
  const auto [first, last] = std::equal_range(known.begin(), known.end(), sample, by_name);
  Call call =
      first == last || random.chance(0.05) ? plain_call(random, op) : first[random.below(last - first)];
  for (int64_t n = random.one_of<int64_t>({0, 1, 1, 1, 2, 2, 3, 5}), i = 0; i < n; ++i) change(random, call);
  keep_small(call);
  if (random.chance(0.15)) change_storage(random, call);
  call.training = random.chance(0.5);
  call.gradient = op.has_gradient() && random.chance(0.7);
  call.second_order = call.gradient && random.chance(0.2);
  call.seed = random.next();
  return call;
}

}  // namespace operators
