// Sources of kernels that are compiled at run time, and what they share with the loops of the CPU. That they compile is tested
// in tests/python/operators/test_kernel_texts.py.
#include "kernel_source/kernel_source.h"

#include <cstring>
#include <set>

#include "check.h"
#include "kernels/random/random.h"

using namespace mixgrad;

TEST(op_kernel_names_and_entries_are_distinct) {
  const std::vector<Kernel> kernels = all_kernels();
  const std::string source = kernel_source(kernels);
  std::set<std::string> entries;
  for (const Kernel& kernel : kernels) {
    for (const ComputeType type : {kComputeF32, kComputeF64, kComputeI32, kComputeI64}) {
      if (!has_entry(kernel, type)) continue;
      const std::string entry = kernel_entry(kernel, type);
      CHECK(entries.insert(entry).second);
      CHECK(source.find("void " + entry + "(") != std::string::npos);
    }
  }
  CHECK(entries.size() > 400);
}

TEST(op_kernel_params_are_the_described_numbers) {
  const Op& op = find_op("LeakyReLU");
  const NamedValue given[] = {{"act_type", Value("elu")}, {"slope", Value(0.75)}};
  const ParamsRef params = make_params(op, given);
  struct {
    int32_t act_type;
    double slope, lower_bound, upper_bound;
  } packed;
  CHECK_EQ(kernel_params_size(*op.schema), sizeof packed);
  pack_kernel_params(*op.schema, params->data(), &packed);
  CHECK_EQ(packed.act_type, 0);
  CHECK_EQ(packed.slope, 0.75);
  CHECK_EQ(packed.upper_bound, 0.334);
  // A tuple and an optional field are not there.
  CHECK_EQ(kernel_params_size(*find_op("Dropout").schema), size_t{16});
}

TEST(op_random_word_is_that_of_random_words) {
  const RandomKey key = {0x0123456789abcdef, 0xfedcba987654};
  uint32_t words[4 * kRandomGroup];
  random_words(key, 2 * kRandomGroup, 4 * kRandomGroup, words);
  for (int i = 0; i < 4 * kRandomGroup; ++i) CHECK_EQ(random_word(key, 2 * kRandomGroup + i), words[i]);
}

TEST(ops_leaky_relu_draws_from_the_streams) {
  const Op& op = find_op("LeakyReLU");
  const NamedValue given[] = {{"act_type", Value("rrelu")}};
  const ParamsRef params = make_params(op, given);
  const Shape shape{5000};
  std::vector<float> x(5000, -1), out(5000), factors(5000);
  const View in[] = {{x.data(), &shape, DType::float32}};
  const View results[] = {{out.data(), &shape, DType::float32}, {factors.data(), &shape, DType::float32}};
  KernelArgs args;
  args.op = &op, args.in = in, args.out = results;
  args.training = true, args.seed = 7, args.stream = 9;
  op.on(Processor::host).forward(op, params->data(), args);
  for (int i = 0; i < 5000; ++i) {
    const double place = (random_word({7, 9}, i) >> 8) * 0x1p-24;
    CHECK_EQ(factors[static_cast<size_t>(i)], static_cast<float>(0.125 + (0.334 - 0.125) * place));
  }
}
