// One operation of all workers: what is sent for it, and what comes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "array/array.h"
#include "kvstore/collective/messages.h"
#include "net/message.h"

namespace mixgrad::kvstore::collective {

class Group;

// Called once, by any thread.
using Ended = std::function<void(Status, const std::string& message)>;

// Over when this worker has sent and got everything, and nobody reads its memory any more. Any thread may call.
class Operation {
 public:
  struct Given {
    uint64_t number = 0;  // Group::promise()
    About about;
    int priority = 0;
    std::vector<ArrayRef> held;  // whose memory it uses
    Ended ended;
  };
  Operation(std::shared_ptr<Group> group, Given given);
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  uint64_t number() const { return number_; }
  const About& about() const { return about_; }
  // Sends what can be sent at once. Once, before take().
  void begin();
  // A part that another worker sent, whose About is this one's.
  void take(uint32_t from, const Part& part, net::Payload payload);
  void fail(Status status, const std::string& message);
  bool is_over();
  // From whom something is missing.
  std::vector<uint32_t> awaited();

 protected:
  // These three run one at a time. The first two return whether all is there and sent.
  virtual bool do_begin() = 0;
  // Clears `fits` for what no worker sends.
  virtual bool do_take(uint32_t from, const Part& part, net::Payload payload, bool* fits) = 0;
  virtual std::vector<uint32_t> do_awaited() = 0;

  uint32_t rank() const;
  uint32_t size() const;
  uint32_t window() const;
  DType dtype() const { return static_cast<DType>(about_.dtype); }
  uint32_t pieces() const { return pieces_; }
  uint64_t first_of(uint32_t piece) const { return uint64_t{piece} * piece_elements_; }
  uint64_t count_of(uint32_t piece) const {
    return std::min<uint64_t>(piece_elements_, about_.elements - first_of(piece));
  }
  const char* at(const void* data, uint32_t piece) const {
    return static_cast<const char*>(data) + first_of(piece) * size_of(dtype());
  }
  char* at(void* data, uint32_t piece) const {
    return static_cast<char*>(data) + first_of(piece) * size_of(dtype());
  }
  // Bytes of the operation's memory, which stay as they are until they have left.
  net::Payload lent(const void* data, size_t bytes) const;
  net::Payload lent_piece(const void* data, uint32_t piece) const {
    return lent(at(data, piece), count_of(piece) * size_of(dtype()));
  }
  void send(uint32_t to, uint32_t piece, bool is_final, net::Payload payload) const;

 private:
  class Ending;
  void finish(std::unique_lock<std::mutex>& lock, bool is_over);

  const std::shared_ptr<Group> group_;
  const uint64_t number_;
  const About about_;
  const int priority_;
  uint64_t piece_elements_ = 1;
  uint32_t pieces_ = 1;
  std::mutex mutex_;
  std::shared_ptr<Ending> ending_;  // shared by payloads; null when this worker's part is over
};

// The sum of all workers' arrays, in the order of their ranks. Both arrays have about.elements, and `out` is not `own`.
std::shared_ptr<Operation> make_sum(std::shared_ptr<Group> group, Operation::Given given, const void* own,
                                    void* out);
// The same in the worker `about.root` alone; the others have no `out`.
std::shared_ptr<Operation> make_reduce(std::shared_ptr<Group> group, Operation::Given given, const void* own,
                                       void* out);
// The array of `about.root`, which is read there, and written elsewhere: in `about.to` alone where the step is hand_over.
std::shared_ptr<Operation> make_broadcast(std::shared_ptr<Group> group, Operation::Given given, void* data);
// Everybody's bytes, at most kMaxGathered, by rank; they are valid once it has ended.
constexpr size_t kMaxGathered = 4096;
std::shared_ptr<Operation> make_gather(std::shared_ptr<Group> group, Operation::Given given,
                                       const std::string& own, std::shared_ptr<std::vector<std::string>> all);

}  // namespace mixgrad::kvstore::collective
