// Messages on their way out of this process, so that none queues behind itself.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <tuple>

#include "kvstore/distributed/pulse.h"
#include "kvstore/protocol/actions.h"

namespace mixgrad::kvstore {

// The protocol repeats what is not answered in time, and knows nothing of the link. Where a link is slower than that, a message would
// be sent again and again while its first sending still waits for the link. So one that is on its way is left out: from when it is given
// to the transport until that has let go of it, and for a while after that, for the part of the way beyond and the answer: as long as
// messages to that peer waited of late, at least half of the time after which the protocol repeats first, at most the longest after
// which it repeats. What was lost is repeated then: a transport lets go of what it gives up, too.
// One thread at a time; messages may leave in any, also when this has ended.
class Departures {
 public:
  using Clock = protocol::Time (*)();
  explicit Departures(const protocol::Timing& timing, Clock now = steady_now)
      : shortest_(timing.retry / 2), longest_(timing.retry_limit), now_(now) {}

  // Whether to send it. If so, its way begins.
  bool leaves(protocol::Outgoing& one);
  size_t size() const { return ways_.size(); }

 private:
  // To one peer: how long messages waited of late, at most. Others may note at the same time: nothing depends on a single one.
  struct Road {
    std::atomic<protocol::Time> wait{0};
  };
  struct Way {
    Way(protocol::Time at, std::shared_ptr<Road> along) : begun(at), road(std::move(along)) {}
    void leave(protocol::Time now);
    const protocol::Time begun;
    const std::shared_ptr<Road> road;
    std::atomic<protocol::Time> left{protocol::kNever};
  };
  bool is_over(const Way& way, protocol::Time now) const;
  void sweep(protocol::Time now);

  const protocol::Time shortest_, longest_;
  const Clock now_;
  std::map<std::tuple<protocol::NodeId, uint16_t, protocol::Identity>, std::shared_ptr<Way>> ways_;
  std::map<protocol::NodeId, std::shared_ptr<Road>> roads_;
  uint64_t begun_ = 0;
};

}  // namespace mixgrad::kvstore
