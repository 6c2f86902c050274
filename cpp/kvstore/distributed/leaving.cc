#include "kvstore/distributed/leaving.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/warning.h"
#include "kvstore/distributed/machines.h"
#include "net/own_process.h"

#if defined(__GLIBC__)
#include <unistd.h>
#endif

namespace mixgrad::kvstore {

void leave_now(Driver& driver) {
  constexpr int kLeaveSeconds = 20;
  const auto is_over = std::make_shared<std::atomic<bool>>(false);
  driver.call([&](Machine& machine, protocol::Time now, protocol::Actions& actions) {
    protocol::Worker& worker = static_cast<WorkerMachine&>(machine).get();
    driver.expect(worker.leave(now, actions), [is_over](protocol::Outcome&) { *is_over = true; });
  });
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(kLeaveSeconds);
  while (!*is_over) {
    if (driver.wait(0.02) != Driver::End::none) return;  // the last one ends the store
    if (std::chrono::steady_clock::now() < limit) continue;
    warn(text("[kvstore] the scheduler has not answered in ", kLeaveSeconds,
              " s that this worker leaves: others may wait for it"));
    return;
  }
}

#if defined(__GLIBC__)
namespace {

// What is to be done at the end, of this process and of its parents before they forked: those entries are theirs. Never destroyed,
// because static objects end in an order of their own.
struct ExitWork {
  struct Entry {
    net::OwnProcess process;
    std::shared_ptr<Driver> driver;  // null: a failure
  };
  std::mutex mutex;
  bool is_registered = false;
  std::vector<std::unique_ptr<Entry>> entries;
};

ExitWork& exit_work() {
  static ExitWork* const work = new ExitWork;
  return *work;
}

void work_at_exit(int code, void*) {
  std::vector<std::unique_ptr<ExitWork::Entry>> entries;
  {
    const std::lock_guard<std::mutex> lock(exit_work().mutex);
    entries.swap(exit_work().entries);
  }
  bool failed = false;
  for (const auto& entry : entries) failed |= entry->process.here() && !entry->driver;
  for (auto& entry : entries) {
    if (!entry->process.here()) {
      static_cast<void>(entry.release());  // its threads are the parent's
      continue;
    }
    if (!entry->driver) continue;
    try {
      if (code == 0 && !failed) leave_now(*entry->driver);
      entry->driver.reset();
    } catch (const std::exception& error) {
      warn(error.what());
    }
  }
  if (!failed || code != 0) return;
  std::fflush(nullptr);
  _exit(1);
}

void add_exit_work(std::shared_ptr<Driver> driver) {
  const std::lock_guard<std::mutex> lock(exit_work().mutex);
  if (!exit_work().is_registered && on_exit(&work_at_exit, nullptr) != 0)
    fail(Status::out_of_memory, "[kvstore] the C library takes no exit handler");
  exit_work().is_registered = true;
  auto entry = std::make_unique<ExitWork::Entry>();
  entry->driver = std::move(driver);
  exit_work().entries.push_back(std::move(entry));
}

}  // namespace

void leave_at_exit(std::shared_ptr<Driver> driver) { add_exit_work(std::move(driver)); }
void fail_at_exit() { add_exit_work(nullptr); }
#else
void leave_at_exit(std::shared_ptr<Driver> driver) { leave_now(*driver); }
void fail_at_exit() {}
#endif

}  // namespace mixgrad::kvstore
