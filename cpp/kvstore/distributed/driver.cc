#include "kvstore/distributed/driver.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/service_thread.h"
#include "base/warning.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Actions;
using protocol::NodeId;
using protocol::Outcome;
using protocol::Time;

constexpr Time kHelloPeriod = 500'000;
constexpr Time kLongestSleep = 500'000;
// A peer that sends so many messages which no honest one sends is cut off; twice as long each time, up to a limit.
constexpr uint32_t kMostOffences = 3;
constexpr uint32_t kMostDoublings = 5;
constexpr size_t kMostMet = 3 * (protocol::kMaxNumber + 1);

}  // namespace

Time Driver::now() { return steady_now(); }

Driver::Driver(const Options& options, const OpenTransport& open,
               const std::function<std::unique_ptr<Machine>(const std::string&)>& make)
    : options_(options), departures_(options.timing) {
  {
    const std::lock_guard<std::mutex> lock(inbox_mutex_);  // what arrives may ask for the transport
    transport_ =
        open([this](const net::NodeName& from, net::Message message) { receive(from, std::move(message)); });
  }
  contact_ = transport_->address().str();
  machine_ = make(contact_);
  if (options_.has_scheduler) meet(NodeId::scheduler().str(), options_.scheduler.str());
  for (const auto& [name, key] : options_.keys.known) {
    if (name != transport_->name() && !contacts_.count(name)) transport_->set_peer(name, {}, key);
  }
  if (options_.has_scheduler) {
    pulse_ = std::make_unique<Pulse>(options_.timing, [this](net::Message message) {
      send_now(NodeId::scheduler().str(), {&message, 1});
    });
  }
  thread_ = service_thread("kvstore", [this] { run(); });
}

Driver::~Driver() {
  {
    const std::lock_guard<std::mutex> lock(inbox_mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  {
    std::unique_lock<std::mutex> lock(inbox_mutex_);  // of a thread of the transport
    changed_.wait(lock, [&] { return !is_turning_ || is_broken_; });
  }
  pulse_.reset();
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
  bool here = false;
  {
    const std::lock_guard<std::mutex> lock(inbox_mutex_);
    here = !is_turning_ && inbox_.empty() && !stopping_ && transport_->may_work_here();
    if (here) {
      is_turning_ = true;
    } else {
      inbox_bytes_ += net::bytes_of(message);
      inbox_.emplace_back(from, std::move(message));
    }
    // Connections are not read while so much waits. What is to be sent goes on, heartbeats above all.
    if (inbox_bytes_ >= options_.waiting_bytes && !stopping_ && !std::exchange(is_paused_, true))
      transport_->pause(true);
  }
  if (!here) {
    changed_.notify_all();
    return;
  }
  Envelope envelope(from, std::move(message));
  work(&envelope);
}

// A turn by whichever thread has it. No other one comes after one that throws.
void Driver::work(Envelope* envelope) {
  try {
    const Time wake = turn(envelope);
    if (pulse_) pulse_->came_round(now());
    end_turn(wake);
  } catch (const std::exception& error) {  // no memory for a sum, say: whoever waits for this process is told
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      broken_ = text("[kvstore] ", options_.self, " cannot go on: ", error.what());
    }
    tell_end(End::failed);
    const std::lock_guard<std::mutex> lock(inbox_mutex_);
    is_broken_ = true;
    changed_.notify_all();
  }
}

void Driver::end_turn(Time wake) {
  {
    const std::lock_guard<std::mutex> lock(inbox_mutex_);
    is_turning_ = false;
    is_woken_ |= wake < sleeps_until_;
    if (!is_woken_ && !waits_for_turn_ && inbox_.empty() && !stopping_) return;
  }
  changed_.notify_all();
}

void Driver::run() {
  end_turn(0);
  for (Envelope envelope; next(&envelope); rest()) work(&envelope);
}

// Takes the machine's turn and the first message where there is one, else an empty envelope. False when the driver ends.
bool Driver::next(Envelope* envelope) {
  std::unique_lock<std::mutex> lock(inbox_mutex_);
  waits_for_turn_ = true;
  changed_.wait(lock, [&] { return stopping_ || !is_turning_; });
  waits_for_turn_ = false;
  *envelope = {};
  if (stopping_) return false;
  is_turning_ = true;
  if (inbox_.empty()) return true;
  *envelope = std::move(inbox_.front());
  inbox_.pop_front();
  inbox_bytes_ -= net::bytes_of(envelope->second);
  if (is_paused_ && inbox_bytes_ <= options_.waiting_bytes / 2) {
    is_paused_ = false;
    transport_->pause(false);
  }
  return true;
}

// Returns when the next one is due without a message.
Time Driver::turn(Envelope* envelope) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!envelope->first.empty()) take(lock, envelope->first, std::move(envelope->second));
  const Time time = now();
  if (options_.has_scheduler && time >= hello_at_) say_hello(time);
  if (time >= forgive_at_) forgive(time);
  if (machine_->wake() <= time) {
    Actions actions;
    machine_->on_time(time, actions);
    carry_out(lock, actions);
  }
  return next_wake();
}

