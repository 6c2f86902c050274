#include "exec/control_flow/control_flow.h"

#include <cmath>

#include "graph/symbol_json.h"
#include "kernels/loops/convert.h"
#include "launch/pointwise.h"

namespace mixgrad::control_flow {
namespace {

const bool kWritesSubgraphs = (write_subgraph = write_symbol) != nullptr;

}  // namespace

void write_trail(const KernelArgs& args, int64_t steps) {
  const Trail trail{static_cast<int64_t>(args.seed), static_cast<int64_t>(args.stream), steps};
  std::memcpy(args.out[args.out.size() - 1].data, &trail, sizeof trail);
}

Trail read_trail(const BackwardArgs& args) {
  Trail trail;
  std::memcpy(&trail, args.out[args.out.size() - 1].data, sizeof trail);
  return trail;
}

std::vector<size_t> places_of(const char* op, const char* field, const Reals& places, size_t count) {
  std::vector<size_t> out;
  for (const double place : places) {
    if (!(place >= 0 && place < static_cast<double>(count) && place == std::floor(place))) {
      fail(Status::invalid_argument, "[", op, "] ", field, " has ", place,
           "; expected whole numbers from 0 to ", static_cast<int64_t>(count) - 1);
    }
    out.push_back(static_cast<size_t>(place));
  }
  return out;
}

SubprogramKey key_of(Span<const View> inputs, const std::vector<size_t>& places, bool training) {
  SubprogramKey key;
  key.training = training;
  for (const size_t place : places) {
    key.shapes.push_back(inputs[place].shape());
    key.dtypes.push_back(inputs[place].dtype);
  }
  return key;
}

bool is_true(const char* data, DType dtype, size_t bytes, const char* op) {
  if (bytes != size_of(dtype))
    fail(Status::shape, "[", op, "] the condition has ", bytes / size_of(dtype), " elements; expected 1");
  double number = 0;
  convert(data, dtype, &number, DType::float64, 1);
  return number != 0;
}

void add_to(const View& sum, const char* more) {
  static const Op& add = find_op("_grad_add");
  View other = sum;
  other.data = const_cast<char*>(more);
  const View terms[] = {sum, other};
  run_pointwise(add, add.defaults->data(), terms, sum);
}

}  // namespace mixgrad::control_flow
