// A C++ program as a user of the installed package writes it.
#include <cstdio>
#include <mixgrad.hpp>

int main() {
  const mx::NDArray x({2, 3}, 1.f);
  std::printf("%s %g\n", mg_version(), (x * 2 + 1).to_vector<float>()[5]);
}