Time Driver::next_wake() const { return std::min(machine_->wake(), forgive_at_); }

// Until there is something to do.
void Driver::rest() {
  {
    const std::lock_guard<std::mutex> lock(inbox_mutex_);
    sleeps_until_ = protocol::kNever;  // whoever changes its time to wake meanwhile says so
  }
  Time wake;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    wake = next_wake();
  }
  const Time time = now();
  wake = std::min(wake, time + kLongestSleep);
  std::unique_lock<std::mutex> lock(inbox_mutex_);
  sleeps_until_ = wake;
  if (wake > time) {
    changed_.wait_for(lock, std::chrono::microseconds(wake - time),
                      [&] { return stopping_ || is_woken_ || (!inbox_.empty() && !is_turning_); });
  }
  is_woken_ = false;
}

void Driver::take(std::unique_lock<std::mutex>& lock, const net::NodeName& from, net::Message message) {
  if (is_cut_off(from)) return;
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
  if (actions.nonsense > 0) note_offence(from, actions.nonsense);
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
  if (!machine_->number_for(now(), in, &out.number, &out.wrong)) return;
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
  const Time wake = next_wake();
  lock.unlock();
  {
    const std::lock_guard<std::mutex> guard(inbox_mutex_);
    if (wake >= sleeps_until_) return;
    is_woken_ = true;
  }
  changed_.notify_all();
}

void Driver::carry_out(std::unique_lock<std::mutex>& lock, Actions& actions) {
  if (actions.view_changed) meet_view();
  constexpr auto kHeartbeat = static_cast<uint16_t>(protocol::Kind::heartbeat);
  struct Letter {  // what is for one peer goes together
    NodeId to;
    net::NodeName name;
    std::vector<net::Message> messages;
  };
  std::vector<Letter> letters;
  for (protocol::Outgoing& one : actions.messages) {
    if (pulse_ && one.message.kind == kHeartbeat) pulse_->beat(now(), one.message);
    auto at =
        std::find_if(letters.begin(), letters.end(), [&](const Letter& other) { return other.to == one.to; });
    if (at == letters.end()) {
      net::NodeName name = one.to.str();
      if (!contacts_.count(name)) continue;
      at = letters.insert(at, {one.to, std::move(name), {}});
    }
    if (departures_.leaves(one)) at->messages.push_back(std::move(one.message));
  }
  for (Letter& letter : letters) send_now(letter.name, letter.messages);
  std::vector<std::pair<Ended, Outcome>> told;
  for (Outcome& outcome : actions.outcomes) {
    const auto at = waiting_.find(outcome.ticket);
    if (at == waiting_.end()) continue;
    told.emplace_back(std::move(at->second), std::move(outcome));
    waiting_.erase(at);
  }
  const End end = !machine_->failure().empty() ? End::failed : machine_->ended() ? End::ended : End::none;
  if (!told.empty()) {
    lock.unlock();
    for (auto& [ended, outcome] : told) ended(outcome);
    told.clear();  // what the functions own may end here
    lock.lock();
  }
  if (end != End::none) tell_end(end);
}

