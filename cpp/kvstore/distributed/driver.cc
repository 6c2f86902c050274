#include "kvstore/distributed/driver.h"

#include <algorithm>
#include <csignal>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/warning.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Actions;
using protocol::NodeId;
using protocol::Outcome;
using protocol::Time;

constexpr Time kHelloPeriod = 500'000;
constexpr Time kLongestSleep = 500'000;
// A peer that sends so many messages which no honest one sends is cut off.
constexpr uint32_t kMostOffences = 3;
constexpr size_t kMostWaitingBytes = size_t{1} << 30;  // for the machine
constexpr size_t kMostMet = 3 * (protocol::kMaxNumber + 1);

}  // namespace

Time Driver::now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Driver::Driver(const Options& options, const OpenTransport& open,
               const std::function<std::unique_ptr<Machine>(const std::string&)>& make)
    : options_(options) {
  std::unique_lock<std::mutex> lock(mutex_);  // what arrives waits until there is a machine
  transport_ =
      open([this](const net::NodeName& from, net::Message message) { receive(from, std::move(message)); });
  contact_ = transport_->address().str();
  machine_ = make(contact_);
  if (options_.has_scheduler) meet(NodeId::scheduler().str(), options_.scheduler.str());
  for (const auto& [name, key] : options_.keys.known) {
    if (name != transport_->name() && !contacts_.count(name)) transport_->set_peer(name, {}, key);
  }
  try {
    thread_ = std::thread(&Driver::run, this);
  } catch (const std::system_error& error) {
    fail(Status::out_of_memory, "[kvstore] the system gives no thread: ", error.what());
  }
}

Driver::~Driver() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  room_.notify_all();
  thread_.join();
  transport_.reset();  // no message comes any more
  // Who still waits is told.
  for (auto& [ticket, ended] : waiting_) {
    Outcome outcome;
    outcome.ticket = ticket;
    outcome.status = Status::stopped;
    outcome.message = "[kvstore] the store was closed before this ended";
    ended(outcome);
  }
}

void Driver::receive(const net::NodeName& from, net::Message message) {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    // Connections are not read while so much waits.
    room_.wait(lock, [&] { return stopping_ || inbox_bytes_ < kMostWaitingBytes; });
    if (stopping_) return;
    inbox_bytes_ += net::bytes_of(message);
    inbox_.emplace_back(from, std::move(message));
  }
  changed_.notify_one();
}

void Driver::run() {
#if defined(__unix__) || defined(__APPLE__)
  sigset_t signals;
  sigfillset(&signals);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // they are for the program's threads
#endif
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_) {
    try {
      turn(lock);
    } catch (
        const std::exception& error) {  // no memory for a sum, say: whoever waits for this process is told
      if (!lock.owns_lock()) lock.lock();
      broken_ = text("[kvstore] ", options_.self, " cannot go on: ", error.what());
      over_.notify_all();
      return;
    }
  }
}

void Driver::turn(std::unique_lock<std::mutex>& lock) {
  if (!inbox_.empty()) {
    auto [from, message] = std::move(inbox_.front());
    inbox_.pop_front();
    inbox_bytes_ -= net::bytes_of(message);
    room_.notify_all();
    take(lock, from, std::move(message));
  }
  const Time time = now();
  if (options_.has_scheduler && time >= hello_at_) say_hello(time);
  if (machine_->wake() <= time) {
    Actions actions;
    machine_->on_time(time, actions);
    carry_out(lock, actions);
  }
  if (stopping_ || !inbox_.empty()) return;
  const Time wake = std::min(machine_->wake(), time + kLongestSleep);
  if (wake > time) changed_.wait_for(lock, std::chrono::microseconds(wake - time));
}

void Driver::take(std::unique_lock<std::mutex>& lock, const net::NodeName& from, net::Message message) {
  Actions actions;
  if (message.kind == kHelloKind && !options_.has_scheduler) {
    Hello in;
    NodeId id;
    if (NodeId::parse(from, id) && protocol::decode(message.fields.data(), message.fields.size(), in)) {
      meet(from, in.contact);
    } else {
      ++actions.nonsense;
    }
  } else if (message.kind == kEnrolKind && !options_.has_scheduler) {
    on_enrol(from, message, actions);
  } else {
    machine_->on_message(now(), from, std::move(message), actions);
  }
  if (actions.nonsense > 0) {
    nonsense_ += actions.nonsense;
    uint32_t& offences = offences_[from];
    offences += actions.nonsense;
    if (offences >= kMostOffences && contacts_.erase(from)) {
      warn(text("[kvstore] ", options_.self, " sends ", from, " no more: it has sent ", offences,
                " messages that make no sense"));
      transport_->forget_peer(from);
    }
  }
  carry_out(lock, actions);
}

