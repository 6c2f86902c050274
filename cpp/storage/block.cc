#include "storage/block.h"

#include <memory>

#include "base/error.h"
#include "storage/owned_block.h"
#include "storage/shared_block.h"

namespace mixgrad::storage {
namespace {

// Memory that someone else gives back.
class ExternalOwner : public BlockOwner {
 public:
  ExternalOwner(Device device, std::size_t bytes, std::function<void()> on_release,
                std::function<void()> on_forget)
      : device_(device),
        bytes_(static_cast<std::int64_t>(bytes)),
        on_release_(std::move(on_release)),
        on_forget_(std::move(on_forget)) {
    count_external(device_, bytes_);
  }
  ~ExternalOwner() override {
    count_external(device_, -bytes_);
    if (on_release_) on_release_();
  }
  void forget() override {
    if (on_forget_) on_forget_();
  }

 private:
  const Device device_;
  const std::int64_t bytes_;
  const std::function<void()> on_release_, on_forget_;
};

}  // namespace

void release_owned(const Block& block) noexcept { delete block.owner; }

Block wrap(Device device, void* data, std::size_t bytes, std::function<void()> on_release,
           std::function<void()> on_forget) {
  if (!data && bytes) fail(Status::invalid_argument, "[wrap] a null pointer for ", bytes, " bytes");
  return {data, bytes, bytes, device,
          new ExternalOwner(device, bytes, std::move(on_release), std::move(on_forget))};
}

std::string shared_name(const Block& block) {
  if (block.device.kind != DeviceKind::cpu_shared || !block.data) {
    fail(Status::invalid_argument, "[shared_name] ", block.bytes, " bytes on ", block.device.name(),
         " have no name; expected a block of at least one byte on cpu_shared");
  }
  return mixgrad::shared_name(block.data);
}

Block attach_shared(const std::string& name) {
  const auto segment = std::make_shared<SharedSegmentHolder>(name);
  return piece_of(segment, Device::cpu_shared(), 0, segment->bytes());
}

}  // namespace mixgrad::storage
