#include "kvstore/distributed/cluster.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>

#include "base/error.h"
#include "net/zeromq.h"

#if defined(__unix__) || defined(__APPLE__)
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace mixgrad::kvstore {
namespace {

using protocol::Policy;
using protocol::Role;

constexpr char kWhoCluster[] = "kvstore";

const char* variable(const char* name) {
  const char* const text = std::getenv(name);
  return text && *text ? text : nullptr;
}

const char* needed_variable(const char* name) {
  if (const char* const text = variable(name)) return text;
  fail(Status::invalid_argument, '[', kWhoCluster, "] a store of several processes needs ", name,
       " in the environment, which `mixgrad launch` and MXNet's tools/launch.py set");
}

uint64_t whole_number(const char* name, const char* text, uint64_t lowest, uint64_t highest) {
  char* end = nullptr;
  errno = 0;
  const unsigned long long number = std::strtoull(text, &end, 10);
  if (end == text || *end || errno || text[0] == '-' || number < lowest || number > highest) {
    fail(Status::invalid_argument, '[', kWhoCluster, "] ", name, " is '", text,
         "'; expected a whole number from ", lowest, " to ", highest);
  }
  return number;
}
uint64_t number_of(const char* name, uint64_t lowest, uint64_t highest) {
  return whole_number(name, needed_variable(name), lowest, highest);
}
template <class T>
void read_number(const char* name, uint64_t lowest, uint64_t highest, T* into) {
  if (const char* const text = variable(name))
    *into = static_cast<T>(whole_number(name, text, lowest, highest));
}

double seconds_of(const char* name, const char* text) {
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (end == text || *end || !(seconds >= 0.1 && seconds <= 1e7)) {
    fail(Status::invalid_argument, '[', kWhoCluster, "] ", name, " is '", text,
         "'; expected seconds from 0.1 to 10000000");
  }
  return seconds;
}

DiskSync sync_of(const char* name, const char* text) {
  if (!std::strcmp(text, "none")) return DiskSync::none;
  if (!std::strcmp(text, "snapshot")) return DiskSync::snapshot;
  if (!std::strcmp(text, "step")) return DiskSync::step;
  fail(Status::invalid_argument, '[', kWhoCluster, "] ", name, " is '", text,
       "'; expected none, snapshot or step");
}

protocol::Rounds rounds_of(const char* name, const char* text) {
  protocol::Rounds rounds;
  if (!std::strcmp(text, "wait")) return rounds;
  if (!std::strcmp(text, "drop")) {
    rounds.policy = Policy::drop;
  } else if (!std::strncmp(text, "first:", 6)) {
    rounds.policy = Policy::first;
    rounds.count = static_cast<uint32_t>(whole_number(name, text + 6, 1, protocol::kMaxNumber));
  } else {
    fail(Status::invalid_argument, '[', kWhoCluster, "] ", name, " is '", text,
         "'; expected wait, drop or first:NUMBER");
  }
  return rounds;
}

#if defined(__unix__) || defined(__APPLE__)
// The address of this machine from which it reaches another, or an empty text. Sends nothing.
std::string own_host_towards(const net::Address& other) {
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  if (getaddrinfo(other.host.c_str(), std::to_string(other.port).c_str(), &hints, &found) != 0) return "";
  std::string host;
  for (const addrinfo* one = found; one && host.empty(); one = one->ai_next) {
    const int descriptor = socket(one->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) continue;
    sockaddr_storage own = {};
    socklen_t bytes = sizeof own;
    char text[128];
    if (connect(descriptor, one->ai_addr, one->ai_addrlen) == 0 &&
        getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &bytes) == 0 &&
        getnameinfo(reinterpret_cast<sockaddr*>(&own), bytes, text, sizeof text, nullptr, 0,
                    NI_NUMERICHOST) == 0)
      host = text;
    close(descriptor);
  }
  freeaddrinfo(found);
  return host;
}
#else
std::string own_host_towards(const net::Address&) { return ""; }
#endif

}  // namespace