void Driver::on_enrol(const net::NodeName& from, const net::Message& message, Actions& actions) {
  Enrolment in;
  Enrolled out;
  NodeId id;
  if (NodeId::parse(from, id) || !protocol::decode(message.fields.data(), message.fields.size(), in)) {
    ++actions.nonsense;
    return;
  }
  if (!machine_->number_for(in, &out.number, &out.wrong)) return;
  out.incarnation = in.incarnation;
  meet(from, in.contact);
  net::Message answer;
  answer.kind = kEnrolledKind;
  answer.fields = protocol::encoded(out);
  send(from, std::move(answer));
}

void Driver::say_hello(Time time) {
  hello_at_ = time + kHelloPeriod;
  net::Message message;
  message.kind = kHelloKind;
  message.fields = protocol::encoded(Hello{contact_});
  send(NodeId::scheduler().str(), std::move(message));
}

void Driver::call(const std::function<void(Machine&, Time, Actions&)>& act) {
  Actions actions;
  std::unique_lock<std::mutex> lock(mutex_);
  act(*machine_, now(), actions);
  carry_out(lock, actions);
  lock.unlock();
  changed_.notify_one();  // its time to wake may have changed
}

void Driver::carry_out(std::unique_lock<std::mutex>& lock, Actions& actions) {
  if (actions.view_changed) meet_view();
  for (protocol::Outgoing& one : actions.messages) send(one.to.str(), std::move(one.message));
  std::vector<std::pair<Ended, Outcome>> told;
  for (Outcome& outcome : actions.outcomes) {
    const auto at = waiting_.find(outcome.ticket);
    if (at == waiting_.end()) continue;
    told.emplace_back(std::move(at->second), std::move(outcome));
    waiting_.erase(at);
  }
  const bool is_over = machine_->ended() || !machine_->failure().empty();
  if (!told.empty()) {
    lock.unlock();
    for (auto& [ended, outcome] : told) ended(outcome);
    told.clear();  // what the functions own may end here
    lock.lock();
  }
  if (is_over) over_.notify_all();
}

// Whom the view names is reached where it says.
void Driver::meet_view() {
  for (const auto* list : {&machine_->view().servers, &machine_->view().workers}) {
    const auto role = list == &machine_->view().servers ? protocol::Role::server : protocol::Role::worker;
    for (const protocol::Participant& one : *list) {
      const NodeId id{role, one.number};
      if (id != options_.self) meet(id.str(), one.contact);
    }
  }
}

void Driver::meet(const net::NodeName& name, const std::string& contact) {
  const auto at = contacts_.find(name);
  if (at != contacts_.end() && at->second == contact) return;
  const auto offences = offences_.find(name);
  if (offences != offences_.end()) {
    if (at == contacts_.end() && offences->second >= kMostOffences) return;
    offences_.erase(offences);  // another process
  }
  if (contacts_.size() >= kMostMet && at == contacts_.end()) return;
  try {
    transport_->set_peer(name, net::parse_address(contact, "kvstore"), options_.keys.of(name));
    contacts_[name] = contact;
  } catch (const Error& error) {
    warn(text("[kvstore] ", options_.self, " cannot reach ", name, ": ", error.message()));
  }
}

// What cannot be sent is as good as lost, and the protocol repeats what must arrive.
void Driver::send(const net::NodeName& to, net::Message message) {
  if (!contacts_.count(to)) return;
  try {
    transport_->send(to, std::move(message));
  } catch (const Error& error) {
    if (error.status() != Status::not_found && error.status() != Status::stopped)
      warn(text("[kvstore] ", options_.self, " to ", to, ": ", error.message()));
  }
}

Driver::End Driver::wait(double seconds, bool (*interrupted)()) {
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(std::min(seconds, 1e8)));
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (!broken_.empty() || !machine_->failure().empty()) return End::failed;
    if (machine_->ended()) return End::ended;
    if (Clock::now() >= limit) return End::none;
    over_.wait_for(lock, std::chrono::milliseconds(50));
    if (!interrupted) continue;
    lock.unlock();
    const bool is_interrupted = interrupted();
    lock.lock();
    if (is_interrupted) return End::none;
  }
}

std::string Driver::failure() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return broken_.empty() ? machine_->failure() : broken_;
}

uint64_t Driver::nonsense() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return nonsense_;
}

}  // namespace mixgrad::kvstore
