#include "device/simulated.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fork_mutex.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace mixgrad {
namespace {

constexpr int kMostCards = 16;
// The address space of all cards: what the host is told lies in the first half, which nobody may touch, and the bytes at the same
// place of the second.
constexpr std::size_t kSpace = std::size_t{64} << 30;

#if defined(__linux__)

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMostAlignment = std::size_t{1} << 30;  // of what anybody asks for

class CardMemory {
 public:
  static CardMemory& get() {
    static auto* const memory = new CardMemory;
    return *memory;
  }

  bool present() const { return base_ != nullptr; }

  void* allocate(Device device, std::size_t bytes, std::size_t alignment, std::size_t most) {
    if (bytes == 0 || bytes > kSpace || alignment > kMostAlignment) return nullptr;
    alignment = std::max(alignment, kPage);
    bytes = (bytes + kPage - 1) / kPage * kPage;
    const std::lock_guard<std::mutex> lock(mutex_);
    std::size_t& used = used_[device.id];
    if (bytes > most || used > most - bytes) return nullptr;
    // The first gap that is large enough.
    std::size_t at = 0;
    for (const auto& [begin, held] : blocks_) {
      if (at + bytes <= begin) break;
      at = (begin + held.bytes + alignment - 1) / alignment * alignment;
    }
    if (at + bytes > kSpace) return nullptr;
    if (mprotect(real(at), bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
    blocks_.emplace(at, Held{bytes, device.id});
    used += bytes;
    return base_ + at;
  }

  void release(void* data) noexcept {
    const std::size_t at = static_cast<std::size_t>(static_cast<char*>(data) - base_);
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = blocks_.find(at);
    used_[found->second.card] -= found->second.bytes;
    madvise(real(at), found->second.bytes, MADV_DONTNEED);
    mprotect(real(at), found->second.bytes, PROT_NONE);
    blocks_.erase(found);
  }

  void* host_address(const void* data) const {
    char* const at = static_cast<char*>(const_cast<void*>(data));
    return base_ && at >= base_ && at < base_ + kSpace ? at + kSpace : at;
  }

 private:
  struct Held {
    std::size_t bytes;
    int card;
  };

  CardMemory() {
    void* const found = mmap(nullptr, 2 * kSpace + kMostAlignment, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) return;
    const std::size_t past = reinterpret_cast<std::uintptr_t>(found) % kMostAlignment;
    base_ = static_cast<char*>(found) + (kMostAlignment - past);
  }
  char* real(std::size_t at) const { return base_ + kSpace + at; }

  char* base_ = nullptr;
  std::mutex mutex_;
  std::map<std::size_t, Held> blocks_;
  std::map<int, std::size_t> used_;
};

#else

class CardMemory {
 public:
  static CardMemory& get() {
    static CardMemory memory;
    return memory;
  }
  bool present() const { return false; }
  void* allocate(Device, std::size_t, std::size_t, std::size_t) { return nullptr; }
  void release(void*) noexcept {}
  void* host_address(const void* data) const { return const_cast<void*>(data); }
};

#endif

std::atomic<std::size_t> card_bytes{0};
std::atomic<bool> cards_late{true};

// Work that a stream takes before the thread that gives it more has to wait, as for a GPU's.
constexpr std::size_t kMostAhead = 1024;

class Worker final : public SimulatedStream, ForkedAfresh {
 public:
  Worker(Device device, std::uint64_t seed)
      : SimulatedStream(device), ForkedAfresh(renew), random_(seed * 2 + 1) {
    add(this);
  }

  // Neither this nor a look at what is complete takes the lock, which a fork may find taken.
  Event mark() override { return {this, given_.load(std::memory_order_acquire)}; }

  void follow(const Event& event) override {
    if (event.stream == this || event.complete()) return;
    run([event] { event.wait(); });
  }

  bool complete(std::uint64_t number) const override {
    return done_.load(std::memory_order_acquire) >= number;
  }

  bool wait(std::uint64_t number, double limit_seconds) override {
    std::vector<std::function<void()>> over;  // destroyed after the lock
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    if (complete(number)) {
      if (lock.try_lock()) over.swap(over_);
      return true;
    }
    lock.lock();
    over.swap(over_);
    ++waiting_;
    changed_.notify_all();
    const auto reached = [&] { return complete(number); };
    bool done = true;
    if (limit_seconds < 0) {
      changed_.wait(lock, reached);
    } else {
      done = changed_.wait_for(lock, std::chrono::duration<double>(limit_seconds), reached);
    }
    --waiting_;
    return done;
  }

  void copy(void* dst, const void* src, std::size_t bytes, std::shared_ptr<const void> keep) override {
    run([=, keep = std::move(keep)] { std::memcpy(host_address(dst), host_address(src), bytes); });
  }
  void fill(void* dst, std::uint8_t value, std::size_t bytes) override {
    run([=] { std::memset(host_address(dst), value, bytes); });
  }

  void run(std::function<void()> work) override {
    std::vector<std::function<void()>> over;  // destroyed after the lock
    std::unique_lock<std::mutex> lock(mutex_);
    over.swap(over_);
    if (queue_.size() >= kMostAhead) {
      ++waiting_;
      changed_.wait(lock, [this] { return queue_.size() < kMostAhead; });
      --waiting_;
    }
    if (!thread_runs_) {
      std::thread([this] { this->work(); }).detach();
      thread_runs_ = true;
    }
    queue_.push_back(std::move(work));
    given_.fetch_add(1, std::memory_order_release);
    changed_.notify_all();
  }

 private:
  // A child has no such thread, and starts one when there is work. Forks wait for streams; where one could not, inside a task or
  // beyond its patience, the child gives up what was left, as it does with tasks. What that holds stays: its parts may be locked.
  static void renew(ForkedAfresh* self) {
    auto* const worker = static_cast<Worker*>(self);
    new (&worker->mutex_) std::mutex;
    new (&worker->changed_) std::condition_variable;
    new (&worker->queue_) std::list<std::function<void()>>;  // takes no memory, which a deque does
    new (&worker->over_) std::vector<std::function<void()>>;
    worker->waiting_ = 0;
    worker->thread_runs_ = false;
    worker->done_.store(worker->given_.load());
  }

  std::uint32_t random(std::uint32_t limit) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(random_ >> 33) % limit;
  }

  [[noreturn]] void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !queue_.empty(); });
      std::function<void()> next = std::move(queue_.front());
      queue_.pop_front();
      if (cards_late.load(std::memory_order_relaxed)) be_late(lock);
      lock.unlock();
      next();
      lock.lock();
      over_.push_back(std::move(next));
      done_.fetch_add(1, std::memory_order_release);
      changed_.notify_all();
    }
  }

  void be_late(std::unique_lock<std::mutex>& lock) {
    const std::uint32_t kind = random(256);
    if (kind == 0) {  // so late that it begins only when somebody waits
      changed_.wait_for(lock, std::chrono::milliseconds(3), [this] { return waiting_ > 0; });
    } else if (kind < 16) {
      const auto pause = std::chrono::microseconds(random(200));
      lock.unlock();
      std::this_thread::sleep_for(pause);
      lock.lock();
    } else if (kind < 64) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::function<void()>> queue_;
  // Work that is done. What it holds may wait for streams when it goes, so threads of the host destroy it.
  std::vector<std::function<void()>> over_;
  std::atomic<std::uint64_t> given_{0}, done_{0};
  int waiting_ = 0;
  bool thread_runs_ = false;
  std::uint64_t random_;
};

