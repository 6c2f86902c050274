// Ports that a forked child must not keep.
#pragma once

#include <cstdint>

namespace mixgrad::net {

// While it lives, a child of this process closes the sockets that it got of this TCP port: what listens, and connections to it.
// Else the port would stay taken until the last child ends, and a process that was killed could not be started in its place.
class ListeningPort {
 public:
  explicit ListeningPort(uint16_t port);
  ListeningPort(const ListeningPort&) = delete;
  ListeningPort& operator=(const ListeningPort&) = delete;
  ~ListeningPort();

 private:
  int place_;
  const uint16_t port_;
};

// How many bytes a TCP connection takes beyond those that the network has: of what waits, urgent messages overtake only what waits
// here. Does nothing where the system has no such limit, or the descriptor is no connection to that port any more.
void limit_unsent(int descriptor, uint16_t port, int bytes);

// The TCP port at this end of a socket; 0 for what is none.
uint16_t local_port(int descriptor);

}  // namespace mixgrad::net
