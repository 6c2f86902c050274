// The transport over ZeroMQ between two processes on loopback, beside plain TCP in the same run: transport_bench [SECONDS [LIBZMQ|- [KB of a piece:KB of a window ...]]].
// One way: the time of a run of messages until the last one is confirmed. Round: a message there, one of the same size back.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.h"
#include "net/zeromq.h"
#include "net/zeromq_library.h"

using namespace mixgrad::net;

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

enum Kind : uint16_t { kOneWay, kLast, kConfirmed, kRound, kBack, kEnd };

struct Result {
  double bytes_per_second, round_us;
};

// Both sides of a test over one kind of connection: `one_way(bytes, count)` returns when the last of so many has arrived.
struct Carrier {
  std::function<void(size_t bytes, int count)> one_way;
  std::function<void(size_t bytes)> round;
};

// Best of several runs within the time: others work on the machine, too.
Result measure(const Carrier& carrier, size_t bytes, double seconds) {
  carrier.one_way(bytes, 2);
  carrier.round(bytes);
  const int count = static_cast<int>(std::clamp<size_t>((size_t{64} << 20) / bytes, 4, 20000));
  Result best{0, 1e9};
  const auto start = Clock::now();
  do {
    const auto begin = Clock::now();
    carrier.one_way(bytes, count);
    best.bytes_per_second =
        std::max(best.bytes_per_second, static_cast<double>(bytes) * count / seconds_since(begin));
  } while (seconds_since(start) < seconds / 2);
  std::vector<double> rounds;
  do {
    const auto begin = Clock::now();
    carrier.round(bytes);
    rounds.push_back(seconds_since(begin) * 1e6);
  } while (seconds_since(start) < seconds);
  std::nth_element(rounds.begin(), rounds.begin() + static_cast<long>(rounds.size() / 2), rounds.end());
  best.round_us = rounds[rounds.size() / 2];  // the median
  return best;
}

void all(ssize_t (*move)(int, void*, size_t), int descriptor, char* data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t moved = move(descriptor, data, bytes);
    if (moved <= 0) std::exit(3);
    data += moved;
    bytes -= static_cast<size_t>(moved);
  }
}
ssize_t write_some(int descriptor, void* data, size_t bytes) { return write(descriptor, data, bytes); }

// Plain TCP, one buffer on each side: what the system can do.
int connect_tcp(bool* child) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof at;
  if (bind(listener, reinterpret_cast<sockaddr*>(&at), sizeof at) || listen(listener, 1) ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&at), &length))
    std::exit(3);
  *child = fork() == 0;
  int connection = -1;
  if (*child) {
    connection = accept(listener, nullptr, nullptr);
  } else {
    connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, reinterpret_cast<sockaddr*>(&at), sizeof at)) std::exit(3);
  }
  const int on = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  close(listener);
  return connection;
}

struct TcpHead {
  uint64_t kind, bytes;
};

void serve_tcp(int connection) {
  std::vector<char> buffer(size_t{64} << 20);
  for (;;) {
    TcpHead head;
    all(read, connection, reinterpret_cast<char*>(&head), sizeof head);
    if (head.kind == kEnd) std::exit(0);
    all(read, connection, buffer.data(), head.bytes);
    if (head.kind == kLast) head.bytes = 1;
    if (head.kind != kOneWay) all(write_some, connection, buffer.data(), head.bytes);
  }
}

void run_tcp(const std::function<void(const Carrier&)>& test) {
  bool child;
  const int connection = connect_tcp(&child);
  if (child) serve_tcp(connection);
  std::vector<char> buffer(size_t{64} << 20, 'x');
  const auto put = [&](Kind kind, size_t bytes) {
    TcpHead head{kind, bytes};
    all(write_some, connection, reinterpret_cast<char*>(&head), sizeof head);
    all(write_some, connection, buffer.data(), bytes);
  };
  test({[&](size_t bytes, int count) {
          for (int i = 0; i < count; ++i) put(i == count - 1 ? kLast : kOneWay, bytes);
          all(read, connection, buffer.data(), 1);
        },
        [&](size_t bytes) {
          put(kRound, bytes);
          all(read, connection, buffer.data(), bytes);
        }});
  put(kEnd, 0);
  close(connection);
  wait(nullptr);
}

struct Sizes {
  size_t piece, window;
};

// Keys and addresses of the two processes go through pipes.
struct Introduction {
  char address[64];
  PublicKey key;
};

