// Operations that tasks of the engine begin.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "engine/engine.h"
#include "kvstore/collective/group.h"
#include "net/own_process.h"

namespace mixgrad::kvstore::collective {

// Of an operation that a task begins: where that never happens, the others are told.
class Promise {
 public:
  Promise(std::shared_ptr<Group> group, const About& about, uint64_t number)
      : group_(std::move(group)), what_(about.str()), number_(number) {}
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  ~Promise();
  void keep() { is_kept_ = true; }

 private:
  const net::OwnProcess process_;
  const std::shared_ptr<Group> group_;
  const std::string what_;
  const uint64_t number_;
  bool is_kept_ = false;
};

// An operation that this worker promised: it must begin, or everybody is told.
struct Promised {
  About about;
  uint64_t number;
  std::shared_ptr<Promise> promise;
};
// With the group's next number.
Promised promised(const std::shared_ptr<Group>& group, const About& about);

// Of a task that ends when ending_task() says so.
engine::TaskInfo deferred_task(const char* name, int priority);
// Ends the task whose body calls it.
Ended ending_task(const char* function, const std::string& key);

}  // namespace mixgrad::kvstore::collective
