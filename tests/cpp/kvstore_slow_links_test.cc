// Links that are slower than the protocol repeats: what waits for them is not sent again, and what they lose is.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "check.h"
#include "kvstore/distributed/departures.h"
#include "kvstore/distributed/encoded_array.h"
#include "kvstore/protocol/replica.h"
#include "kvstore_distributed_cast.h"

using namespace check;

namespace {

// Of all links of a cast.
struct Traffic {
  double bytes_per_second = 0;
  size_t lose_each = 0;  // of the messages with large payloads, each so many-th; 0: none
  std::atomic<size_t> large{0}, bytes{0};
};

// What a node sends takes its time, one message after another, the most urgent first. Lost ones take theirs, too.
class SlowLink final : public net::Transport {
 public:
  SlowLink(std::unique_ptr<net::Transport> inner, Traffic* traffic)
      : inner_(std::move(inner)), traffic_(traffic), thread_(&SlowLink::run, this) {}
  ~SlowLink() override { stop(0); }
  const net::NodeName& name() const override { return inner_->name(); }
  const net::Address& address() const override { return inner_->address(); }
  void send(const net::NodeName& to, net::Message message) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const int64_t priority = message.priority;
      waiting_.emplace(std::make_pair(-priority, ++count_), std::make_pair(to, std::move(message)));
    }
    changed_.notify_all();
  }
  void set_peer(const net::NodeName& peer, const net::Address& at, const net::PublicKey& key) override {
    inner_->set_peer(peer, at, key);
  }
  void forget_peer(const net::NodeName& peer) override { inner_->forget_peer(peer); }
  void pause(bool paused) override { inner_->pause(paused); }
  net::TransportCounters counters() const override { return inner_->counters(); }
  void stop(double limit) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    inner_->stop(limit);
  }

 private:
  void run() {
    auto free_at = std::chrono::steady_clock::now();
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      auto [to, message] = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      lock.unlock();
      const size_t bytes = message.payload.bytes;
      free_at = std::max(free_at, std::chrono::steady_clock::now()) +
                std::chrono::nanoseconds(
                    static_cast<int64_t>(1e9 * static_cast<double>(bytes) / traffic_->bytes_per_second));
      std::this_thread::sleep_until(free_at);
      traffic_->bytes += bytes;
      const bool is_lost =
          bytes > 4096 && traffic_->lose_each > 0 && ++traffic_->large % traffic_->lose_each == 0;
      try {
        if (!is_lost) inner_->send(to, std::move(message));
      } catch (const Error&) {  // nobody is there any more
      }
      message = {};
      lock.lock();
    }
  }

  const std::unique_ptr<net::Transport> inner_;
  Traffic* const traffic_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int64_t, uint64_t>, std::pair<net::NodeName, net::Message>> waiting_;
  uint64_t count_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

constexpr int64_t kKeys = 12;
constexpr size_t kElements = 20'000;

// Steps of two workers and two servers as those of a training: the last key first, which is the least urgent. Returns bytes of payloads in
// the steps, in times of what the plan says.
double train(Traffic* traffic, int steps) {
  Cast cast(2, 2, 10'000'000, [&](std::unique_ptr<net::Transport> inner) {
    return std::make_unique<SlowLink>(std::move(inner), traffic);
  });
  std::atomic<size_t> before{0};
  cast.run("dist_sync", [&](Store& store, uint32_t rank) {
    std::vector<ArrayRef> values, gradients;
    for (int64_t key = 0; key < kKeys; ++key) {
      values.push_back(array_of(Floats(kElements)));
      gradients.push_back(array_of(Floats(kElements, static_cast<float>(key + rank))));
      init_one(store, Key(key), values.back());
    }
    store.send_rule(rate_text(1));
    store.barrier();
    if (rank == 0) before = traffic->bytes.load();
    store.barrier();
    for (int step = 0; step < steps; ++step) {
      for (int64_t key = kKeys; key-- > 0;) {
        const Entry push[] = {{Key(key), gradients[static_cast<size_t>(key)].get()}};
        const Entry pull[] = {{Key(key), values[static_cast<size_t>(key)].get()}};
        store.push(push, static_cast<int>(-key));
        store.pull(pull, static_cast<int>(-key));
      }
      for (const ArrayRef& value : values) value->wait_to_read();
    }
    Floats moments(kKeys), expected(kKeys);
    for (int step = 0; step < steps; ++step) {
      for (size_t key = 0; key < kKeys; ++key) {
        moments[key] = 0.9f * moments[key] + static_cast<float>(2 * key + 1);
        expected[key] -= moments[key];
      }
    }
    for (size_t key = 0; key < kKeys; ++key)
      CHECK(floats_of(values[key]) == Floats(kElements, expected[key]));
    store.barrier();
  });
  // Gradients of two workers, values for two workers, one replica of each sum.
  const double planned = 5.0 * kKeys * kElements * sizeof(float) * steps;
  return static_cast<double>(traffic->bytes - before) / planned;
}

}  // namespace

