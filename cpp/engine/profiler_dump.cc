#include "base/file_writer.h"
#include "engine/profiler.h"

namespace mixgrad::engine {

void profiler_dump(const std::string& path) {
  const std::string trace = profiler_trace();
  FileWriter file(path, "profiler_dump");
  file.write(trace.data(), trace.size());
  file.commit();
}

}  // namespace mixgrad::engine
