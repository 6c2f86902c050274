// What the workers of a collective store say to each other. Written and read as the protocol's fields are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kvstore/protocol/fields.h"

namespace mixgrad::kvstore::collective {

constexpr uint16_t kHereKind = 110, kMembersKind = 111, kPartKind = 112, kAliveKind = 113, kLeftKind = 114,
                   kBrokenKind = 115, kSegmentKind = 116, kSeenKind = 117;

// "I am here", from a worker to worker 0, until it is told the members.
struct Here {
  uint32_t workers = 0;  // that it expects
  uint64_t incarnation = 0;
  std::string contact;
  template <class F>
  void fields(F& f) {
    f(workers, incarnation, contact);
  }
};

// In a payload: from worker 0 when all are there. `group` is random: whoever does not know it is no member.
struct Members {
  uint64_t group = 0;
  std::vector<std::string> contacts;  // by rank
  template <class F>
  void fields(F& f) {
    f(group, contacts);
  }
};

enum class Step : uint8_t { sum, reduce, broadcast, update, hand_over, gather };
const char* name_of(Step step);

// What every worker must say alike of the operation of one number.
struct About {
  Step step = Step::gather;
  std::string key;  // as messages call it
  uint8_t dtype = 0;
  uint64_t elements = 0;
  uint32_t root = 0;  // who gets a reduced sum, or has what others get
  uint32_t to = 0;    // who gets what is handed over
  template <class F>
  void fields(F& f) {
    f.choice(step, Step::gather);
    f(key, dtype, elements, root, to);
  }
  bool operator==(const About& other) const {
    return step == other.step && key == other.key && dtype == other.dtype && elements == other.elements &&
           root == other.root && to == other.to;
  }
  std::string str() const;  // "the sum of key 'w' (float32, 10 elements)"
};

// A piece of an operation's array, or of a sum that is not complete.
struct Part {
  uint64_t group = 0, number = 0;  // of the operation
  uint32_t piece = 0;
  bool is_final = false;    // on its second way around the ring
  bool is_in_slot = false;  // its bytes: else they are the payload
  uint32_t segment = 0, slot = 0;
  uint64_t bytes = 0;
  About about;
  template <class F>
  void fields(F& f) {
    f(group, number, piece, is_final, is_in_slot, segment, slot, bytes, about);
  }
};

// "My segment of this number is here", to a worker of the same machine, and whether that maps it.
struct NewSegment {
  uint64_t group = 0, mark = 0;
  uint32_t number = 0;
  std::string name;
  template <class F>
  void fields(F& f) {
    f(group, mark, number, name);
  }
};
struct SeenSegment {
  uint64_t group = 0;
  uint32_t number = 0;
  bool is_seen = false;
  template <class F>
  void fields(F& f) {
    f(group, number, is_seen);
  }
};

// After so many parts to the receiver.
struct Alive {
  uint64_t group = 0, sent = 0;
  template <class F>
  void fields(F& f) {
    f(group, sent);
  }
};
// It takes part in the operations below `next`, and in no more.
struct Left {
  uint64_t group = 0, next = 0;
  template <class F>
  void fields(F& f) {
    f(group, next);
  }
};
// Nothing can go on: also to one that nobody expects, with the group 0.
struct Broken {
  uint64_t group = 0;
  std::string why;
  template <class F>
  void fields(F& f) {
    f(group, why);
  }
};

}  // namespace mixgrad::kvstore::collective