TEST(kvstore_slow_links_carry_what_the_plan_says) {
  Traffic traffic;
  traffic.bytes_per_second = 8e6;
  const double times = train(&traffic, 2);
  CHECK(times >= 1);
  CHECK(times < 1.5);
}

TEST(kvstore_slow_links_may_lose_messages) {
  Traffic traffic;
  traffic.bytes_per_second = 40e6;
  traffic.lose_each = 7;
  CHECK(train(&traffic, 2) >= 1);
}

namespace {

protocol::Time departures_clock = 0;

// The step of a slot's log, sent again with what else it tells.
protocol::Outgoing entry_message(uint64_t index, uint64_t commit = 0, size_t bytes = 8192) {
  protocol::Entry entry;
  entry.epoch = {3, 7};
  entry.slot = 5;
  entry.index = index;
  entry.commit = commit;
  protocol::Actions actions;
  actions.send(protocol::NodeId::server(1), protocol::Kind::entry, entry,
               net::Payload::of(std::string(bytes, 'x')));
  return std::move(actions.messages.front());
}

}  // namespace

TEST(kvstore_departures) {
  protocol::Timing timing;
  timing.retry = 100;
  timing.retry_limit = 2000;
  departures_clock = 1000;
  Departures departures(timing, [] { return departures_clock; });
  protocol::Outgoing first = entry_message(1);
  CHECK(departures.leaves(first));
  departures_clock += 100'000;  // however long it waits
  protocol::Outgoing again = entry_message(1, 9);
  CHECK(!departures.leaves(again));
  // Others are no repetitions, nor are small ones looked at, or kinds that are not repeated as they are.
  protocol::Outgoing second = entry_message(2), elsewhere = entry_message(1), view = entry_message(1);
  elsewhere.to = protocol::NodeId::server(2);
  view.identity = {};
  CHECK(departures.leaves(second) && departures.leaves(elsewhere) && departures.leaves(view));
  for (int i = 0; i < 2; ++i) {
    protocol::Outgoing small = entry_message(3, 0, 4096);
    CHECK(departures.leaves(small));
    CHECK(small.message.departure == nullptr);
  }
  // The way beyond takes at most as long as the longest time between repetitions.
  first.message = {};
  departures_clock += 1999;
  CHECK(!departures.leaves(again));
  departures_clock += 1;
  CHECK(departures.leaves(again));
  CHECK(again.message.departure != nullptr);
  // What the transport gives up at once may be sent after half of the shortest one, where nothing waited for long.
  elsewhere.message = {};
  departures_clock += 1'000'000;
  protocol::Outgoing fourth = entry_message(4), repeated = entry_message(4);
  fourth.to = repeated.to = protocol::NodeId::server(9);
  CHECK(departures.leaves(fourth));
  fourth.message = {};
  departures_clock += 49;
  CHECK(!departures.leaves(repeated));
  departures_clock += 1;
  CHECK(departures.leaves(repeated));
}

// What has arrived long ago is not kept, and what leaves last tells nobody.
TEST(kvstore_departures_forget) {
  departures_clock = 0;
  auto departures = std::make_unique<Departures>(protocol::Timing(), [] { return departures_clock; });
  protocol::Outgoing last = entry_message(1'000'000);
  CHECK(departures->leaves(last));
  for (uint64_t i = 0; i < 2000; ++i) {
    departures_clock += 1000;
    protocol::Outgoing one = entry_message(i);
    CHECK(departures->leaves(one));
  }
  CHECK(departures->size() < 600);
  departures.reset();
  last.message = {};
}