Cluster Cluster::from_environment(uint32_t least_servers) {
  Cluster cluster;
  const std::string role = needed_variable("DMLC_ROLE");
  if (role == "worker") {
    cluster.role = Role::worker;
  } else if (role == "server") {
    cluster.role = Role::server;
  } else if (role == "scheduler") {
    cluster.role = Role::scheduler;
  } else {
    fail(Status::invalid_argument, '[', kWhoCluster, "] DMLC_ROLE is '", role,
         "'; expected worker, server or scheduler");
  }
  cluster.workers = static_cast<uint32_t>(number_of("DMLC_NUM_WORKER", 1, protocol::kMaxNumber));
  cluster.servers = static_cast<uint32_t>(number_of("DMLC_NUM_SERVER", least_servers, protocol::kMaxNumber));
  cluster.scheduler.host = needed_variable("DMLC_PS_ROOT_URI");
  cluster.scheduler.port = static_cast<uint16_t>(number_of("DMLC_PS_ROOT_PORT", 1, 65535));
  // Refuses what is no host.
  cluster.scheduler = net::parse_address(cluster.scheduler.str(), kWhoCluster);
  read_number("MIXGRAD_NUMBER", 0, protocol::kMaxNumber, &cluster.number);
  const uint32_t count = cluster.role == Role::server ? cluster.servers : cluster.workers;
  if (cluster.role != Role::scheduler && cluster.number >= static_cast<int64_t>(count)) {
    fail(Status::invalid_argument, '[', kWhoCluster, "] MIXGRAD_NUMBER is ", cluster.number,
         " in a store of ", count, ' ', role, "s; expected 0 to ", count - 1, ", or a larger ",
         cluster.role == Role::server ? "DMLC_NUM_SERVER" : "DMLC_NUM_WORKER");
  }
  if (cluster.role == Role::scheduler) {
    cluster.number = 0;
    cluster.host = cluster.scheduler.host;
  } else if (const char* const host = variable("DMLC_NODE_HOST")) {
    cluster.host = host;
  } else if (cluster.scheduler.is_loopback()) {
    cluster.host = "127.0.0.1";
  } else {
    cluster.host = own_host_towards(cluster.scheduler);
    if (cluster.host.empty()) needed_variable("DMLC_NODE_HOST");
  }
  cluster.replicas = std::min<uint32_t>(cluster.servers, 2);
  read_number("MIXGRAD_REPLICAS", 1, protocol::kMaxNumber, &cluster.replicas);
  cluster.replicas = std::min(cluster.replicas, cluster.servers);
  if (const char* const rounds = variable("MIXGRAD_ROUNDS"))
    cluster.rounds = rounds_of("MIXGRAD_ROUNDS", rounds);
  if (cluster.rounds.policy == Policy::first && cluster.rounds.count > cluster.workers) {
    fail(Status::invalid_argument, '[', kWhoCluster, "] MIXGRAD_ROUNDS is 'first:", cluster.rounds.count,
         "' in a store of ", cluster.workers, " workers; expected at most first:", cluster.workers);
  }
  if (const char* const seconds = variable("MIXGRAD_TIME_LIMIT")) {
    cluster.start_limit = seconds_of("MIXGRAD_TIME_LIMIT", seconds);
    cluster.timing.request_limit = static_cast<protocol::Time>(cluster.start_limit * 1e6);
  }
  if (const char* const seconds = variable("MIXGRAD_DEAD_AFTER")) {
    cluster.timing.dead_after = static_cast<protocol::Time>(seconds_of("MIXGRAD_DEAD_AFTER", seconds) * 1e6);
    cluster.timing.heartbeat =
        std::min<protocol::Time>(cluster.timing.heartbeat, cluster.timing.dead_after / 10);
  }
  if (const char* const seconds = variable("MIXGRAD_LEAVE_LIMIT"))
    cluster.leave_limit = seconds_of("MIXGRAD_LEAVE_LIMIT", seconds);
  read_number("MIXGRAD_MEMORY", 1, uint64_t{1} << 50, &cluster.memory);
  read_number("MXNET_KVSTORE_BIGARRAY_BOUND", 1, uint64_t{1} << 40, &cluster.big_array);
  read_number("MIXGRAD_LINKS", 0, 1, &cluster.has_links);
  if (const char* const keys = variable("MIXGRAD_KEYS")) cluster.keys = keys;
  if (const char* const folder = variable("MIXGRAD_SNAPSHOTS")) cluster.snapshots = folder;
  if (const char* const seconds = variable("MIXGRAD_SNAPSHOT_SECONDS"))
    cluster.snapshot_seconds = seconds_of("MIXGRAD_SNAPSHOT_SECONDS", seconds);
  if (const char* const what = variable("MIXGRAD_SNAPSHOT_SYNC"))
    cluster.snapshot_sync = sync_of("MIXGRAD_SNAPSHOT_SYNC", what);
  return cluster;
}

uint64_t new_incarnation() {
  std::random_device device;
  uint64_t number = 0;
  while (number == 0) number = uint64_t{device()} << 32 | device();
  return number;
}

uint32_t enrol(const Cluster& cluster, bool (*interrupted)()) {
  if (!cluster.keys.empty()) {
    fail(Status::invalid_argument, '[', kWhoCluster,
         "] keys belong to numbered nodes; expected MIXGRAD_NUMBER, the number of this ",
         cluster.role == Role::server ? "server" : "worker", ", in the environment");
  }
  Enrolment enrolment;
  enrolment.role = cluster.role;
  enrolment.incarnation = new_incarnation();
  std::mutex mutex;
  std::condition_variable changed;
  Enrolled answer;
  bool is_answered = false;
  net::ZeroMqOptions options;
  options.name = text("new:", enrolment.incarnation);
  options.listen = {cluster.host, 0};
  options.stop_seconds = 0.1;
  const auto transport = net::open_zeromq(options, [&](const net::NodeName& from, net::Message message) {
    Enrolled in;
    if (from != "scheduler" || message.kind != kEnrolledKind) return;
    if (!protocol::decode(message.fields.data(), message.fields.size(), in)) return;
    if (in.incarnation != enrolment.incarnation) return;
    const std::lock_guard<std::mutex> lock(mutex);
    answer = in;
    is_answered = true;
    changed.notify_all();
  });
  enrolment.contact = transport->address().str();
  transport->set_peer("scheduler", cluster.scheduler, {});
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(cluster.start_limit));
  auto ask_at = Clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  while (!is_answered) {
    const auto now = Clock::now();
    if (now >= limit) {
      fail(Status::io, '[', kWhoCluster, "] the scheduler at ", cluster.scheduler, " has not answered in ",
           cluster.start_limit, " s; expected one that runs there (MIXGRAD_TIME_LIMIT)");
    }
    if (now >= ask_at) {
      ask_at = now + std::chrono::milliseconds(200);
      net::Message message;
      message.kind = kEnrolKind;
      message.fields = protocol::encoded(enrolment);
      transport->send("scheduler", std::move(message));
    }
    changed.wait_for(lock, std::chrono::milliseconds(50));
    lock.unlock();
    if (interrupted && interrupted())
      fail(Status::stopped, '[', kWhoCluster, "] waiting for the scheduler was interrupted");
    lock.lock();
  }
  if (!answer.wrong.empty()) fail(Status::invalid_argument, '[', kWhoCluster, "] ", answer.wrong);
  return answer.number;
}

}  // namespace mixgrad::kvstore
