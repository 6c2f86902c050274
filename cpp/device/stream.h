// Work of one device that runs beside the host, in the order in which it was given.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/device.h"

namespace mixgrad {

class SimulatedStream;
class Stream;

// A place in the work of a stream: complete once everything before it is. Without a stream it is complete.
struct Event {
  Stream* stream = nullptr;
  std::uint64_t number = 0;

  bool complete() const;
  // Returns once it is, or after that many seconds (below 0: no limit). True when it is.
  bool wait(double limit_seconds = -1) const;
};

// Lives until the process ends. Any thread may call any member; what two threads give at the same time is done in either order.
class Stream {
 public:
  explicit Stream(Device device) : device_(device) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Device device() const { return device_; }

  // The place behind all work given so far.
  virtual Event mark() = 0;
  // Work given from now on begins once `event`, of any stream, is complete. The host does not wait.
  virtual void follow(const Event& event) = 0;
  virtual bool complete(std::uint64_t number) const = 0;
  virtual bool wait(std::uint64_t number, double limit_seconds) = 0;

  // Bytes between memory of this device, of another of its kind, and of the host, as soon as the stream comes to it. The ranges
  // do not overlap and stay as they are until then; `keep` may own them.
  virtual void copy(void* dst, const void* src, std::size_t bytes, std::shared_ptr<const void> keep = {}) = 0;
  // Sets every byte to `value`.
  virtual void fill(void* dst, std::uint8_t value, std::size_t bytes) = 0;

  // Of a simulated card, else null.
  virtual SimulatedStream* simulated() { return nullptr; }

  // Whether there is a stream in this process.
  static bool any() { return last_.load(std::memory_order_acquire) != nullptr; }
  // Waits for the work of all streams of the process, at most that long in all (below 0: no limit). True when it is done.
  static bool wait_for_all(double limit_seconds);

 protected:
  ~Stream() = default;
  // Makes a whole stream one of the process.
  static void add(Stream* stream);

 private:
  const Device device_;
  Stream* next_ = nullptr;  // all of the process, the last made first
  inline static std::atomic<Stream*> last_{nullptr};
};

inline bool Event::complete() const { return !stream || stream->complete(number); }
inline bool Event::wait(double limit_seconds) const { return !stream || stream->wait(number, limit_seconds); }

}  // namespace mixgrad