namespace {

// One slot on servers 0, the primary, and 1.
struct OneSlot {
  protocol::View view;
  ArrayTable table;
  protocol::ServerContext context;

  explicit OneSlot(uint32_t self) {
    view.epoch = {1, 7};
    view.servers = {{0, 10, 0, true, 0, ""}, {1, 11, 0, true, 0, ""}};
    view.workers = {{0, 20, 1, true, 0, ""}};
    view.slots = {{{0, 1}, {}, false}};
    context.self = self;
    context.view = &view;
    context.table = &table;
  }
};

// How often a message of this kind is among those to be sent; the fields of the last one.
template <class T>
int sent(protocol::Actions& actions, protocol::Kind kind, T* last) {
  int count = 0;
  for (const protocol::Outgoing& one : actions.messages) {
    if (one.message.kind != static_cast<uint16_t>(kind)) continue;
    CHECK(protocol::decode(one.message.fields.data(), one.message.fields.size(), *last));
    ++count;
  }
  actions.messages.clear();
  return count;
}

}  // namespace

// Of steps that wait for a link the most urgent leaves first. Those that come before their turn need not be sent again.
TEST(kvstore_protocol_backups_keep_steps_that_overtake) {
  OneSlot slot(1);
  protocol::Replica backup(0, slot.context);
  protocol::Actions actions;
  backup.adopt(0, actions);
  const auto verified_after = [&](uint64_t index) {
    protocol::Entry entry;
    entry.epoch = entry.origin = slot.view.epoch;
    entry.index = index;
    entry.step = protocol::Step::opening;
    protocol::EntryAck ack;
    CHECK(backup.on_entry(0, entry, net::Message(), actions));
    CHECK_EQ(sent(actions, protocol::Kind::entry_ack, &ack), 1);
    return ack.verified;
  };
  CHECK_EQ(verified_after(3), 0u);
  CHECK_EQ(verified_after(2), 0u);
  CHECK_EQ(verified_after(258), 0u);  // more than a primary sends: not kept
  CHECK_EQ(verified_after(1), 3u);
  CHECK_EQ(verified_after(2), 3u);
  CHECK_EQ(verified_after(5), 3u);
  slot.view.epoch.number = 2;  // in another view another step may have this place
  backup.adopt(0, actions);
  for (uint64_t index = 1; index <= 4; ++index) CHECK_EQ(verified_after(index), index);
}

// The time for an answer begins with what is sent, not with the last answer.
TEST(kvstore_protocol_steps_are_repeated_after_their_time) {
  OneSlot slot(0);
  protocol::Replica primary(0, slot.context);
  protocol::Actions actions;
  protocol::Entry entry;
  const auto acknowledge = [&](protocol::Time now, uint64_t index) {
    CHECK(primary.on_entry_ack(now, 1, {slot.view.epoch, 0, index, index}, actions));
  };
  primary.adopt(0, actions);
  acknowledge(0, 0);
  CHECK_EQ(sent(actions, protocol::Kind::entry, &entry), 1);
  acknowledge(1000, entry.index);
  for (protocol::Time now = 0; now < 1'000'000; now += 50'000) primary.on_time(now, actions);
  actions.messages.clear();
  const ArrayRef first = array_of({1, 2, 3});
  const Piece piece{9, 0, 3, false};
  const protocol::Value value = encoded_array(first);
  protocol::Init init;
  init.request = {slot.view.epoch, 20, piece.id, 0};
  init.about = protocol::encoded(about_of(Key(std::string("w")), *first, piece));
  init.format = value.format;
  net::Message message;
  message.payload = value.payload;
  CHECK(primary.on_init(0, init, message, actions));
  CHECK_EQ(sent(actions, protocol::Kind::entry, &entry), 1);
  CHECK(entry.step == protocol::Step::init);
  primary.on_time(1'000'000, actions);
  CHECK_EQ(sent(actions, protocol::Kind::entry, &entry), 0);
  primary.on_time(1'100'000, actions);
  CHECK_EQ(sent(actions, protocol::Kind::entry, &entry), 1);
}
