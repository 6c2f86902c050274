// What the scheduler decides, and everybody else follows: who takes part, and which servers hold which slot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kvstore/protocol/node.h"
#include "kvstore/protocol/value.h"

namespace mixgrad::kvstore::protocol {

// Orders views. Two schedulers, of which one died, may give one number; never both numbers.
struct Epoch {
  uint64_t number = 0;  // 0: no view yet
  uint64_t scheduler = 0;

  bool operator==(const Epoch& other) const { return number == other.number && scheduler == other.scheduler; }
  bool operator!=(const Epoch& other) const { return !(*this == other); }
  bool operator<(const Epoch& other) const {
    return number != other.number ? number < other.number : scheduler < other.scheduler;
  }
  template <class F>
  void fields(F& f) {
    f(number, scheduler);
  }
};

// Whose updates make a round. The same for all workers of a store.
enum class Policy : uint8_t {
  wait = 0,   // everyone's; the dead are waited for
  drop = 1,   // everyone's but those of workers that are dead
  first = 2,  // the first `count`; later ones are dropped and counted
  async = 3,  // no rounds: each update by itself
};
struct Rounds {
  Policy policy = Policy::wait;
  uint32_t count = 0;

  bool operator==(const Rounds& other) const { return policy == other.policy && count == other.count; }
  std::string str() const;
  template <class F>
  void fields(F& f) {
    f.choice(policy, Policy::async);
    f(count);
  }
};

// The round from which a worker that has not joined yet is waited for.
constexpr uint64_t kNotYet = UINT64_MAX;

// A process that takes part. The incarnation is drawn at random when it starts.
struct Participant {
  uint32_t number = 0;
  uint64_t incarnation = 0;
  uint64_t from = 0;    // workers: the first round that waits for it
  bool live = true;     // whether the scheduler hears of it
  uint64_t disk = 0;    // servers: the number of what it writes everything down on; 0: it does not
  std::string contact;  // address and key, as the store writes them

  bool operator==(const Participant& other) const {
    return number == other.number && incarnation == other.incarnation && from == other.from &&
           live == other.live && disk == other.disk && contact == other.contact;
  }
  template <class F>
  void fields(F& f) {
    f(number, incarnation, from, live, disk, contact);
  }
};

// Which servers hold a slot. An update counts when all of `full` have it.
struct Placement {
  std::vector<uint32_t> full;     // the first is the primary
  std::vector<uint32_t> filling;  // get the state from the primary
  bool lost = false;              // every server that held it ended

  bool operator==(const Placement& other) const {
    return full == other.full && filling == other.filling && lost == other.lost;
  }
  template <class F>
  void fields(F& f) {
    f(full, filling, lost);
  }
};

struct View {
  Epoch epoch;
  Rounds rounds;
  uint32_t replicas = 2;
  uint64_t barriers = 0;                      // passed so far
  bool ended = false;                         // all workers left
  std::vector<Participant> servers, workers;  // by number
  std::vector<Placement> slots;

  const Participant* server(uint32_t number) const { return find(servers, number); }
  const Participant* worker(uint32_t rank) const { return find(workers, rank); }
  const Participant* participant(NodeId id) const {
    return id.role == Role::server   ? server(id.number)
           : id.role == Role::worker ? worker(id.number)
                                     : nullptr;
  }
  // Null where a slot has none.
  const uint32_t* primary(uint32_t slot) const {
    return slot < slots.size() && !slots[slot].full.empty() ? slots[slot].full.data() : nullptr;
  }
  uint32_t slot_of(PieceId piece) const;
  // Ordered lists, servers that exist, at most kMaxSlots slots: what decode() cannot know.
  bool is_sound() const;
  // But for the epoch.
  bool same_as(const View& other) const;

  template <class F>
  void fields(F& f) {
    f(epoch, rounds, replicas, barriers, ended, servers, workers, slots);
  }

 private:
  static const Participant* find(const std::vector<Participant>& list, uint32_t number);
};

constexpr size_t kMaxSlots = 4096;
constexpr size_t kMaxContactBytes = 512;
constexpr size_t kMaxViewBytes = size_t{8} << 20;

// Scrambles bits; the same on every machine.
uint64_t mixed(uint64_t bits);

}  // namespace mixgrad::kvstore::protocol
