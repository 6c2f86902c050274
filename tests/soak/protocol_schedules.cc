// protocol_schedules COUNT [SEED [without-dedupe]]: so many stores, each with faults that its seed draws
// (tests/cpp/kvstore_protocol_cluster.h). Servers of even seeds keep nothing, those of odd ones journals, and then any process may end at
// any time. Built and run by tests/fuzz/protocol.sh soak.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kvstore_protocol_cluster.h"

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const bool has_dedupe = argc <= 3 || std::strcmp(argv[3], "without-dedupe") != 0;
  uint64_t failed = 0;
  protocol_test::Totals sum;
  for (uint64_t i = seed; i < seed + count; ++i) {
    protocol_test::Plan plan =
        i % 2 == 0 ? protocol_test::Plan::from_seed(i) : protocol_test::Plan::of_journals(i);
    if (!has_dedupe) plan.change = [](auto& safeguards) { safeguards.counts_once = false; };
    protocol_test::Cluster cluster(plan);
    const std::string wrong = cluster.run();
    const protocol_test::Totals totals = cluster.totals();
    sum.messages += totals.messages;
    sum.crashes += totals.crashes;
    sum.views += totals.views;
    sum.repeated += totals.repeated;
    if (!wrong.empty()) {
      ++failed;
      std::printf("seed %" PRIu64 " (%s): %s\n", i, plan.str().c_str(), wrong.c_str());
    }
    if ((i - seed + 1) % 10000 == 0)
      std::printf("%" PRIu64 " schedules\n", i - seed + 1), std::fflush(stdout);
  }
  std::printf("%" PRIu64 " schedules from seed %" PRIu64 ": %" PRIu64 " messages, %" PRIu64
              " crashes, %" PRIu64 " views, %" PRIu64 " updates that came again\n",
              count, seed, sum.messages, sum.crashes, sum.views, sum.repeated);
  std::printf("%" PRIu64 " passed, %" PRIu64 " failed\n", count - failed, failed);
  return failed ? 1 : 0;
}
