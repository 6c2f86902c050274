// A device with kernels of its own, as a GPU is: its memory is the host's, and its stream works at once.
#include <cstdlib>
#include <cstring>

#include "array/array.h"
#include "check.h"
#include "device/api.h"
#include "exec/imperative/invoke.h"
#include "exec/imperative/mode.h"
#include "exec/tape/tape.h"
#include "op/define.h"
#include "storage/statistics.h"

using namespace mixgrad;

namespace {

const Device kCard = Device::gpu(40);  // no other test's, so its pool is empty

class DirectStream final : public Stream {
 public:
  explicit DirectStream(Device device) : Stream(device) { add(this); }
  Event mark() override { return {this, 1}; }
  void follow(const Event& event) override { event.wait(); }
  bool complete(std::uint64_t) const override { return true; }
  bool wait(std::uint64_t, double) override { return true; }
  void copy(void* dst, const void* src, std::size_t bytes, std::shared_ptr<const void>) override {
    std::memcpy(dst, src, bytes);
  }
  void fill(void* dst, std::uint8_t value, std::size_t bytes) override { std::memset(dst, value, bytes); }
};

class DirectApi final : public DeviceApi {
 public:
  void* allocate(Device, std::size_t bytes, std::size_t alignment) override {
    return std::aligned_alloc(alignment ? alignment : 4096, (bytes + 4095) / 4096 * 4096);
  }
  void release(void* data, std::size_t) noexcept override { std::free(data); }
  Stream* stream(Device, StreamKind) override {
    static DirectStream* const stream = new DirectStream(kCard);  // streams live until the process ends
    return stream;
  }
  Processor processor() const override { return Processor::cuda; }
  std::size_t total_memory(Device) const override { return std::size_t{1} << 30; }
  bool fresh_is_zero() const override { return false; }
  bool poolable() const override { return true; }
};

// The card for the time of a test.
struct OneCard {
  OneCard() {
    static DirectApi* const api = new DirectApi;
    set_gpus(api, kCard.id + 1);
  }
  ~OneCard() { set_gpus(nullptr, 0); }
};

int calls_on_host = 0, calls_on_card = 0;

// out = 2 * data; the card's kernel goes by way of its working memory.
const Op& twice = Define<>("_test_twice")
                      .input("data", "Any float32.")
                      .kernel([](const NoParams&, KernelArgs& args) {
                        ++calls_on_host;
                        CHECK(args.context->processor == Processor::host && !args.context->stream);
                        const auto* const x = static_cast<const float*>(args.in[0].data);
                        for (int64_t i = 0; i < args.out[0].size(); ++i)
                          static_cast<float*>(args.out[0].data)[i] = 2 * x[i];
                      })
                      .cuda_kernel([](const NoParams&, KernelArgs& args) {
                        ++calls_on_card;
                        CHECK(args.context->processor == Processor::cuda && args.context->device == kCard);
                        CHECK(args.context->stream == device_api(kCard).stream(kCard, StreamKind::compute));
                        const int64_t n = args.out[0].size();
                        const std::size_t before = storage::memory_info(kCard).in_use;
                        const Scratch sums = args.scratch<float>(n);
                        CHECK(storage::memory_info(kCard).in_use >= before + args.out[0].bytes());
                        const auto* const x = static_cast<const float*>(args.in[0].data);
                        for (int64_t i = 0; i < n; ++i) sums.as<float>()[i] = x[i] + x[i];
                        std::memcpy(args.out[0].data, sums.data(), args.out[0].bytes());
                      })
                      .backward([](const NoParams&, BackwardArgs&) { ++calls_on_host; })
                      .grad([](const NoParams&, Grad& g) { g.set(0, apply("_test_twice", {g.out_grad()})); });

ArrayRef run(const Op& op, Array& x) {
  Array* const in[] = {&x};
  ArrayRef out[1];
  invoke(op, op.defaults, in, out);
  return out[0];
}

ArrayRef array_on(Device device, const std::vector<float>& values) {
  return Array::from_host(values.data(), Shape{static_cast<int64_t>(values.size())}, DType::float32, device);
}

std::vector<float> values_of(Array& array) {
  std::vector<float> values(static_cast<size_t>(array.shape().size()));
  array.copy_to_host(values.data());
  return values;
}

TEST(exec_a_device_runs_its_own_kernels_with_its_own_memory) {
  const OneCard card;
  calls_on_host = calls_on_card = 0;
  const std::vector<float> numbers = {1, 2, 3, 4, 5};
  CHECK(values_of(*run(twice, *array_on(kCard, numbers))) == std::vector<float>({2, 4, 6, 8, 10}));
  CHECK_EQ(calls_on_card, 1);
  CHECK_EQ(calls_on_host, 0);
  CHECK(values_of(*run(twice, *array_on(Device::cpu(), numbers))) == std::vector<float>({2, 4, 6, 8, 10}));
  CHECK_EQ(calls_on_host, 1);
}

TEST(exec_an_operator_without_a_kernel_for_a_device_says_so) {
  const OneCard card;
  const ArrayRef x = array_on(kCard, {1, 2});
  CHECK_THROWS(values_of(*run(find_op("exp"), *x)), unsupported, "[exp] has no kernel for gpu(40)");
  const Op& activation = find_op("Activation");
  const NamedValue given[] = {{"act_type", Value("tanh")}};
  Array* const in[] = {x.get()};
  ArrayRef out[1];
  invoke(activation, make_params(activation, given), in, out);
  CHECK_THROWS(values_of(*out[0]), unsupported, "[tanh] has no kernel for gpu(40)");
}

TEST(exec_a_device_without_a_fused_gradient_takes_the_composed_one) {
  const OneCard card;
  const ArrayRef x = array_on(kCard, {1, 2, 3}), gradient = array_on(kCard, {0, 0, 0});
  mark_variable(*x, gradient, GradientRequest::write);
  mode().recording = true;
  const ArrayRef y = run(twice, *x);
  mode().recording = false;
  const ArrayRef weights = array_on(kCard, {1, 10, 100});
  calls_on_host = 0;
  Array *const heads[] = {y.get()}, *const head_grads[] = {weights.get()};
  run_backward(heads, head_grads, {});
  CHECK(values_of(*gradient) == std::vector<float>({2, 20, 200}));
  CHECK_EQ(calls_on_host, 0);
}

}  // namespace