class Signal {
 public:
  void set() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      set_ = true;
    }
    changed_.notify_one();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return set_; });
    set_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
};

Message message_of(Kind kind, const std::shared_ptr<std::vector<char>>& buffer, size_t bytes) {
  Message message;
  message.kind = kind;
  message.payload = Payload(buffer->data(), bytes, buffer);
  return message;
}

std::unique_ptr<Transport> open_bench(const char* name, bool keyed, Sizes sizes, int in, int out,
                                      const char* other, Receive receive) {
  ZeroMqOptions options;
  options.name = name;
  options.piece_bytes = sizes.piece;
  options.window_bytes = sizes.window;
  if (keyed) options.keys = make_key_pair();
  auto transport = open_zeromq(options, std::move(receive));
  Introduction own{}, their{};
  std::strcpy(own.address, transport->address().str().c_str());
  own.key = options.keys.public_key;
  all(write_some, out, reinterpret_cast<char*>(&own), sizeof own);
  all(read, in, reinterpret_cast<char*>(&their), sizeof their);
  transport->set_peer(other, parse_address(their.address, "bench"), their.key);
  return transport;
}

void serve_zeromq(bool keyed, Sizes sizes, int in, int out) {
  Signal ended;
  const auto buffer = std::make_shared<std::vector<char>>(size_t{64} << 20, 'y');
  Transport* own = nullptr;
  Signal ready;
  const auto transport = open_bench("b", keyed, sizes, in, out, "a", [&](const NodeName&, Message message) {
    if (!own) ready.wait();
    if (message.kind == kLast) own->send("a", message_of(kConfirmed, buffer, 1));
    if (message.kind == kRound) own->send("a", message_of(kBack, buffer, message.payload.bytes));
    if (message.kind == kEnd) ended.set();
  });
  own = transport.get();
  ready.set();
  ended.wait();
}

void run_zeromq(bool keyed, Sizes sizes, const std::function<void(const Carrier&)>& test) {
  int there[2], back[2];
  if (pipe(there) || pipe(back)) std::exit(3);
  if (fork() == 0) {
    serve_zeromq(keyed, sizes, there[0], back[1]);
    std::_Exit(0);
  }
  Signal came;
  const auto buffer = std::make_shared<std::vector<char>>(size_t{64} << 20, 'x');
  const auto transport =
      open_bench("a", keyed, sizes, back[0], there[1], "b", [&](const NodeName&, Message) { came.set(); });
  test({[&](size_t bytes, int count) {
          for (int i = 0; i < count; ++i)
            transport->send("b", message_of(i == count - 1 ? kLast : kOneWay, buffer, bytes));
          came.wait();
        },
        [&](size_t bytes) {
          transport->send("b", message_of(kRound, buffer, bytes));
          came.wait();
        }});
  transport->send("b", message_of(kEnd, buffer, 1));
  wait(nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
  if (argc > 2 && std::strcmp(argv[2], "-") != 0) load_zeromq(argv[2]);
  std::vector<Sizes> pieces;
  for (int i = 3; i < argc; ++i) {
    const char* const colon = std::strchr(argv[i], ':');
    pieces.push_back({static_cast<size_t>(std::atol(argv[i])) << 10,
                      static_cast<size_t>(std::atol(colon ? colon + 1 : "1024")) << 10});
  }
  if (pieces.empty()) pieces.push_back({ZeroMqOptions().piece_bytes, ZeroMqOptions().window_bytes});
  const std::vector<std::pair<const char*, size_t>> sizes = {
      {"64 B", 64}, {"4 KB", 4096}, {"4 MB", size_t{4} << 20}, {"64 MB", size_t{64} << 20}};
  const auto report = [&](const char* name) {
    return [&sizes, seconds, name](const Carrier& carrier) {
      for (const auto& [text, bytes] : sizes) {
        const Result result = measure(carrier, bytes, seconds);
        std::printf("%-24s %-6s one way %8.1f MB/s   round %10.1f us\n", name, text,
                    result.bytes_per_second / 1e6, result.round_us);
        std::fflush(stdout);
      }
    };
  };
  run_tcp(report("tcp"));
  for (const Sizes piece : pieces) {
    const std::string name = ", " + std::to_string(piece.piece >> 10) + " KB pieces";
    run_zeromq(false, piece, report(("clear" + name).c_str()));
    run_zeromq(true, piece, report(("keys" + name).c_str()));
  }
  return 0;
}