struct Card {
  SimulatedStream* compute = nullptr;
  SimulatedStream* copy = nullptr;
};

std::mutex cards_mutex;
Card cards_made[kMostCards];  // streams of cards that were there once stay
std::uint64_t cards_seed = 1;

class SimulatedApi final : public DeviceApi {
 public:
  void* allocate(Device device, std::size_t bytes, std::size_t alignment) override {
    return CardMemory::get().allocate(device, bytes, alignment, card_bytes.load(std::memory_order_relaxed));
  }
  void release(void* data, std::size_t) noexcept override { CardMemory::get().release(data); }
  Stream* stream(Device device, StreamKind kind) override {
    const std::lock_guard<std::mutex> lock(cards_mutex);
    Card& card = cards_made[device.id];
    SimulatedStream*& stream = kind == StreamKind::compute ? card.compute : card.copy;
    const std::uint64_t number = 2 * static_cast<std::uint64_t>(device.id) + (kind == StreamKind::copy);
    if (!stream) stream = new Worker(device, cards_seed + number);
    return stream;
  }
  std::size_t total_memory(Device) const override { return card_bytes.load(std::memory_order_relaxed); }
  bool fresh_is_zero() const override { return true; }
  bool poolable() const override { return true; }
};

}  // namespace

void simulate_cards(const SimulatedCards& cards) {
  if (cards.count < 0 || cards.count > kMostCards) {
    fail(Status::invalid_argument, "[simulate_cards] expects 0 to ", kMostCards, " cards, got ", cards.count);
  }
  if (!CardMemory::get().present()) {
    fail(Status::unsupported, "[simulate_cards] this system keeps no ", 2 * (kSpace >> 30),
         " GiB of addresses free for simulated cards");
  }
  Stream::wait_for_all(-1);
  const std::lock_guard<std::mutex> lock(cards_mutex);
  cards_seed = cards.seed;
  card_bytes.store(cards.memory);
  cards_late.store(cards.late);
  static auto* const api = new SimulatedApi;
  set_gpus(api, cards.count);
}

void* host_address(const void* data) { return CardMemory::get().host_address(data); }

}  // namespace mixgrad
