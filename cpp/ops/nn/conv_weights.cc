#include "ops/nn/conv_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "base/cpu.h"
#include "base/fork_mutex.h"
#include "kernels/scratch.h"

namespace mixgrad::ops::conv_weights {

// Immutable once made. All that have a known form are in one list while somebody holds them.
class Ready final : public ValueSource, public std::enable_shared_from_this<Ready> {
 public:
  static constexpr std::align_val_t kAlign{64};
  struct FreeFloats {
    void operator()(float* floats) const { ::operator delete(floats, kAlign); }
  };
  using Floats = std::unique_ptr<float, FreeFloats>;
  static Floats take_floats(const Layers& layers);

  Ready(Layers layers, Floats floats);
  ~Ready() override;
  const float* floats() const { return floats_.get(); }
  void prepare(const KernelArgs& args);
  void write(size_t input, void* to) const override;
  // Whether write() can.
  bool restores(int number) const;
  // Another that is made of the same in the same order; else this one, which others then find. Any thread.
  std::shared_ptr<Ready> or_equal(std::vector<uint64_t> form);
  static std::shared_ptr<Ready> find(const std::vector<uint64_t>& form);

 private:
  static std::shared_ptr<Ready> find_locked(const std::vector<uint64_t>& form);

  const Layers layers_;
  const Floats floats_;
  std::vector<float> scale_[3];  // per layer; empty: none
  bool divides_[3] = {};         // whether the weights come back by division by their factors
  std::vector<uint64_t> form_;   // empty: not in the list
  Ready *next_ = nullptr, *previous_ = nullptr;
};

namespace {

constexpr int64_t kMostCounted = int64_t{1} << 24;  // integers that float32 tells apart

ForkMutex& list_lock() {
  static auto* const mutex = new ForkMutex;  // weights may be freed while the process ends
  return *mutex;
}
Ready* first_ready = nullptr;

// Input i of the call, brought into memory where it is not.
const float* input(const KernelArgs& args, size_t i) {
  return static_cast<const float*>(args.memory ? args.memory->read(i) : args.in[i].data);
}

// A factor per filter, and its bias, from the inputs after a weight.
void fold(const Norm& norm, const KernelArgs& args, size_t at, int64_t filters, std::vector<float>* scale,
          float* bias) {
  const float* given = norm.has_bias ? input(args, at++) : nullptr;
  for (int64_t i = 0; given && i < filters; ++i) bias[i] = given[i];
  if (!norm.has_norm) return;
  const float *gamma = input(args, at), *beta = input(args, at + 1), *mean = input(args, at + 2),
              *variance = input(args, at + 3);
  scale->resize(static_cast<size_t>(filters));
  for (int64_t i = 0; i < filters; ++i) {
    const double factor =
        (norm.fix_gamma ? 1.0 : gamma[i]) / std::sqrt(static_cast<double>(variance[i]) + norm.eps);
    const double sum = given ? given[i] : 0.0;
    (*scale)[static_cast<size_t>(i)] = static_cast<float>(factor);
    bias[i] = static_cast<float>((sum - static_cast<double>(mean[i])) * factor + beta[i]);
  }
}

// Whether each weight times its filter's factor, divided by that again, is the weight but for rounding.
bool divides(const float* weight, int64_t per_filter, const std::vector<float>& scale) {
  constexpr float kLeastFactor = 1e-12f, kMostFactor = 1e12f;
  constexpr float kLeast = std::numeric_limits<float>::min(), kMost = std::numeric_limits<float>::max();
  for (const float factor : scale) {
    const float size = std::fabs(factor);
    if (!(size >= kLeastFactor && size <= kMostFactor)) return false;
    bool good = true;
    for (int64_t i = 0; i < per_filter; ++i) {
      const float product = std::fabs(weight[i] * factor);
      good &= weight[i] == 0 || (product >= kLeast && product <= kMost);
    }
    if (!good) return false;
    weight += per_filter;
  }
  return true;
}

// What prepared weights depend on: their order, not the extents of images, and what they are made from.
std::vector<uint64_t> form_of(const Layers& layers, Span<const uint64_t> versions) {
  uint64_t eps = 0;
  std::memcpy(&eps, &layers.norm.eps, sizeof eps);
  std::vector<uint64_t> form = {
      static_cast<uint64_t>(best_isa()), static_cast<uint64_t>(layers.items), eps,
      static_cast<uint64_t>(layers.norm.has_bias + 2 * layers.norm.has_norm + 4 * layers.norm.fix_gamma)};
  for (int i = 0; i < layers.count; ++i) {
    const Layer& layer = layers.layer[i];
    const nn_backend::ConvShape& s = layer.plan->problem().shape;
    for (const int64_t item :
         {static_cast<int64_t>(layer.plan->algorithm()), static_cast<int64_t>(layer.plan->problem().data),
          layer.weights, layer.biases, s.channels, s.filters, s.groups, s.kernel[0], s.kernel[1], s.kernel[2],
          s.dilate[2]}) {
      form.push_back(static_cast<uint64_t>(item));
    }
  }
  for (const uint64_t item : versions) form.push_back(item);
  return form;
}

}  // namespace

Ready::Ready(Layers layers, Floats floats) : layers_(std::move(layers)), floats_(std::move(floats)) {}

Ready::Floats Ready::take_floats(const Layers& layers) {
  const size_t bytes = static_cast<size_t>(layers.items) * sizeof(float) + 64;
  void* const floats = ::operator new(bytes, kAlign, std::nothrow);
  if (!floats) fail(Status::out_of_memory, "[Convolution] no memory for ", layers.items, " prepared weights");
  return Floats(static_cast<float*>(floats));
}

Ready::~Ready() {
  if (!form_.empty()) {
    const std::lock_guard<ForkMutex> lock(list_lock());
    (previous_ ? previous_->next_ : first_ready) = next_;
    if (next_) next_->previous_ = previous_;
  }
}

void Ready::prepare(const KernelArgs& args) {
  for (int i = 0; i < layers_.count; ++i) {
    const Layer& layer = layers_.layer[i];
    float* const bias = floats_.get() + layer.biases;
    std::fill_n(bias, layer.places, 0.0f);
    fold(layers_.norm, args, layer.first_input + 1, layer.plan->problem().shape.filters, &scale_[i], bias);
    const float* const weight = input(args, layer.first_input);
    layer.plan->prepare(weight, scale_[i].empty() ? nullptr : scale_[i].data(),
                        floats_.get() + layer.weights);
    const nn_backend::ConvShape& shape = layer.plan->problem().shape;
    divides_[i] = divides(weight, shape.weight_items() / std::max<int64_t>(1, shape.filters), scale_[i]);
  }
}

bool Ready::restores(int number) const {
  const Layer& layer = layers_.layer[number];
  // The other algorithms only move and scale weights.
  return divides_[number] && layer.plan->algorithm() != ConvAlgorithm::winograd2 &&
         layer.plan->algorithm() != ConvAlgorithm::winograd4 &&
         layer.plan->problem().shape.weight_items() < kMostCounted;
}

void Ready::write(size_t input, void* to) const {
  int number = 0;
  while (layers_.layer[number].first_input != input) ++number;
  const Layer& layer = layers_.layer[number];
  const int64_t count = layer.plan->problem().shape.weight_items(), items = layer.plan->weight_items();
  const int64_t per_filter = count / layer.plan->problem().shape.filters;
  // Each weight's own number tells where it went; 0 is no weight.
  const Scratch numbers = Scratch::of<float>(items);
  float *const weight = static_cast<float*>(to), *const from = numbers.as<float>();
  std::fill_n(from, items, 0.0f);
  for (int64_t i = 0; i < count; ++i) weight[i] = static_cast<float>(i + 1);
  layer.plan->prepare(weight, nullptr, from);
  const float* const prepared = floats_.get() + layer.weights;
  for (int64_t at = 0; at < items; ++at) {
    if (from[at] == 0) continue;
    const int64_t i = static_cast<int64_t>(from[at]) - 1;
    const float by = scale_[number].empty() ? 1 : scale_[number][static_cast<size_t>(i / per_filter)];
    weight[i] = prepared[at] / by;
  }
}

std::shared_ptr<Ready> Ready::find_locked(const std::vector<uint64_t>& form) {
  for (Ready* ready = first_ready; ready; ready = ready->next_) {
    if (ready->form_ != form) continue;
    if (std::shared_ptr<Ready> held = ready->weak_from_this().lock()) return held;
  }
  return nullptr;
}

std::shared_ptr<Ready> Ready::find(const std::vector<uint64_t>& form) {
  const std::lock_guard<ForkMutex> lock(list_lock());
  return find_locked(form);
}

std::shared_ptr<Ready> Ready::or_equal(std::vector<uint64_t> form) {
  const std::lock_guard<ForkMutex> lock(list_lock());
  if (std::shared_ptr<Ready> other = find_locked(form)) return other;
  form_ = std::move(form);
  next_ = first_ready;
  if (next_) next_->previous_ = this;
  first_ready = this;
  return shared_from_this();
}

bool versions_known(const KernelArgs& args, size_t last_input) {
  for (size_t i = 1; args.memory && i <= last_input; ++i) {
    if (args.memory->versions[i * CallMemory::kVersionItems] == 0) return false;
  }
  return args.memory != nullptr;
}

void Kept::begin(Layers layers) {
  layers_ = std::move(layers);
  ready_ = nullptr;
  versions_.clear();
}

std::shared_ptr<Ready> Kept::make_ready() const {
  Ready::Floats floats =
      Ready::take_floats(layers_);  // first: where there is no memory nothing is left behind
  return std::make_shared<Ready>(layers_, std::move(floats));
}

const float* Kept::update(const KernelArgs& args) {
  const size_t inputs = static_cast<size_t>(layers_.count * (1 + layers_.norm.inputs()));
  if (!versions_known(args, inputs)) {
    // The same memory serves run after run.
    if (!ready_ || !versions_.empty()) ready_ = make_ready();
    versions_.clear();
    ready_->prepare(args);
    return ready_->floats();
  }
  constexpr size_t kItems = CallMemory::kVersionItems;
  const Span<const uint64_t> now = args.memory->versions.subspan(kItems, inputs * kItems);
  if (!versions_.empty() && std::equal(versions_.begin(), versions_.end(), now.begin()))
    return ready_->floats();
  versions_.clear();
  versions_.reserve(
      now.size());  // while other executors may share what is ready, the versions must be here, too
  form_ = form_of(layers_, now);
  ready_ = Ready::find(form_);
  if (!ready_) {
    // Made outside the lock: of two that come at once, the first stays.
    ready_ = make_ready();
    ready_->prepare(args);
    ready_ = ready_->or_equal(std::move(form_));
  }
  versions_.assign(now.begin(), now.end());
  for (int i = 0; i < layers_.count; ++i) {
    const Layer& layer = layers_.layer[i];
    args.memory->let_go(layer.first_input, ready_->restores(i) ? ready_ : nullptr);
  }
  return ready_->floats();
}

}  // namespace mixgrad::ops::conv_weights
