#include "net/zeromq_library.h"

#include <atomic>
#include <mutex>

#include "base/error.h"
#include "base/fork_mutex.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#endif

namespace mixgrad::net {
namespace {

struct ZmqLoader {
  ForkMutex loading;
  std::atomic<const ZmqFunctions*> functions{nullptr};
  void* handle = nullptr;
};
ZmqLoader& zmq_loader() {
  static auto* const loader = new ZmqLoader;
  return *loader;
}

#if defined(__APPLE__)
constexpr const char* kZmqLibrary = "libzmq.5.dylib";
#else
constexpr const char* kZmqLibrary = "libzmq.so.5";
#endif

#if defined(__unix__) || defined(__APPLE__)
template <class Fn>
void find_zmq_function(void* handle, const char* path, const char* name, Fn* to) {
  *to = reinterpret_cast<Fn>(dlsym(handle, name));
  if (!*to) fail(Status::format, "[net] ", path, " has no ", name, "; expected libzmq 4.2 or newer");
}

void open_zmq_library(const char* path, ZmqLoader* loader) {
  void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) fail(Status::not_found, "[net] ", dlerror());
  if (loader->functions.load(std::memory_order_relaxed)) {
    if (handle == loader->handle) return;
    fail(Status::invalid_argument, "[net] got ", path, " while another libzmq is in use; a process has one");
  }
  ZmqFunctions found{};
  const auto find = [&](const char* name, auto* to) { find_zmq_function(handle, path, name, to); };
  find("zmq_version", &found.version);
  int version[3];
  found.version(&version[0], &version[1], &version[2]);
  if (version[0] != 4 || version[1] < 2) {
    fail(Status::format, "[net] ", path, " is libzmq ", version[0], '.', version[1], '.', version[2],
         "; expected 4.2 or newer");
  }
  find("zmq_has", &found.has);
  find("zmq_errno", &found.error);
  find("zmq_strerror", &found.error_text);
  find("zmq_ctx_new", &found.ctx_new);
  find("zmq_ctx_set", &found.ctx_set);
  find("zmq_ctx_term", &found.ctx_term);
  find("zmq_socket", &found.socket);
  find("zmq_close", &found.close);
  find("zmq_setsockopt", &found.setsockopt);
  find("zmq_getsockopt", &found.getsockopt);
  find("zmq_bind", &found.bind);
  find("zmq_connect", &found.connect);
  find("zmq_socket_monitor", &found.socket_monitor);
  find("zmq_poll", &found.poll);
  find("zmq_msg_init", &found.msg_init);
  find("zmq_msg_init_size", &found.msg_init_size);
  find("zmq_msg_init_data", &found.msg_init_data);
  find("zmq_msg_send", &found.msg_send);
  find("zmq_msg_recv", &found.msg_recv);
  find("zmq_msg_close", &found.msg_close);
  find("zmq_msg_data", &found.msg_data);
  find("zmq_msg_size", &found.msg_size);
  find("zmq_msg_get", &found.msg_get);
  find("zmq_msg_gets", &found.msg_gets);
  find("zmq_curve_keypair", &found.curve_keypair);
  loader->handle = handle;
  loader->functions.store(new ZmqFunctions(found), std::memory_order_release);
}
#else
void open_zmq_library(const char*, ZmqLoader*) {
  fail(Status::unsupported, "[net] this system does not load libraries at run time");
}
#endif

}  // namespace

const ZmqFunctions& zmq() {
  ZmqLoader& loader = zmq_loader();
  const ZmqFunctions* functions = loader.functions.load(std::memory_order_acquire);
  if (!functions) {
    const std::lock_guard<ForkMutex> guard(loader.loading);
    try {
      open_zmq_library(kZmqLibrary, &loader);
    } catch (const Error& error) {
      fail(Status::unsupported, error.message(),
           "; ZeroMQ comes with `pip install mixgrad[dist]`, or as libzmq5 of the system");
    }
    functions = loader.functions.load(std::memory_order_acquire);
  }
  return *functions;
}

void load_zeromq(const char* path) {
  ZmqLoader& loader = zmq_loader();
  const std::lock_guard<ForkMutex> guard(loader.loading);
  open_zmq_library(path && *path ? path : kZmqLibrary, &loader);
}

}  // namespace mixgrad::net
