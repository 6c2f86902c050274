// Collective stores of several workers in one process, for tests.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "kvstore/collective/collective_store.h"
#include "net/in_process.h"

namespace check {

using namespace mixgrad;
using namespace mixgrad::kvstore;
using collective::GroupSettings;

// Workers in a thread each, over a network of memory.
struct CollectiveWorkers {
  GroupSettings settings;
  std::string type = "collective";
  std::shared_ptr<net::InProcessNetwork> network = net::make_in_process_network();
  std::vector<std::string> errors;

  explicit CollectiveWorkers(uint32_t size) : errors(size) {
    settings.size = size;
    settings.meeting = {"in-process", 1};
    settings.start_limit = settings.wait_limit = 30;
    settings.piece_bytes = 512;
    settings.direct_bytes = 256;
    settings.message_bytes = 128;
    settings.segment_bytes = 1 << 14;
    settings.segments = 3;
  }
  std::unique_ptr<CollectiveStore> store(uint32_t rank) {
    GroupSettings own = settings;
    own.rank = rank;
    return std::make_unique<CollectiveStore>(type, own, [&, rank](net::Receive receive) {
      return net::open_in_process(network, text("worker:", rank), std::move(receive));
    });
  }
  using Program = std::function<void(CollectiveStore& store, uint32_t rank)>;
  // `errors` has what each program threw.
  void run(const Program& program) {
    std::vector<std::thread> threads;
    for (uint32_t rank = 0; rank < settings.size; ++rank) {
      threads.emplace_back([&, rank] {
        std::unique_ptr<CollectiveStore> own;
        try {
          own = store(rank);
          program(*own, rank);
          own->leave();
        } catch (const check::Failed& failed) {
          errors[rank] = failed.message;
        } catch (const std::exception& error) {
          errors[rank] = error.what();
        }
        if (own) own->abandon();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  void run_well(const Program& program) {
    run(program);
    std::string failures;
    for (size_t i = 0; i < errors.size(); ++i) {
      if (!errors[i].empty()) failures += text("worker:", i, ": ", errors[i], "; ");
    }
    CHECK_EQ(failures, std::string());
  }
};

}  // namespace check
