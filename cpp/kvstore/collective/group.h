// The workers of a collective store: who they are, what is on its way between them, and whether they live.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kvstore/collective/messages.h"
#include "kvstore/collective/operation.h"
#include "kvstore/collective/slots.h"
#include "kvstore/distributed/driver.h"
#include "kvstore/distributed/key_ring.h"
#include "net/own_process.h"
#include "net/transport.h"

namespace mixgrad::kvstore::collective {

struct GroupSettings {
  uint32_t rank = 0, size = 1;
  net::Address meeting;  // where worker 0 listens
  std::string host;      // ... and the others, at any port
  KeyRing keys;
  double start_limit = 600;        // seconds until everybody is there
  double wait_limit = 600;         // ... that an operation may take
  double silence_limit = 10;       // ... after which a worker that is not heard counts as dead
  size_t piece_bytes = 256 << 10;  // of an array, in a message
  size_t direct_bytes = 64 << 10;  // that more than two workers send from everybody to everybody
  uint32_t window = 8;  // pieces of an operation on their way to a worker: what is sent lies in a cache
  // Between workers of one machine larger parts go through memory that both map.
  size_t message_bytes = 4096;
  size_t segment_bytes = 16 << 20, segments = 16;
};

// Operations have numbers, in the order of the program, which is the same in all workers; they may begin and end in any order. Where
// one worker cannot go on nobody can: then every operation, of every worker, fails with one message, which says what went wrong where.
// Not to be destroyed by a forked child, which has no part in its parent's.
class Group : public std::enable_shared_from_this<Group> {
 public:
  // Blocks until all workers are there. Throws Status::io naming those that are not, Status::stopped when interrupted, and what the
  // others say.
  static std::shared_ptr<Group> join(const GroupSettings& settings, const OpenTransport& open,
                                     bool (*interrupted)());
  ~Group();

  uint32_t rank() const { return settings_.rank; }
  uint32_t size() const { return settings_.size; }
  const GroupSettings& settings() const { return settings_; }

  // The number of an operation that this worker will begin; in the program's order.
  uint64_t promise(const About& about);
  // The first of so many numbers. `own`: which of them, from 0, this worker will begin.
  uint64_t promise(size_t count, const std::vector<std::pair<uint32_t, About>>& own);
  void begin(const std::shared_ptr<Operation>& operation);
  // Everything, here and elsewhere, but what failed before. `why` names this worker or another one.
  void fail(const std::string& why);
  // Why nothing can go on, or empty.
  std::string failure();

  // Blocks until all operations that this worker promised are over, or nothing can go on. False when it was interrupted.
  bool wait_for_all_operations(bool (*interrupted)());
  // Nothing more comes from this worker. What it began goes on at the others if all its operations are over; else it fails. Blocks for
  // what still has to leave.
  void leave();

  // Of operations.
  void send_part(uint32_t to, Part part, net::Payload payload, int priority);
  void end(uint64_t number);

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    std::string contact;
    uint64_t incarnation = 0;         // that worker 0 knows
    uint64_t sent = 0, received = 0;  // parts
    Clock::time_point heard;
    bool has_left = false;
    uint64_t next = 0;                               // of one that has left: it takes no part from here on
    bool is_here = false;                            // may see memory of this process
    bool is_asked = false;                           // whether it sees one more segment
    size_t seen = 0;                                 // segments of this worker that it sees
    std::vector<std::shared_ptr<Segment>> segments;  // of its own
  };
  struct Running {
    std::shared_ptr<Operation> operation;
    Clock::time_point since;
  };
  class Busy;
  struct Early {
    uint32_t from;
    Part part;
    net::Payload payload;
  };

  explicit Group(const GroupSettings& settings)
      : settings_(settings),
        peers_(settings.size),
        slots_(settings.segment_bytes, settings.piece_bytes, settings.segments, incarnation_) {}
  void open_transport(const OpenTransport& open);
  void wait_for_all(bool (*interrupted)());
  void receive(const net::NodeName& name, net::Message message);
  void take_here(const net::NodeName& name, uint32_t from, const Here& here);
  void refuse(const net::NodeName& name, const Here& here, const std::string& why);
  void tell_members(uint32_t from);
  void take_members(const Members& members);
  void take(uint32_t from, net::Message message);
  void take_part(uint32_t from, Part part, net::Payload payload);
  void take_segment(uint32_t from, const NewSegment& in);
  bool put_in_slot(uint32_t to, const net::Payload& payload, SlotPlace* place);
  std::string wrong_with(uint32_t from, const Part& part, const About& own) const;
  void meet(uint32_t worker, const std::string& contact);
  template <class T>
  void send(uint32_t to, uint16_t kind, const T& fields, int priority) {
    net::Message message;
    message.kind = kind;
    message.priority = priority;
    message.fields = protocol::encoded(fields);
    send_message(to, std::move(message));
  }
  void send_message(uint32_t to, net::Message message);
  void send_members(uint32_t to);
  void fail_here(const std::string& why, bool tell);
  void watch();
  std::string look_after(Clock::time_point now);

  const net::OwnProcess process_;
  const GroupSettings settings_;
  uint64_t incarnation_ = new_incarnation();

  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t group_ = 0;  // 0 until all are there
  std::vector<Peer> peers_;
  std::vector<std::pair<uint32_t, net::Message>> before_;  // what came before this worker knew the members
  std::map<uint64_t, About> promised_;                     // not begun
  std::map<uint64_t, Running> running_;
  std::map<uint64_t, std::vector<Early>> early_;  // of operations that this worker has not begun
  uint64_t next_ = 1;
  std::string failure_;
  bool has_left_ = false, stopping_ = false;
  int busy_ = 0;                    // threads that begin an operation or tell the others of a failure
  std::condition_variable calmer_;  // less is promised, or fewer are busy
  Slots slots_;

  std::mutex send_mutex_;  // counts and sends in one order; after mutex_
  std::unique_ptr<net::Transport> transport_;
  std::thread watcher_;
};

}  // namespace mixgrad::kvstore::collective
