#include "exec/imperative/device_launch.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "device/simulated.h"
#include "engine/outcome.h"

namespace mixgrad {
namespace {

// A call with all that it needs later, in another thread.
struct LaterLaunch {
  LaterLaunch(const Launch& what, std::shared_ptr<const void> kept, Span<const View> in, Span<const View> out)
      : call(what), keep(std::move(kept)), num_inputs(in.size()), outcome(engine::outcome_of_task()) {
    shapes.reserve(in.size() + out.size());  // views point at them
    for (const Span<const View>& operands : {in, out}) {
      for (View view : operands) {
        view.data = view.data ? host_address(view.data) : nullptr;
        if (view.shape_ref) {
          shapes.push_back(*view.shape_ref);
          view.shape_ref = &shapes.back();
        }
        views.push_back(view);
      }
    }
  }
  void run() const {
    const Span<const View> all(views.data(), views.size());
    outcome->run(call.op->name.c_str(), [&] {
      launch(call, all.subspan(0, num_inputs), all.subspan(num_inputs, views.size() - num_inputs));
    });
  }

  Launch call;
  std::shared_ptr<const void> keep;
  size_t num_inputs;
  std::vector<View> views;
  std::vector<Shape> shapes;
  Ref<engine::Outcome> outcome;
};

}  // namespace

void launch_on(Stream& stream, const Launch& call, std::shared_ptr<const void> keep, Span<const View> in,
               Span<const View> out) {
  if (call.op->across_devices && in[0].dtype == out[0].dtype && !call.backward) {
    if (out[0].bytes() > 0) stream.copy(out[0].data, in[0].data, out[0].bytes(), std::move(keep));
    return;
  }
  SimulatedStream* const simulated = stream.simulated();
  if (!simulated) {
    fail(Status::unsupported, "[", call.op->name, "] has no kernel for ", stream.device().name());
  }
  const auto later = std::make_shared<LaterLaunch>(call, std::move(keep), in, out);
  simulated->run([later] { later->run(); });
}

}  // namespace mixgrad
