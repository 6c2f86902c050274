// Random calls of operators, eager and planned, with gradients, in fresh memory of two patterns: each gives an error of the
// library's form or results that do not depend on the pattern.
//
//   random_calls CASES [calls] [seed] [first] [show]
//
// CASES is what operator_cases.py writes. A process of its own makes the calls; when one ends it or takes longer than
// kMostSeconds, that is a finding, and the next process goes on behind it. Findings are printed with the number of the call,
// which alone is made again by `random_calls CASES 1 SEED NUMBER show`.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/error.h"
#include "outcome.h"
#include "storage/guard.h"
#include "storage/statistics.h"

using namespace mixgrad;
using namespace operators;

namespace {

constexpr int kPatterns[] = {0xDB, 0x7F};
constexpr std::size_t kMostMemory = std::size_t{96} << 20;
constexpr time_t kMostSeconds = 20;

// What the calling process tells the one that watches it.
struct Shared {
  std::atomic<uint64_t> number;  // of the call that runs
  std::atomic<uint64_t> succeeded, refused, findings;
  char call[2000];
};

void report(Shared& shared, const char* how, const std::string& what) {
  ++shared.findings;
  std::printf("FOUND %s, call %llu, %s: %s\n", how, static_cast<unsigned long long>(shared.number.load()),
              shared.call, what.c_str());
  std::fflush(stdout);
}

void try_call(Shared& shared, const Call& call, bool show) {
  struct Way {
    const char* name;
    Outcome (*run)(const Call&, int);
  };
  for (const Way way : {Way{"eager", run_eager}, Way{"executor", run_executor}}) {
    const Outcome first = way.run(call, kPatterns[0]);
    const Outcome second = way.run(call, kPatterns[1]);
    ++(first.error.empty() ? shared.succeeded : shared.refused);
    if (show) std::printf("%s: %zu values, %s\n", way.name, first.values.size(), first.error.c_str());
    if (!first.ours) report(shared, way.name, "an error of a foreign form: " + first.error);
    const std::string differs = difference(first, second);
    if (!differs.empty()) report(shared, way.name, differs);
    try {
      storage::check_guards();
    } catch (const Error& error) {
      report(shared, way.name, error.message());
    }
  }
}

[[noreturn]] void make_calls(Shared& shared, const char* cases, uint64_t seed, uint64_t end, bool show) {
  const std::vector<Call> known = read_calls(cases);
  storage::Limits limits = storage::limits(Device());
  limits.total_bytes = kMostMemory;
  storage::set_limits(Device(), limits);
  for (; shared.number < end; ++shared.number) {
    const Call call = make_call(known, seed, shared.number);
    std::snprintf(shared.call, sizeof shared.call, "%s", call.str().c_str());
    if (show) std::printf("%s\n", shared.call);
    try_call(shared, call, show);
  }
  std::fflush(stdout);
  _exit(0);  // the statics that a normal end destroys are other tests' matter
}

// Waits for the child; false when it was stopped for taking too long over one call.
bool wait_for(pid_t child, Shared& shared, int* status) {
  uint64_t number = shared.number;
  time_t since = time(nullptr);
  while (waitpid(child, status, WNOHANG) == 0) {
    usleep(20000);
    if (shared.number != number) number = shared.number, since = time(nullptr);
    if (time(nullptr) - since <= kMostSeconds) continue;
    kill(child, SIGKILL);
    waitpid(child, status, 0);
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "random_calls CASES [calls] [seed] [first] [show]\n");
    return 2;
  }
  const auto number = [&](int i, uint64_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  const uint64_t calls = number(2, 10000), seed = number(3, 1), first = number(4, 0);
  auto& shared = *static_cast<Shared*>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  shared.number = first;
  while (shared.number < first + calls) {
    const pid_t child = fork();
    if (child == 0) make_calls(shared, argv[1], seed, first + calls, argc > 5);
    int status = 0;
    if (!wait_for(child, shared, &status))
      report(shared, "process", text("no answer within ", static_cast<int64_t>(kMostSeconds), " s"));
    else if (WIFSIGNALED(status))
      report(shared, "process", text("ended by signal ", WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
      report(shared, "process", text("ended with ", WEXITSTATUS(status)));
    else
      break;
    ++shared.number;
  }
  std::printf("%llu calls, two ways each: %llu gave results, %llu errors; %llu findings\n",
              static_cast<unsigned long long>(calls),
              static_cast<unsigned long long>(shared.succeeded.load()),
              static_cast<unsigned long long>(shared.refused.load()),
              static_cast<unsigned long long>(shared.findings.load()));
  return shared.findings == 0 ? 0 : 1;
}
