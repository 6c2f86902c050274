// Segments across processes: attach by name, last release removes the name, killed holders drop out.
#include "base/error.h"
#include "check.h"
#include "device/shared_memory.h"

#if defined(__linux__)

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "storage/block.h"
#include "storage/statistics.h"

using mixgrad::Device;

namespace {

bool name_exists(const std::string& name) { return access(("/dev/shm" + name).c_str(), F_OK) == 0; }

// Runs `work` in a child; true when it returns true.
template <class Work>
bool in_child(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    bool good = false;
    try {
      good = work();
    } catch (...) {
    }
    _exit(good ? 0 : 1);
  }
  int state = 0;
  waitpid(child, &state, 0);
  return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

}  // namespace

TEST(shared_memory_travels_between_processes) {
  using mixgrad::storage::allocate;
  const auto block = allocate(Device::cpu_shared(), 10000);
  const std::string name = mixgrad::storage::shared_name(block);
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(block.data) % 4096, std::uintptr_t{0});
  auto* numbers = static_cast<int*>(block.data);
  CHECK(numbers[0] == 0 && numbers[2499] == 0);
  numbers[0] = 42;
  CHECK(in_child([&] {
    const auto attached = mixgrad::storage::attach_shared(name);
    auto* theirs = static_cast<int*>(attached.data);
    const bool good = attached.bytes == 10000 && theirs != numbers && theirs[0] == 42;
    theirs[1] = 43;
    mixgrad::storage::release(attached);
    return good && name_exists(name);
  }));
  CHECK_EQ(numbers[1], 43);
  CHECK(name_exists(name));
  mixgrad::storage::release(block);
  CHECK(!name_exists(name));
  CHECK_THROWS(mixgrad::shared_attach(name), not_found, "no process holds");
}

TEST(shared_memory_name_lives_until_the_last_holder) {
  void* first = mixgrad::shared_create(100);
  const std::string name = mixgrad::shared_handle(first).name;
  void* second = mixgrad::shared_attach(name);
  std::strcpy(static_cast<char*>(first), "both");
  mixgrad::shared_release(first);
  CHECK(name_exists(name));
  CHECK_EQ(std::string(static_cast<char*>(second)), std::string("both"));
  CHECK_EQ(mixgrad::shared_handle(second).bytes, std::size_t{100});
  mixgrad::shared_release(second);
  CHECK(!name_exists(name));
}

TEST(shared_memory_inherited_by_a_child_is_no_reference) {
  void* data = mixgrad::shared_create(4);
  const std::string name = mixgrad::shared_handle(data).name;
  CHECK(in_child([&] {
    *static_cast<int*>(data) = 7;
    mixgrad::shared_release(data);
    return name_exists(name);
  }));
  CHECK_EQ(*static_cast<int*>(data), 7);
  mixgrad::shared_release(data);
  CHECK(!name_exists(name));
}

TEST(shared_memory_of_a_killed_process_is_swept) {
  int pipe_ends[2];
  CHECK(pipe(pipe_ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string name = mixgrad::shared_handle(mixgrad::shared_create(64)).name;
    if (write(pipe_ends[1], name.c_str(), name.size() + 1) < 0) _exit(1);
    for (;;) pause();
  }
  char name[200] = "";
  CHECK(read(pipe_ends[0], name, sizeof name) > 0);
  mixgrad::shared_sweep();
  CHECK(name_exists(name));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(name_exists(name));
  CHECK(mixgrad::shared_sweep() >= 1);
  CHECK(!name_exists(name));
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST(shared_memory_refuses_what_is_not_its_own) {
  CHECK_THROWS(mixgrad::shared_attach("/other"), format, "'/other'");
  CHECK_THROWS(mixgrad::shared_attach("/mixgrad-/x"), format, "/mixgrad-/x");
  CHECK_THROWS(mixgrad::shared_attach("/mixgrad-none"), not_found, "/mixgrad-none");
  const int fd = shm_open("/mixgrad-foreign", O_CREAT | O_RDWR, 0600);
  CHECK(fd >= 0);
  CHECK_THROWS(mixgrad::shared_attach("/mixgrad-foreign"), format, "not written by mixgrad");
  CHECK_EQ(ftruncate(fd, 100000), 0);
  CHECK_THROWS(mixgrad::shared_attach("/mixgrad-foreign"), format, "100000 bytes");
  close(fd);
  shm_unlink("/mixgrad-foreign");
  int local = 0;
  CHECK_THROWS(mixgrad::shared_handle(&local), invalid_argument, "not the start");
}

TEST(shared_memory_is_counted_and_limited) {
  const Device device = Device::cpu_shared(3);
  const auto block = mixgrad::storage::allocate(device, 5000);
  auto info = mixgrad::storage::memory_info(device);
  CHECK_EQ(info.in_use, std::size_t{5000});
  CHECK_EQ(info.live_blocks, std::size_t{1});
  mixgrad::storage::release(block);
  info = mixgrad::storage::memory_info(device);
  CHECK_EQ(info.in_use, std::size_t{0});
  CHECK_EQ(info.reserved, std::size_t{0});
  CHECK_THROWS(mixgrad::storage::allocate(device, std::size_t{1} << 60), out_of_memory, "cpu_shared(3)");
  CHECK_THROWS(mixgrad::storage::shared_name(mixgrad::storage::Block()), invalid_argument, "cpu(0)");
}

#endif
