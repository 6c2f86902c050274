// A driver whose messages come in a thread that works on them itself.
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "check.h"
#include "kvstore/distributed/driver.h"

using namespace mixgrad;
using namespace mixgrad::kvstore;

namespace {

constexpr protocol::Time kPeriod = 5'000;  // between two wakes

// Of one thread, which receives and works there.
class WorkingTransport final : public net::Transport {
 public:
  explicit WorkingTransport(std::atomic<std::thread::id>& worker) : worker_(worker) {}
  const net::NodeName& name() const override { return name_; }
  const net::Address& address() const override { return address_; }
  void send(const net::NodeName&, net::Message) override {}
  void set_peer(const net::NodeName&, const net::Address&, const net::PublicKey&) override {}
  void forget_peer(const net::NodeName&) override {}
  void pause(bool) override {}
  bool may_work_here() const override { return std::this_thread::get_id() == worker_.load(); }
  net::TransportCounters counters() const override { return {}; }
  void stop(double) override {}

 private:
  std::atomic<std::thread::id>& worker_;
  const net::NodeName name_ = "scheduler";
  const net::Address address_{"in-process", 1};
};

// Works on a message for several periods, and counts its wakes.
class SlowMachine final : public Machine {
 public:
  SlowMachine(std::atomic<int>& wakes, std::atomic<int>& messages) : wakes_(wakes), messages_(messages) {}
  void on_message(protocol::Time, const net::NodeName&, net::Message, protocol::Actions&) override {
    std::this_thread::sleep_for(std::chrono::microseconds(6 * kPeriod));
    ++messages_;
  }
  void on_time(protocol::Time now, protocol::Actions&) override {
    ++wakes_;
    next_ = now + kPeriod;
  }
  protocol::Time wake() const override { return next_; }
  const protocol::View& view() const override { return view_; }

 private:
  std::atomic<int>& wakes_;
  std::atomic<int>& messages_;
  protocol::Time next_ = 0;
  protocol::View view_;
};

template <class Done>
bool comes_true(Done done) {
  for (int i = 0; i < 1000 && !done(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return done();
}

}  // namespace

// Its thread wakes while another one works, and waits for its turn; without a further message its time goes on.
TEST(kvstore_driver_wakes_after_a_turn_of_another_thread) {
  std::atomic<std::thread::id> worker{};
  std::atomic<int> wakes{0}, messages{0};
  Driver::Options options;
  options.self = protocol::NodeId::scheduler();
  options.has_scheduler = false;
  net::Receive receive;
  Driver driver(
      options,
      [&](net::Receive given) {
        receive = std::move(given);
        return std::make_unique<WorkingTransport>(worker);
      },
      [&](const std::string&) { return std::make_unique<SlowMachine>(wakes, messages); });
  CHECK(comes_true([&] { return wakes.load() > 1; }));
  for (int round = 1; round <= 5; ++round) {
    std::thread([&] {
      worker.store(std::this_thread::get_id());
      receive("worker:0", {});
    }).join();
    CHECK(comes_true([&] { return messages.load() == round; }));
    const int before = wakes.load();
    CHECK(comes_true([&] { return wakes.load() >= before + 3; }));
  }
}
