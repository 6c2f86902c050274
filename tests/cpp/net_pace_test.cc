// How much is handed to a connection that nothing overtakes.
#include <chrono>
#include <cstdint>

#include "check.h"
#include "net/send_pace.h"

using mixgrad::net::SendPace;

namespace {

// A link that takes so many bytes in a second, kept busy: each millisecond the sender looks.
void keep_busy(SendPace* pace, SendPace::Time* now, uint64_t* taken, double rate, int milliseconds) {
  for (int i = 0; i < milliseconds; ++i) {
    pace->note(*now, *taken, true);
    *now += std::chrono::milliseconds(1);
    *taken += static_cast<uint64_t>(rate / 1000);
  }
  pace->note(*now, *taken, true);
}

}  // namespace

TEST(net_pace_follows_the_rate_of_the_link) {
  SendPace pace;
  SendPace::Time now{};
  uint64_t taken = 0;
  CHECK_EQ(pace.limit(), SIZE_MAX);  // nothing is known
  keep_busy(&pace, &now, &taken, 125e6, 20);
  CHECK_EQ(pace.limit(), size_t{500000});  // 4 ms of 1 Gbit/s
  keep_busy(&pace, &now, &taken, 12.5e6, 20);
  CHECK_EQ(pace.limit(), size_t{50000});
  keep_busy(&pace, &now, &taken, 0, 20);
  CHECK_EQ(pace.limit(), SendPace::kLeastBytes);  // a peer that takes nothing
  keep_busy(&pace, &now, &taken, 4e9, 20);
  CHECK_EQ(pace.limit(), size_t{16000000});
}

// A sender that has little to say learns nothing of the link while it is idle, and short busy times add up.
TEST(net_pace_idle_times_do_not_count) {
  SendPace pace;
  SendPace::Time now{};
  uint64_t taken = 0;
  for (int burst = 0; burst < 30; ++burst) {
    keep_busy(&pace, &now, &taken, 50e6, 1);
    pace.note(now, taken, false);
    now += std::chrono::seconds(1);
    pace.note(now, taken, false);
  }
  CHECK_EQ(pace.limit(), size_t{200000});
}
