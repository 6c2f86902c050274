// Processes that tests start.
#pragma once

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "check.h"

namespace check {

// Runs CHILD(name) of this program in a new process and returns its id. Open descriptors are handed on.
// The program is executed anew: a child that is only forked may find the allocator's lock held by a thread that it does
// not have, which AddressSanitizer's allocator does not mend. It ends with the thread that started it: a test that is cut
// short leaves none that keeps the run's output open.
inline pid_t start_child(const char* name, const std::vector<std::string>& arguments) {
  std::vector<const char*> argv{"child", "--child", name};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid < 0) fail(__FILE__, __LINE__, "no process could be started");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv("/proc/self/exe", const_cast<char* const*>(argv.data()));
    _exit(127);
  }
  return pid;
}

}  // namespace check
