#include "net/in_process.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/service_thread.h"
#include "net/delivery.h"
#include "net/own_process.h"

namespace mixgrad::net {
namespace {

constexpr char kWhoInProcess[] = "in_process";

// What waits for a node, by priority, then in order of its coming.
struct Inbox {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int64_t, uint64_t>, std::pair<NodeName, Message>> waiting;
  uint64_t pushed = 0;
  bool busy = false;    // in the receiver
  bool paused = false;  // the receiver wants none for now
  bool closed = false;  // takes no more

  bool push(const NodeName& from, Message message) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      if (closed) return false;
      const std::pair<int64_t, uint64_t> order(-int64_t{message.priority}, ++pushed);
      waiting.emplace(order, std::make_pair(from, std::move(message)));
    }
    changed.notify_all();
    return true;
  }
};

}  // namespace

class InProcessNetwork {
 public:
  void add(const NodeName& name, std::shared_ptr<Inbox> inbox) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!nodes_.emplace(name, std::move(inbox)).second) {
      fail(Status::invalid_argument, '[', kWhoInProcess, "] got the name ", name,
           ", which another node has; expected one that is free");
    }
  }
  void remove(const NodeName& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    nodes_.erase(name);
  }
  std::shared_ptr<Inbox> find(const NodeName& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = nodes_.find(name);
    return found == nodes_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<NodeName, std::shared_ptr<Inbox>> nodes_;
};

namespace {

class InProcessTransport final : public Transport {
 public:
  InProcessTransport(std::shared_ptr<InProcessNetwork> network, const NodeName& name, Receive receive)
      : network_(std::move(network)), name_(name), receive_(std::move(receive)) {
    check_node_name(name, kWhoInProcess);
    network_->add(name, inbox_);
    try {
      thread_ = service_thread(kWhoInProcess, [this] { run(); });
    } catch (const Error&) {
      network_->remove(name);
      throw;
    }
  }
  ~InProcessTransport() override {
    if (process_.here()) {
      stop(0);
    } else {
      new std::thread(std::move(thread_));  // the parent's: nobody here may touch it
    }
  }

  const NodeName& name() const override { return name_; }
  const Address& address() const override { return address_; }

  void send(const NodeName& to, Message message) override {
    process_.check(kWhoInProcess);
    check_message(message, kMaxPayloadBytes, kWhoInProcess);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (stopped_)
        fail(Status::stopped, '[', kWhoInProcess, "] got a message for ", to, " after it was stopped");
      if (peers_.count(to) == 0)
        fail(Status::not_found, '[', kWhoInProcess, "] knows no node ", to, "; expected set_peer before");
    }
    const size_t bytes = bytes_of(message);
    const std::shared_ptr<Inbox> inbox = network_->find(to);
    if (inbox && inbox->push(name_, std::move(message))) {
      counters_.count_sent(bytes);
    } else {
      SharedCounters::add(counters_.unsent_messages, 1);
    }
  }

  void set_peer(const NodeName& name, const Address&, const PublicKey& key) override {
    process_.check(kWhoInProcess);
    check_node_name(name, kWhoInProcess);
    if (!key.empty())
      fail(Status::invalid_argument, '[', kWhoInProcess, "] got a key for ", name, "; it uses none");
    const std::lock_guard<std::mutex> lock(mutex_);
    peers_.insert(name);
  }
  void forget_peer(const NodeName& name) override {
    process_.check(kWhoInProcess);
    const std::lock_guard<std::mutex> lock(mutex_);
    peers_.erase(name);
  }

  void pause(bool paused) override {
    process_.check(kWhoInProcess);
    {
      const std::lock_guard<std::mutex> lock(inbox_->mutex);
      inbox_->paused = paused;
    }
    inbox_->changed.notify_all();
  }

  TransportCounters counters() const override { return counters_.now(); }

  void stop(double limit_seconds) override {
    process_.check(kWhoInProcess);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopped_ = true;
    }
    if (!thread_.joinable()) return;
    network_->remove(name_);
    {
      // What came before is received within the limit: senders were told that it left.
      std::unique_lock<std::mutex> lock(inbox_->mutex);
      inbox_->changed.wait_for(lock, std::chrono::duration<double>(limit_seconds),
                               [&] { return inbox_->waiting.empty() && !inbox_->busy; });
      inbox_->closed = true;
      inbox_->waiting.clear();
    }
    inbox_->changed.notify_all();
    thread_.join();
  }

 private:
  void run() {
    Inbox& inbox = *inbox_;
    std::unique_lock<std::mutex> lock(inbox.mutex);
    for (;;) {
      inbox.changed.wait(lock, [&] { return inbox.closed || (!inbox.waiting.empty() && !inbox.paused); });
      if (inbox.closed) return;
      const auto first = inbox.waiting.begin();
      std::pair<NodeName, Message> next = std::move(first->second);
      inbox.waiting.erase(first);
      inbox.busy = true;
      lock.unlock();
      deliver(receive_, next.first, std::move(next.second), &counters_);
      lock.lock();
      inbox.busy = false;
      if (inbox.waiting.empty()) inbox.changed.notify_all();
    }
  }

  const OwnProcess process_;
  const std::shared_ptr<InProcessNetwork> network_;
  const NodeName name_;
  const Address address_{"in-process", 0};
  const Receive receive_;
  const std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  SharedCounters counters_;
  std::mutex mutex_;
  std::set<NodeName> peers_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace

std::shared_ptr<InProcessNetwork> make_in_process_network() { return std::make_shared<InProcessNetwork>(); }

std::unique_ptr<Transport> open_in_process(std::shared_ptr<InProcessNetwork> network, const NodeName& name,
                                           Receive receive) {
  return std::make_unique<InProcessTransport>(std::move(network), name, std::move(receive));
}

}  // namespace mixgrad::net
