// Two single files cut to different networks in one process, each of which answers for itself.
#include <cstdio>
#include <cstring>
#include <string>

extern "C" {
const char* first_copy(void);
const char* second_copy(void);
}

int main() {
  const std::string first = first_copy(), second = second_copy();
  const bool own =
      first.find("was cut to ") != std::string::npos && second.find("was cut to ") != std::string::npos;
  if (!own || first == second || first != first_copy()) {
    std::printf("copies failed:\n%s\n%s\n", first.c_str(), second.c_str());
    return 1;
  }
  std::puts("copies passed");
}
