// Memory of cards goes from one use to the next in the order of streams.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "check.h"
#include "device/simulated.h"
#include "storage/block.h"
#include "storage/statistics.h"

namespace {

using namespace mixgrad;

constexpr std::size_t kBytes = 64 << 10;

struct Card {
  explicit Card(std::size_t memory = std::size_t{64} << 20) {
    SimulatedCards cards;
    cards.memory = memory;
    simulate_cards(cards);
    compute = stream(StreamKind::compute);
    copy = stream(StreamKind::copy);
  }
  ~Card() {
    Stream::wait_for_all(-1);
    storage::trim(device, 0);
    SimulatedCards none;
    none.count = 0;
    simulate_cards(none);
  }
  SimulatedStream* stream(StreamKind kind) {
    return static_cast<SimulatedStream*>(device_api(device).stream(device, kind));
  }
  // A block that `stream` uses until it is let go on.
  storage::Block held(SimulatedStream* stream) {
    const storage::Block block = storage::allocate(device, kBytes, stream);
    stream->run([this] {
      while (!go) std::this_thread::sleep_for(std::chrono::microseconds(50));
    });
    return block;
  }
  void release(const storage::Block& block, Stream* stream) {
    const Event events[] = {stream->mark()};
    storage::release(block, events);
  }

  const Device device = Device::gpu(0);
  SimulatedStream *compute, *copy;
  std::atomic<bool> go{false};
};

}  // namespace

TEST(storage_stream_reuses_on_the_same_stream_only) {
  Card card;
  const storage::Block first = card.held(card.compute);
  card.release(first, card.compute);
  const storage::Block other = storage::allocate(card.device, kBytes, card.copy);
  CHECK(other.data != first.data);
  const storage::Block none = storage::allocate(card.device, kBytes);
  CHECK(none.data != first.data && none.data != other.data);
  const storage::Block same = storage::allocate(card.device, kBytes, card.compute);
  CHECK_EQ(same.data, first.data);
  card.release(same, card.compute);
  card.go = true;
  Stream::wait_for_all(-1);
  const storage::Block later = storage::allocate(card.device, kBytes, card.copy);
  CHECK_EQ(later.data, first.data);
  for (const storage::Block& block : {other, none, later}) storage::release(block);
  CHECK_EQ(storage::memory_info(card.device).in_use, std::size_t{0});
}

TEST(storage_stream_waits_before_it_gives_up) {
  Card card(std::size_t{24} << 20);
  std::vector<storage::Block> blocks;
  const std::size_t large = std::size_t{5} << 20;
  for (int i = 0; i < 4; ++i) blocks.push_back(storage::allocate(card.device, large, card.compute));
  CHECK_THROWS(storage::allocate(card.device, large, card.copy), out_of_memory, "gpu(0)");
  card.compute->run([&card] {
    while (!card.go) std::this_thread::sleep_for(std::chrono::microseconds(50));
  });
  card.release(blocks.back(), card.compute);
  blocks.pop_back();
  std::thread later([&card] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    card.go = true;
  });
  blocks.push_back(storage::allocate(card.device, large, card.copy));  // waits for the stream
  CHECK(card.go.load());
  later.join();
  for (const storage::Block& block : blocks) storage::release(block);
}

TEST(storage_stream_small_blocks_and_host_blocks) {
  Card card;
  const storage::Block small = storage::allocate(card.device, 10, card.compute);
  CHECK(small.capacity >= 10 && host_address(small.data) != small.data);
  card.release(small, card.compute);
  const storage::Block host = storage::allocate(Device::cpu(), kBytes);
  card.compute->run([&card, &host] {
    while (!card.go) std::this_thread::sleep_for(std::chrono::microseconds(50));
    static_cast<char*>(host.data)[0] = 1;
  });
  std::thread later([&card] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    card.go = true;
  });
  card.release(host, card.compute);  // pools of the host know no streams: this waits
  CHECK(card.go.load());
  later.join();
}
