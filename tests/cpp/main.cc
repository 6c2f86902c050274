// Runs all tests, or those whose name contains one of the arguments. --list prints the names.
#include <cstdio>
#include <cstring>

#include "check.h"

namespace {

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