void Driver::tell_end(End end) {
  // A machine that failed does not say that it lives.
  if (end == End::failed && pulse_) pulse_->stop();
  {
    const std::lock_guard<std::mutex> lock(end_mutex_);
    if (end_ != End::failed) end_ = end;
  }
  over_.notify_all();
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
  if (is_cut_off(name)) {
    offences_[name].contact = contact;  // where it is when that is over
    return;
  }
  if (contacts_.size() >= kMostMet && at == contacts_.end()) return;
  try {
    transport_->set_peer(name, net::parse_address(contact, "kvstore"), options_.keys.of(name));
    contacts_[name] = contact;
  } catch (const Error& error) {
    warn(text("[kvstore] ", options_.self, " cannot reach ", name, ": ", error.message()));
  }
}

bool Driver::is_cut_off(const net::NodeName& name) const {
  const auto at = offences_.find(name);
  return at != offences_.end() && at->second.until > 0;
}

void Driver::note_offence(const net::NodeName& from, uint32_t count) {
  nonsense_ += count;
  if (offences_.size() >= kMostMet && !offences_.count(from))
    return;  // names that nobody has are as many as one likes
  Offences& offences = offences_[from];
  offences.count += count;
  if (offences.count < kMostOffences) return;
  const Time length = options_.cut_off << std::min(offences.times, kMostDoublings);
  warn(text("[kvstore] ", options_.self, " listens to ", from, " no more for ", length / 1'000'000,
            " s: it has sent ", offences.count, " messages that make no sense"));
  ++cut_offs_;
  ++offences.times;
  offences.count = 0;
  offences.until = now() + length;
  forgive_at_ = std::min(forgive_at_, offences.until);
  const auto contact = contacts_.find(from);
  if (contact != contacts_.end()) {
    offences.contact = contact->second;
    contacts_.erase(contact);
  }
  transport_->forget_peer(from);
}

// Whoever was cut off may come back when its time is over: it may be another process by now.
void Driver::forgive(Time time) {
  forgive_at_ = protocol::kNever;
  for (auto& [name, offences] : offences_) {
    if (offences.until == 0) continue;
    if (offences.until > time) {
      forgive_at_ = std::min(forgive_at_, offences.until);
      continue;
    }
    offences.until = 0;
    const std::string contact = std::exchange(offences.contact, "");
    const auto key = options_.keys.known.find(name);
    if (!contact.empty()) {
      meet(name, contact);
    } else if (key != options_.keys.known.end()) {
      transport_->set_peer(name, {}, key->second);
    }
  }
}

// What cannot be sent is as good as lost, and the protocol repeats what must arrive.
void Driver::send(const net::NodeName& to, net::Message message) {
  if (contacts_.count(to)) send_now(to, {&message, 1});
}

void Driver::send_now(const net::NodeName& to, Span<net::Message> messages) {
  try {
    transport_->send_several(to, messages);
  } catch (const Error& error) {
    if (error.status() != Status::not_found && error.status() != Status::stopped)
      warn(text("[kvstore] ", options_.self, " to ", to, ": ", error.message()));
  }
}

Driver::End Driver::wait(double seconds, bool (*interrupted)()) {
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(std::min(seconds, 1e8)));
  std::unique_lock<std::mutex> lock(end_mutex_);
  while (end_ == End::none && Clock::now() < limit) {
    over_.wait_until(lock, std::min(limit, Clock::now() + std::chrono::milliseconds(50)));
    if (!interrupted || end_ != End::none) continue;
    lock.unlock();
    const bool is_interrupted = interrupted();
    lock.lock();
    if (is_interrupted) break;
  }
  return end_;
}

std::string Driver::failure() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return broken_.empty() ? machine_->failure() : broken_;
}

uint64_t Driver::cut_offs() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return cut_offs_;
}

uint64_t Driver::nonsense() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return nonsense_;
}

}  // namespace mixgrad::kvstore
