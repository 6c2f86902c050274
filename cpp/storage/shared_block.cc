#include "storage/shared_block.h"

#include "base/error.h"
#include "storage/owned_block.h"

namespace mixgrad::storage {
namespace {

class PieceOwner : public BlockOwner {
 public:
  PieceOwner(std::shared_ptr<SharedSegmentHolder> segment, Device device, std::size_t bytes)
      : segment_(std::move(segment)), device_(device), bytes_(static_cast<std::int64_t>(bytes)) {
    count_external(device_, bytes_);
  }
  ~PieceOwner() override { count_external(device_, -bytes_); }

 private:
  const std::shared_ptr<SharedSegmentHolder> segment_;
  const Device device_;
  const std::int64_t bytes_;
};

}  // namespace

SharedSegmentHolder::SharedSegmentHolder(Device device, std::size_t bytes)
    : start_(shared_create(bytes)), bytes_(bytes) {
  if (!start_) {
    fail(Status::out_of_memory, "[storage] ", device.name(), " has no room for ", bytes,
         " bytes of shared memory: the system refused");
  }
}

SharedSegmentHolder::SharedSegmentHolder(int fd)
    : start_(shared_attach(fd)), bytes_(shared_place(start_).bytes) {}

SharedSegmentHolder::SharedSegmentHolder(const std::string& name)
    : start_(shared_attach(name)), bytes_(shared_place(start_).bytes) {}

SharedSegmentHolder::~SharedSegmentHolder() { shared_release(start_); }

Block piece_of(const std::shared_ptr<SharedSegmentHolder>& segment, Device device, std::size_t offset,
               std::size_t bytes) {
  if (offset > segment->bytes() || bytes > segment->bytes() - offset) {
    fail(Status::invalid_argument, "[attach_shared] ", bytes, " bytes from ", offset,
         " on are wanted of a segment of ", segment->bytes());
  }
  return {segment->start() + offset, bytes, bytes, device, new PieceOwner(segment, device, bytes)};
}

}  // namespace mixgrad::storage
