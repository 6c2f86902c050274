// What the steps of a log come to that a table wrote down as they were logged (Table::logged).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kvstore/protocol/ledger.h"
#include "kvstore/protocol/log.h"

namespace mixgrad::kvstore::protocol {

class Replay {
 public:
  // `ledger` is of the state that the first step follows, and is brought up to what is committed; `origin` of the last step in it, if
  // that is known.
  explicit Replay(Ledger& ledger, const Epoch& origin = {}) : ledger_(ledger), origin_(origin) {
    log_.reset(ledger.index);
  }

  // In the order in which they were written; one may come again. `apply` gets those that are committed, with the ledger before them.
  // Returns false for one that does not follow, or where `apply` does.
  template <class Apply>
  bool take(LogStep step, Apply&& apply) {
    const uint64_t index = step.entry.index, commit = std::min(step.entry.commit, index);
    if (index <= log_.applied()) return true;
    if (index > log_.tail() + 1) return false;
    const Epoch origin = step.entry.origin;
    if (log_.put(std::move(step))) origin_ = origin;
    while (log_.applied() < commit) {
      const LogStep& next = *log_.find(log_.applied() + 1);
      if (!apply(next)) return false;
      ledger_.note(next.entry);
      log_.applied_one();
      log_.trim(log_.applied());
    }
    return true;
  }

  // Of the last step that was logged.
  const Epoch& origin() const { return origin_; }
  // That are not known to be committed.
  std::vector<LogStep> rest() const {
    std::vector<LogStep> steps;
    for (uint64_t i = log_.applied() + 1; i <= log_.tail(); ++i) steps.push_back(*log_.find(i));
    return steps;
  }

 private:
  Ledger& ledger_;
  Log log_;
  Epoch origin_;
};

}  // namespace mixgrad::kvstore::protocol
