#include "exec/imperative/device_launch.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "device/api.h"
#include "device/copy.h"
#include "device/simulated.h"
#include "engine/outcome.h"
#include "storage/block.h"

namespace mixgrad {
namespace {

// Working memory of the pool of a stream's device, which others get once the stream is past the call.
class PoolWorkspace final : public Workspace {
 public:
  explicit PoolWorkspace(Stream& stream) : stream_(stream) {}
  void* take(size_t bytes) override {
    taken_.push_back(storage::allocate(stream_.device(), bytes, &stream_));
    return taken_.back().data;
  }
  void give(void* data) noexcept override {
    for (storage::Block& block : taken_) {
      if (block.data != data) continue;
      const Event last = stream_.mark();
      return storage::release(std::exchange(block, storage::Block()), Span<const Event>(&last, 1));
    }
  }

 private:
  Stream& stream_;
  std::vector<storage::Block> taken_;
};

// A call with all that it needs later, in another thread.
struct LaterLaunch {
  LaterLaunch(Device device, const Launch& what, std::shared_ptr<const void> kept, Span<const View> in,
              Span<const View> out)
      : context{device},
        call(what),
        keep(std::move(kept)),
        num_inputs(in.size()),
        outcome(engine::outcome_of_task()) {
    call.context = &context;
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

  KernelContext context;
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
    return copy_bytes(&stream, out[0].data, in[0].data, out[0].bytes(), std::move(keep));
  }
  const Device device = stream.device();
  const Processor processor = processor_of(device);
  if (processor != Processor::host) {
    PoolWorkspace workspace(stream);
    const KernelContext context{device, processor, &stream, &workspace};
    Launch given = call;
    given.context = &context;
    return launch_kernel(given, in, out);
  }
  SimulatedStream* const simulated = stream.simulated();
  if (!simulated)
    fail(Status::internal, "[", call.op->name, "] ", device.name(), " has no kernels of its own");
  const auto later = std::make_shared<LaterLaunch>(device, call, std::move(keep), in, out);
  simulated->run([later] { later->run(); });
}

}  // namespace mixgrad
