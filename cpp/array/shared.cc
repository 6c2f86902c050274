#include "array/shared.h"

#include <vector>

#include "array/moves.h"
#include "base/error.h"
#include "device/copy.h"

namespace mixgrad {
namespace {

constexpr size_t kPieceAlignment = 64;

void check_movable(const Array& array) {
  if (!array.device().is_host()) {
    fail(Status::unsupported, "[share_memory] the array is on ", array.device().name(),
         "; expected one of the host, where processes can share memory");
  }
  if (array.chunk().exposed()) {
    fail(Status::unsupported, "[share_memory] the address of the array of shape ", array.shape(),
         " was given out (to NumPy, by DLPack), so its memory cannot move; expected an array of its own, "
         "such as copy()");
  }
}

// The chunk has the memory of `target` from then on, with its own values: for the tape that is no write.
void move_into(const Array& array, Chunk& target) {
  array.wait_to_write();
  Chunk& chunk = array.chunk();
  chunk.ensure_for_reading();
  copy_bytes(nullptr, target.data(), chunk.data(), chunk.bytes());
  chunk.take_block(target);
  chunk.set_shared();
  chunk.set_exposed();  // others write it without a task
  memory_moves.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void share_memory(Span<Array* const> arrays) {
  std::vector<const Array*> moving;  // one for each memory
  std::vector<size_t> places;
  size_t bytes = 0;
  for (const Array* array : arrays) {
    const Chunk& chunk = array->chunk();
    if (chunk.bytes() == 0 || is_shared(*array)) continue;
    check_movable(*array);
    bool listed = false;
    for (const Array* one : moving) listed = listed || &one->chunk() == &chunk;
    if (listed) continue;
    moving.push_back(array);
    places.push_back(bytes);
    bytes += (chunk.bytes() + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
  }
  if (moving.empty()) return;
  const auto segment = std::make_shared<storage::SharedSegmentHolder>(moving[0]->device(), bytes);
  for (size_t i = 0; i < moving.size(); ++i) {
    const Chunk& chunk = moving[i]->chunk();
    const auto target = Chunk::wrap(storage::piece_of(segment, chunk.device(), places[i], chunk.bytes()));
    move_into(*moving[i], *target);
  }
}

bool is_shared(const Array& array) {
  const Chunk& chunk = array.chunk();
  if (array.sparse() || chunk.bytes() == 0) return false;
  // Memory of other chunks is looked at only once it is there for good.
  return chunk.device().kind == DeviceKind::cpu_shared || (chunk.exposed() && shared_contains(chunk.data()));
}

SharedPlace place_in_shared_memory(const Array& array) {
  if (!is_shared(array)) {
    fail(Status::invalid_argument, "[shared_place] the array of shape ", array.shape(), " on ",
         array.device().name(), " is not in shared memory; share_memory_() moves it there");
  }
  array.wait_to_read();
  const SharedPlace place = shared_place(array.host_data());  // takes the memory
  array.chunk().set_shared();
  array.chunk().set_exposed();
  return place;
}

ArrayRef attach_shared(int fd, size_t offset, const Shape& shape, DType dtype, Device device) {
  check_extents(shape, size_of(dtype), "attach_shared");
  if (!device.is_host()) {
    fail(Status::unsupported, "[attach_shared] the device is ", device.name(), "; expected one of the host");
  }
  const size_t bytes = static_cast<size_t>(shape.size()) * size_of(dtype);
  if (bytes == 0) return Array::empty(shape, dtype, device);
  const auto segment = std::make_shared<storage::SharedSegmentHolder>(fd);
  const auto chunk = Chunk::wrap(storage::piece_of(segment, device, offset, bytes));
  chunk->set_exposed();
  return Array::make(chunk, 0, shape, dtype);
}

}  // namespace mixgrad
