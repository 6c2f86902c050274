#include "storage/guard.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/fresh_memory.h"
#include "storage/poison.h"

namespace mixgrad::storage {
namespace {

constexpr int kGuardByte = 0xA5;

// The first block found damaged since the last question.
struct GuardReport {
  std::mutex mutex;
  std::size_t bytes = 0;
  const char* where = nullptr;  // null: none
};

GuardReport guard_report;

bool guard_is_whole(const char* guard) {
  return std::all_of(guard, guard + kGuardBytes, [](char c) { return c == static_cast<char>(kGuardByte); });
}

// Holds the whole block, guards included, which the pool thinks of as one.
class GuardedOwner : public BlockOwner {
 public:
  GuardedOwner(Buffer whole, std::size_t bytes)
      : bytes_(bytes), whole_(std::move(whole)), front_(static_cast<char*>(whole_.data())) {
    std::memset(front_, kGuardByte, kGuardBytes);
    std::memset(back(), kGuardByte, kGuardBytes);
    poison(front_, kGuardBytes);
    poison(back(), kGuardBytes);
  }
  ~GuardedOwner() override {
    unpoison(front_, whole_.bytes());
    const char* where = !guard_is_whole(front_) ? "before" : !guard_is_whole(back()) ? "behind" : nullptr;
    if (!where) return;
    const std::lock_guard<std::mutex> lock(guard_report.mutex);
    if (!guard_report.where) guard_report.where = where, guard_report.bytes = bytes_;
  }
  char* data() const { return front_ + kGuardBytes; }

 private:
  char* back() const { return data() + bytes_; }

  const std::size_t bytes_;
  const Buffer whole_;
  char* const front_;
};

}  // namespace

void fill_new(int byte) {
  if (byte < -1 || byte > 255)
    fail(Status::invalid_argument, "[storage] a byte is 0 to 255, or -1 for none; got ", byte);
  fresh_byte.store(byte, std::memory_order_relaxed);
}

void check_guards() {
  const std::lock_guard<std::mutex> lock(guard_report.mutex);
  const char* where = guard_report.where;
  guard_report.where = nullptr;
  if (where)
    fail(Status::internal, "[storage] memory ", where, " a block of ", guard_report.bytes,
         " bytes was written");
}

Block guard_block(Buffer whole, std::size_t bytes) {
  const Device device = whole.block().device;
  auto* const owner = new GuardedOwner(std::move(whole), bytes);
  fill_fresh(owner->data(), bytes);
  return {owner->data(), bytes, bytes, device, owner};
}

}  // namespace mixgrad::storage
