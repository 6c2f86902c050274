#include "net/listening_port.h"

#include <atomic>

#include "base/fork_mutex.h"

#if defined(__unix__) || defined(__APPLE__)
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#endif

namespace mixgrad::net {
namespace {

constexpr int kMostPorts = 64;             // of one process; more are not looked after
constexpr int kMostDescriptors = 1 << 16;  // that a child looks at

// Runs in the child of a fork: it may take no lock and no memory.
struct ForkedPorts : ForkedAfresh {
  ForkedPorts() : ForkedAfresh(close_all) {}
  static void close_all(ForkedAfresh* self);
  std::atomic<uint16_t> ports[kMostPorts]{};
  std::atomic<int> open{0};
};

ForkedPorts& forked_ports() {
  static auto* const all = new ForkedPorts;
  return *all;
}

void ForkedPorts::close_all([[maybe_unused]] ForkedAfresh* self) {
#if defined(__unix__) || defined(__APPLE__)
  auto* const all = static_cast<ForkedPorts*>(self);
  if (all->open.load() == 0) return;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, kMostDescriptors));
  for (int descriptor = 3; descriptor < end; ++descriptor) {
    const uint16_t port = local_port(descriptor);
    for (int i = 0; port != 0 && i < kMostPorts; ++i) {
      if (all->ports[i].load() != port) continue;
      close(descriptor);
      break;
    }
  }
  for (std::atomic<uint16_t>& port : all->ports) port.store(0);
  all->open.store(0);
#endif
}

#if defined(__unix__) || defined(__APPLE__)
// The port at one end of a TCP connection, which getsockname or getpeername tells; 0 for what is none.
uint16_t port_at(int descriptor, int (*tell)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage end{};
  socklen_t bytes = sizeof end;
  if (descriptor < 0 || tell(descriptor, reinterpret_cast<sockaddr*>(&end), &bytes) != 0) return 0;
  if (end.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in*>(&end)->sin_port);
  if (end.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6*>(&end)->sin6_port);
  return 0;
}
#endif

}  // namespace

ListeningPort::ListeningPort(uint16_t port) : place_(kMostPorts), port_(port) {
  ForkedPorts& all = forked_ports();
  for (int i = 0; i < kMostPorts; ++i) {
    uint16_t free = 0;
    if (!all.ports[i].compare_exchange_strong(free, port)) continue;
    all.open.fetch_add(1);
    place_ = i;
    break;
  }
}

ListeningPort::~ListeningPort() {
  if (place_ == kMostPorts) return;
  uint16_t own = port_;
  if (forked_ports().ports[place_].compare_exchange_strong(own, 0)) forked_ports().open.fetch_sub(1);
}

void limit_unsent([[maybe_unused]] int descriptor, [[maybe_unused]] uint16_t port,
                  [[maybe_unused]] int bytes) {
#if defined(TCP_NOTSENT_LOWAT)
  if (port_at(descriptor, getpeername) == port)
    setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
#endif
}

uint16_t local_port([[maybe_unused]] int descriptor) {
#if defined(__unix__) || defined(__APPLE__)
  return port_at(descriptor, getsockname);
#else
  return 0;
#endif
}

}  // namespace mixgrad::net
