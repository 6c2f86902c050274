// Fresh memory of one byte, and guards around blocks.
#include <cstring>

#include "check.h"
#include "kernels/scratch.h"
#include "storage/guard.h"
#include "storage/poison.h"

using namespace mixgrad;

TEST(storage_fills_new_memory) {
  for (const int byte : {0xDB, 0x7F}) {
    storage::fill_new(byte);
    for (const size_t bytes : {size_t{1}, size_t{63}, size_t{40000}, size_t{3} << 20}) {
      const storage::Buffer buffer(Device(), bytes);
      const auto* data = static_cast<const unsigned char*>(buffer.data());
      for (size_t i = 0; i < bytes; ++i) CHECK_EQ(int{data[i]}, byte);
      CHECK_EQ(reinterpret_cast<uintptr_t>(data) % 64, uintptr_t{0});
    }
    const Scratch scratch(100);
    CHECK_EQ(int{scratch.as<unsigned char>()[99]}, byte);
    storage::fill_new(-1);
  }
  storage::check_guards();
  CHECK_THROWS(storage::fill_new(256), invalid_argument, "256");
}

#if !MIXGRAD_ASAN  // which reports the write itself
TEST(storage_guards_find_writes_beside_blocks) {
  for (const int place : {-1, 10}) {
    storage::fill_new(0);
    {
      const storage::Buffer buffer(Device(), 10);
      static_cast<char*>(buffer.data())[place] = 1;
    }
    storage::fill_new(-1);
    CHECK_THROWS(storage::check_guards(), internal,
                 place < 0 ? "before a block of 10" : "behind a block of 10");
    storage::check_guards();  // says it once
  }
}
#endif
