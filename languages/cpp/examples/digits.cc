// Trains a small network on the digits and tells what it learned.
// Build (from languages/cpp): see README.md. Usage: digits FOLDER (languages/data)
#include <cstdio>

#include "mixgrad.hpp"

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "../data";
  try {
    auto net = mx::Symbol::variable("data");
    net = mx::op::Convolution(net, mx::op::ConvolutionOptions().kernel({3, 3}).num_filter(16));
    net = mx::op::relu(net);
    net = mx::op::Pooling(net, mx::op::PoolingOptions().kernel({2, 2}).stride({2, 2}).pool_type("max"));
    net = mx::op::FullyConnected(net, mx::op::FullyConnectedOptions().num_hidden(10));
    net = mx::op::SoftmaxOutput(net, mx::op::SoftmaxOutputOptions().normalization("batch").name("softmax"));

    const int64_t batch = 50;
    auto executor = mx::Executor::simple_bind(net, {{"data", {batch, 1, 8, 8}}, {"softmax_label", {batch}}});
    const auto weights = executor.arg_dict(), gradients = executor.grad_dict();
    for (const auto& [name, gradient] : gradients) {
      mx::op::random_normal(mx::op::RandomNormalOptions().scale(0.1).shape(gradient.shape()))
          .copy_to(weights.at(name));
    }

    const auto digits = mx::load(folder + "/digits.params");
    const auto as_float = mx::op::CastOptions().dtype(mx::DType::float32);
    const auto images = mx::op::Cast(digits.at("images"), as_float) / 16;
    const auto labels = mx::op::Cast(digits.at("labels"), as_float);
    const mx::Operator update("sgd_update");
    for (int epoch = 1; epoch <= 5; ++epoch) {
      double right = 0;
      for (int64_t at = 0; at + batch <= images.shape()[0]; at += batch) {
        images.slice(at, at + batch).copy_to(weights.at("data"));
        labels.slice(at, at + batch).copy_to(weights.at("softmax_label"));
        executor.forward(true);
        executor.backward();
        for (const auto& [name, gradient] : gradients) {
          update.apply_to({weights.at(name), gradient}, {{"lr", 0.2}}, weights.at(name));
        }
        const auto guesses = mx::op::argmax(executor.outputs()[0], mx::op::ArgmaxOptions().axis(1));
        right += mx::op::sum(mx::op::broadcast_equal(guesses, labels.slice(at, at + batch))).scalar();
      }
      std::printf("epoch %d: %.1f%% of the digits named rightly before each step\n", epoch,
                  100 * right / 1750);
    }
  } catch (const mx::Error& error) {
    std::fprintf(stderr, "digits: %s\n", error.what());
    return 1;
  }
  return 0;
}
