// Which incarnation of a peer lives.
//
// Messages of a process that has ended may still be on their way when its successor speaks, so a number that was not seen
// before proves nothing. It is believed when it repeats a count that was chosen after it was first seen; the dead cannot.
// An incarnation that was believed and replaced is never believed again.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace mixgrad::kvstore::protocol {

class Acquaintance {
 public:
  uint64_t incarnation() const { return known_; }  // 0: nobody yet

  // A message of an incarnation that repeats our count `repeated`; `count` is what ours stands at. Returns whether it is the one
  // that lives, which may be news.
  bool meets(uint64_t incarnation, uint64_t repeated, uint64_t count) {
    if (incarnation == 0) return false;
    if (incarnation == known_) return true;
    for (const uint64_t old : replaced_) {
      if (old == incarnation) return false;
    }
    const auto [at, is_new] = seen_at_.emplace(incarnation, count);
    if (is_new && seen_at_.size() > kMaxCandidates) seen_at_.clear();
    if (is_new || repeated <= at->second) return false;
    if (known_ != 0) replaced_.push_back(known_);
    if (replaced_.size() > kMaxReplaced) replaced_.erase(replaced_.begin());
    known_ = incarnation;
    seen_at_.clear();
    return true;
  }

 private:
  static constexpr size_t kMaxCandidates = 64, kMaxReplaced = 256;
  uint64_t known_ = 0;
  std::map<uint64_t, uint64_t> seen_at_;  // candidates, and our count at first sight
  std::vector<uint64_t> replaced_;
};

}  // namespace mixgrad::kvstore::protocol
