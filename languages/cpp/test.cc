// Tests of mixgrad.hpp: gradients, a stored network against MXNet's numbers, training, files, stores, errors.
// Usage: test FOLDER, the folder languages/data.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "mixgrad.hpp"

namespace {
int checks = 0;
std::string data_folder;

#define CHECK(condition)                                                            \
  do {                                                                              \
    ++checks;                                                                       \
    if (!(condition)) {                                                             \
      std::fprintf(stderr, "test.cc:%d: %s does not hold\n", __LINE__, #condition); \
      std::exit(1);                                                                 \
    }                                                                               \
  } while (0)

template <class Function>
std::string message_of(Function function) {
  try {
    function();
  } catch (const mx::Error& error) {
    return error.what();
  }
  return "";
}

void arrays() {
  const mx::NDArray x(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
  CHECK((x * 2 + 1).to_vector<float>() == (std::vector<float>{3, 5, 7, 9, 11, 13}));
  CHECK((1 - x / 2).to_vector<float>()[5] == -2);
  CHECK((x - x).to_vector<float>() == std::vector<float>(6, 0));
  CHECK(mx::op::sum(x).scalar() == 21);
  CHECK((mx::op::sum(x, mx::op::SumOptions().axis({0})).to_vector<float>() == std::vector<float>{5, 7, 9}));
  CHECK(x.slice(1, 2).reshape({3}).shape() == mx::Shape{3});
  CHECK(mx::NDArray({4}, mx::DType::bfloat16).dtype() == mx::DType::bfloat16);
  CHECK(mx::op::Cast(x, mx::op::CastOptions().dtype(mx::DType::int64)).to_vector<int64_t>()[3] == 4);
  const auto parts = mx::op::SliceChannel(x, mx::op::SliceChannelOptions().num_outputs(3).axis(1));
  CHECK(parts.size() == 3 && parts[2].to_vector<float>() == (std::vector<float>{3, 6}));
  CHECK(mx::op::Concat<mx::NDArray>({x, x}, mx::op::ConcatOptions().dim(0)).shape() == (mx::Shape{4, 3}));
  CHECK(mx::op::random_normal(mx::op::RandomNormalOptions().shape({2, 2})).size() == 4);
}

void gradients() {
  mx::NDArray x(std::vector<float>{0.5f, -1, 2}, {3});
  x.attach_grad();
  mx::NDArray y;
  {
    const mx::Record record;
    y = mx::op::sum(mx::op::exp(x) * x);
  }
  y.backward();
  const auto values = x.to_vector<float>(), grad = x.grad().to_vector<float>();
  for (size_t i = 0; i < 3; ++i) CHECK(std::fabs(grad[i] - std::exp(values[i]) * (values[i] + 1)) < 1e-5);
  CHECK(!x.detach().grad());
}

void errors() {
  const mx::NDArray a({2, 3}, 1.f), b({4, 5}, 1.f);
  const std::string shapes = message_of([&] { a + b; });
  CHECK(shapes.find("(2, 3)") != std::string::npos && shapes.find("(4, 5)") != std::string::npos);
  CHECK(message_of([&] { mx::Operator("Convolutoin"); }).find("Convolution") != std::string::npos);
  CHECK(message_of([&] { a.to_vector<double>(); }).find("float32") != std::string::npos);
  CHECK(!message_of([&] { mx::Symbol::load("/nowhere-symbol.json"); }).empty());
  CHECK(!message_of([&] { mx::op::relu(mx::NDArray()); }).empty());
}

mx::NDArray images(int64_t begin, int64_t end) {
  const mx::NDArray all = mx::load(data_folder + "/digits.params").at("images");
  return mx::op::Cast(all.slice(begin, end), mx::op::CastOptions().dtype(mx::DType::float32)) / 16;
}

void prediction() {
  const mx::Symbol net = mx::Symbol::load(data_folder + "/digits-symbol.json");
  mx::Executor executor = mx::Executor::simple_bind(net, {{"data", {20, 1, 8, 8}}}, MG_GRAD_REQ_NULL);
  executor.copy_params_from(mx::load(data_folder + "/digits-0001.params"));
  images(1777, 1797).copy_to(executor.argument("data"));
  executor.forward();
  const auto found = executor.outputs()[0].to_vector<float>();
  const auto expected = mx::load(data_folder + "/expected.params").at("probabilities").to_vector<float>();
  CHECK(found.size() == 200 && expected.size() == 200);
  for (size_t i = 0; i < found.size(); ++i) CHECK(std::fabs(found[i] - expected[i]) < 1e-5);
  CHECK(executor.debug_str().find("conv1") != std::string::npos);
  CHECK(mx::Symbol::from_json(net.to_json()).list_arguments() == net.list_arguments());
}

// A network with hidden units learns the digits through a store whose updater is momentum SGD.
void training() {
  mx::seed(7);
  mx::Symbol net = mx::Symbol::variable("data");
  net = mx::op::FullyConnected(mx::op::Flatten(net),
                               mx::op::FullyConnectedOptions().num_hidden(64).name("fc1"));
  net = mx::op::FullyConnected(mx::op::relu(net), mx::op::FullyConnectedOptions().num_hidden(10).name("fc2"));
  net = mx::op::SoftmaxOutput(net, mx::op::SoftmaxOutputOptions().name("softmax"));
  CHECK(net.list_arguments() == (std::vector<std::string>{"data", "fc1_weight", "fc1_bias", "fc2_weight",
                                                          "fc2_bias", "softmax_label"}));
  const int64_t batch = 50;
  mx::Executor executor =
      mx::Executor::simple_bind(net, {{"data", {batch, 1, 8, 8}}, {"softmax_label", {batch}}});
  mx::KVStore store;
  std::map<std::string, mx::NDArray> momenta;
  store.set_updater([&](const std::string& key, const mx::NDArray& gradient, const mx::NDArray& weight) {
    static const mx::Operator update("sgd_mom_update");
    update.apply_to({weight, gradient, momenta.at(key)},
                    {{"lr", 0.1}, {"momentum", 0.9}, {"rescale_grad", 1.0 / batch}}, weight);
  });
  const auto arguments = executor.arg_dict();
  for (const auto& [name, gradient] : executor.grad_dict()) {
    const mx::NDArray weight = arguments.at(name);
    momenta.emplace(name, mx::NDArray(weight.shape(), 0.f));
    if (weight.shape().size() == 2) {
      mx::op::random_uniform(mx::op::RandomUniformOptions().low(-0.1).high(0.1).shape(weight.shape()))
          .copy_to(weight);
    }
    store.init(name, weight);
  }
  const mx::NDArray x = images(0, 1750);
  const mx::NDArray labels = mx::op::Cast(mx::load(data_folder + "/digits.params").at("labels"),
                                          mx::op::CastOptions().dtype(mx::DType::float32));
  int right = 0;
  for (int epoch = 0; epoch < 20; ++epoch) {
    for (int64_t at = 0; at < 1750; at += batch) {
      const bool last = epoch == 19 && at >= 1500;  // held out
      if (!last && at >= 1500) continue;
      x.slice(at, at + batch).copy_to(executor.argument("data"));
      labels.slice(at, at + batch).copy_to(executor.argument("softmax_label"));
      executor.forward(!last);
      if (last) {
        const auto guesses =
            mx::op::argmax(executor.outputs()[0], mx::op::ArgmaxOptions().axis(1)).to_vector<float>();
        const auto truth = labels.slice(at, at + batch).to_vector<float>();
        for (size_t i = 0; i < guesses.size(); ++i) right += guesses[i] == truth[i];
        continue;
      }
      executor.backward();
      for (const auto& [name, gradient] : executor.grad_dict()) {
        store.push(name, {gradient});
        store.pull(name, {arguments.at(name)});
      }
    }
  }
  std::printf("held-out accuracy %.3f\n", right / 250.0);
  CHECK(right > 225);
  store.set_updater(
      [](const std::string&, const mx::NDArray&, const mx::NDArray&) { throw std::runtime_error("no"); });
  CHECK(message_of([&] { store.push("fc1_bias", {executor.grad_dict().at("fc1_bias")}); }).find("no") !=
        std::string::npos);
}

void files() {
  const std::string path = "languages_cpp_test.params";
  mx::save(path, {{"a", mx::NDArray({2}, 3.f)}, {"b", mx::NDArray(std::vector<int32_t>{4, 5}, {1, 2})}});
  const auto loaded = mx::load(path);
  std::remove(path.c_str());
  CHECK(loaded.size() == 2 && loaded.at("a").to_vector<float>()[1] == 3 &&
        loaded.at("b").shape() == (mx::Shape{1, 2}));
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: test FOLDER (languages/data)\n");
    return 2;
  }
  data_folder = argv[1];
  arrays();
  gradients();
  errors();
  prediction();
  training();
  files();
  std::printf("%d checks\n", checks);
  return 0;
}
