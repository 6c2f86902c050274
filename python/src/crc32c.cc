// CRC-32C (Castagnoli's polynomial, bits reversed), the checksum of records in event files: eight bytes a step, by tables.
#include "crc32c.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace py = pybind11;

namespace {

constexpr uint32_t kPolynomial = 0x82F63B78;
constexpr size_t kStep = 8;

// Row r: what a byte does to the checksum after r further bytes.
using Tables = std::array<std::array<uint32_t, 256>, kStep>;

constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t r = 1; r < kStep; ++r) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[r - 1][byte];
      tables[r][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}
constexpr Tables kTables = make_tables();

uint32_t crc32c(std::string_view bytes) {
  uint32_t crc = 0xFFFFFFFF;
  size_t i = 0;
  for (; i + kStep <= bytes.size(); i += kStep) {
    uint32_t next = 0;
    for (size_t k = 0; k < kStep; ++k) {
      uint32_t byte = static_cast<unsigned char>(bytes[i + k]);
      if (k < 4) byte ^= (crc >> (8 * k)) & 0xFF;
      next ^= kTables[kStep - 1 - k][byte];
    }
    crc = next;
  }
  for (; i < bytes.size(); ++i)
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(bytes[i])) & 0xFF];
  return crc ^ 0xFFFFFFFF;
}

}  // namespace

namespace mixgrad_python {

void add_crc32c(py::module_& m) {
  m.def("crc32c", [](const py::bytes& content) {
    const std::string_view bytes = content;
    const py::gil_scoped_release unlocked;
    return crc32c(bytes);
  });
}

}  // namespace mixgrad_python
