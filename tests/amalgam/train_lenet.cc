// LeNet learns drawn digits with nothing but mixgrad-all: images are made here, the network is built, trained and asked.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "mixgrad-all.h"

namespace {

constexpr int kSide = 16, kBatch = 64, kPixels = kSide * kSide;

void check(mg_status status) {
  if (status == MG_STATUS_OK) return;
  std::fprintf(stderr, "%s\n", mg_last_error());
  std::exit(1);
}

// Seven rows of five pixels for each digit.
const char* const kGlyphs[10] = {
    ".###.#...##..###.#.###..##...#.###.", "..#...##....#....#....#....#...###.",
    ".###.#...#....#...#...#...#...#####", "####.....#....#.###.....#....#####.",
    "...#...##..#.#.#..#.#####...#....#.", "######....####.....#....##...#.###.",
    "..##..#...#....####.#...##...#.###.", "#####....#...#...#...#....#....#...",
    ".###.#...##...#.###.#...##...#.###.", ".###.#...##...#.####....#...#..##.."};

struct Sample {
  std::vector<float> pixels, labels;
};

// A batch of digits at random places, of random strength, with noise.
Sample draw(std::mt19937& random) {
  Sample s;
  s.pixels.resize(static_cast<size_t>(kBatch) * kPixels);
  s.labels.resize(kBatch);
  std::uniform_real_distribution<float> unit(0, 1);
  for (int n = 0; n < kBatch; ++n) {
    const int digit = static_cast<int>(random() % 10);
    const int top = static_cast<int>(random() % 3), left = static_cast<int>(random() % 7);
    const float strength = 0.6f + 0.4f * unit(random);
    float* image = &s.pixels[static_cast<size_t>(n) * kPixels];
    s.labels[static_cast<size_t>(n)] = static_cast<float>(digit);
    for (int i = 0; i < kPixels; ++i) image[i] = 0.3f * unit(random);
    for (int y = 0; y < 14; ++y) {
      for (int x = 0; x < 10; ++x) {
        if (kGlyphs[digit][y / 2 * 5 + x / 2] == '#') image[(top + y) * kSide + left + x] += strength;
      }
    }
  }
  return s;
}

using Param = std::pair<const char*, mg_value>;

mg_value integer(int64_t v) {
  mg_value value{};
  value.kind = MG_VALUE_INTEGER;
  value.as.integer = v;
  return value;
}
mg_value real(double v) {
  mg_value value{};
  value.kind = MG_VALUE_REAL;
  value.as.real = v;
  return value;
}
mg_value word(const char* v) {
  mg_value value{};
  value.kind = MG_VALUE_STRING;
  value.as.string = v;
  return value;
}

struct Named {
  std::vector<const char*> names;
  std::vector<mg_value> values;
  explicit Named(const std::vector<Param>& params) {
    for (const Param& p : params) {
      names.push_back(p.first);
      values.push_back(p.second);
    }
  }
  int32_t count() const { return static_cast<int32_t>(names.size()); }
};

const mg_op* find(const char* name) {
  const mg_op* op = nullptr;
  check(mg_op_find(name, &op));
  return op;
}

// A layer on `data`, which it consumes.
mg_symbol* layer(const char* op, const char* name, mg_symbol* data, const std::vector<Param>& params) {
  const Named named(params);
  mg_symbol* out = nullptr;
  check(mg_symbol_call(find(op), name, 1, nullptr, &data, named.count(), named.names.data(),
                       named.values.data(), 0, nullptr, nullptr, &out));
  mg_symbol_destroy(data);
  return out;
}

mg_symbol* lenet() {
  mg_symbol* net = nullptr;
  check(mg_symbol_create_variable("data", 0, nullptr, nullptr, &net));
  const int filters[] = {8, 16};
  for (int i = 0; i < 2; ++i) {
    const std::string number = std::to_string(i + 1);
    net = layer("Convolution", ("conv" + number).c_str(), net,
                {{"kernel", word("(5, 5)")}, {"pad", word("(2, 2)")}, {"num_filter", integer(filters[i])}});
    net = layer("Activation", ("tanh" + number).c_str(), net, {{"act_type", word("tanh")}});
    net = layer("Pooling", ("pool" + number).c_str(), net,
                {{"kernel", word("(2, 2)")}, {"stride", word("(2, 2)")}, {"pool_type", word("max")}});
  }
  net = layer("Flatten", "flatten", net, {});
  net = layer("FullyConnected", "fc1", net, {{"num_hidden", integer(64)}});
  net = layer("Activation", "tanh3", net, {{"act_type", word("tanh")}});
  net = layer("FullyConnected", "fc2", net, {{"num_hidden", integer(10)}});
  return layer("SoftmaxOutput", "softmax", net, {{"normalization", word("batch")}});
}

struct Network {
  std::vector<mg_array*> arguments, gradients, momenta;
  mg_executor* executor = nullptr;
  mg_array* output = nullptr;
  int32_t data = -1, label = -1;
};

Network bind(const mg_symbol* symbol, std::mt19937& random) {
  Network net;
  const char* known[] = {"data"};
  const int32_t ndims[] = {4};
  const int64_t shape[] = {kBatch, 1, kSide, kSide};
  const int64_t* shapes[] = {shape};
  mg_inference* inference = nullptr;
  mg_string_list* names = nullptr;
  check(mg_symbol_infer(symbol, 1, known, ndims, shapes, nullptr, &inference));
  check(mg_symbol_list(symbol, MG_PART_ARGUMENTS, &names));
  const mg_device cpu = {MG_DEVICE_CPU, 0};
  std::vector<int32_t> requests;
  for (int32_t i = 0; i < mg_string_list_get_num_strings(names); ++i) {
    const std::string name = mg_string_list_get(names, i);
    int32_t ndim = 0;
    const int64_t* extents = nullptr;
    check(mg_inference_get_shape(inference, MG_PART_ARGUMENTS, i, &ndim, &extents));
    int64_t size = 1, fan_in = 1;
    for (int32_t d = 0; d < ndim; ++d) size *= extents[d];
    for (int32_t d = 1; d < ndim; ++d) fan_in *= extents[d];
    const bool weight = name.find("weight") != std::string::npos;
    const bool learnt = weight || name.find("bias") != std::string::npos;
    std::uniform_real_distribution<float> spread(-1, 1);
    std::vector<float> start(static_cast<size_t>(size), 0.0f), zeros(start);
    for (float& v : start) v = weight ? spread(random) / static_cast<float>(fan_in) * 3 : 0.0f;
    mg_array *argument = nullptr, *gradient = nullptr, *momentum = nullptr;
    check(mg_array_create_from(start.data(), extents, ndim, MG_DTYPE_FLOAT32, cpu, &argument));
    if (learnt) {
      check(mg_array_create_from(zeros.data(), extents, ndim, MG_DTYPE_FLOAT32, cpu, &gradient));
      check(mg_array_create_from(zeros.data(), extents, ndim, MG_DTYPE_FLOAT32, cpu, &momentum));
    }
    net.arguments.push_back(argument);
    net.gradients.push_back(gradient);
    net.momenta.push_back(momentum);
    requests.push_back(learnt ? MG_GRAD_REQ_WRITE : MG_GRAD_REQ_NULL);
    if (name == "data") net.data = i;
    if (name == "softmax_label") net.label = i;
  }
  mg_string_list_destroy(names);
  mg_inference_destroy(inference);
  mg_executor_arrays arrays{};
  arrays.size = sizeof arrays;
  arrays.num_arguments = static_cast<int32_t>(net.arguments.size());
  arrays.arguments = net.arguments.data();
  arrays.gradients = net.gradients.data();
  arrays.grad_reqs = requests.data();
  check(mg_executor_bind(symbol, &arrays, cpu, nullptr, &net.executor));
  check(mg_executor_get_array(net.executor, MG_PART_OUTPUTS, 0, &net.output));
  return net;
}

void load(const Network& net, const Sample& sample) {
  check(mg_array_copy_from(net.arguments[static_cast<size_t>(net.data)], sample.pixels.data(),
                           sample.pixels.size() * sizeof(float)));
  check(mg_array_copy_from(net.arguments[static_cast<size_t>(net.label)], sample.labels.data(),
                           sample.labels.size() * sizeof(float)));
}

void update(const Network& net) {
  const Named named({{"lr", real(0.1)}, {"momentum", real(0.9)}});
  const mg_op* sgd = find("sgd_mom_update");
  for (size_t i = 0; i < net.arguments.size(); ++i) {
    if (!net.gradients[i]) continue;
    mg_array* inputs[] = {net.arguments[i], net.gradients[i], net.momenta[i]};
    mg_array* outputs[] = {net.arguments[i]};
    int32_t count = 1;
    check(
        mg_op_call(sgd, 3, inputs, named.count(), named.names.data(), named.values.data(), &count, outputs));
  }
}

int right_answers(const Network& net, const Sample& sample) {
  std::vector<float> scores(static_cast<size_t>(kBatch) * 10);
  check(mg_array_copy_to(net.output, scores.data(), scores.size() * sizeof(float)));
  int right = 0;
  for (size_t n = 0; n < kBatch; ++n) {
    int best = 0;
    for (int c = 1; c < 10; ++c) {
      if (scores[n * 10 + static_cast<size_t>(c)] > scores[n * 10 + static_cast<size_t>(best)]) best = c;
    }
    right += static_cast<float>(best) == sample.labels[n];
  }
  return right;
}

}  // namespace

int main() {
  std::mt19937 random(5);
  mg_symbol* symbol = lenet();
  Network net = bind(symbol, random);
  for (int step = 0; step < 150; ++step) {
    load(net, draw(random));
    check(mg_executor_forward(net.executor, 1));
    check(mg_executor_backward(net.executor, 0, nullptr));
    update(net);
  }
  int right = 0;
  for (int i = 0; i < 10; ++i) {
    const Sample sample = draw(random);
    load(net, sample);
    check(mg_executor_forward(net.executor, 0));
    right += right_answers(net, sample);
  }
  mg_array_destroy(net.output);
  mg_executor_destroy(net.executor);
  for (auto* list : {&net.arguments, &net.gradients, &net.momenta}) {
    for (mg_array* array : *list) mg_array_destroy(array);
  }
  mg_symbol_destroy(symbol);
  std::printf("%d of %d digits\n", right, 10 * kBatch);
  return right >= 10 * kBatch * 95 / 100 ? 0 : 1;
}
