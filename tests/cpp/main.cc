// Runs all tests, or those whose name contains one of the arguments. --list prints the names.
#ifndef _WIN32
#include <unistd.h>

#include <csignal>
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "check.h"

namespace {

#ifndef _WIN32
constexpr unsigned kMostSeconds = 600;  // of one test, under a sanitizer beside other work
const char* running = "";

// A test that waits for ever is named, and the run ends. Only what a signal handler may call.
void end_hung_test(int) {
  constexpr char kText[] = " was still running at its time limit; the run stops here\n";
  const ssize_t written[] = {write(STDERR_FILENO, "FAILED ", 7),
                             write(STDERR_FILENO, running, std::strlen(running)),
                             write(STDERR_FILENO, kText, sizeof kText - 1)};
  static_cast<void>(written);
  std::abort();
}

void limit_time(const char* name) {
  running = name;
  std::signal(SIGALRM, end_hung_test);
  alarm(kMostSeconds);
}
#else
void limit_time(const char*) {}
#endif

bool wanted(const char* name, int argc, char** argv) {
  bool filtered = false;
  for (int i = 1; i < argc; ++i) {
    filtered = true;
    if (std::strstr(name, argv[i])) return true;
  }
  return !filtered;
}

std::string failure_of(const check::Case& test) {
  try {
    test.run();
  } catch (const check::Failed& failed) {
    return failed.message;
  } catch (const std::exception& error) {
    return std::string("threw: ") + error.what();
  }
  return "";
}

int run_child(const std::string& name, const std::vector<std::string>& arguments) {
  for (const check::Child& child : check::children()) {
    if (child.name == name) return child.run(arguments);
  }
  std::fprintf(stderr, "no CHILD(%s) is here\n", name.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 3 && std::strcmp(argv[1], "--child") == 0) return run_child(argv[2], {argv + 3, argv + argc});
  int passed = 0, failed = 0;
  const bool list = argc == 2 && std::strcmp(argv[1], "--list") == 0;
  for (const check::Case& test : check::cases()) {
    if (list) std::puts(test.name);
    if (list || !wanted(test.name, argc, argv)) continue;
    limit_time(test.name);
    const std::string failure = failure_of(test);
    if (failure.empty()) {
      ++passed;
    } else {
      ++failed;
      std::printf("FAILED %s\n  %s\n", test.name, failure.c_str());
      std::fflush(stdout);
    }
  }
  if (!list) std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && (list || passed > 0) ? 0 : 1;
}
