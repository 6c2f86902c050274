#include "kernel_source/kernel_source.h"

#include <algorithm>
#include <cstring>

#include "op/scalar.h"

namespace mixgrad {
namespace {

constexpr const char* kTypeNames[kNumComputeTypes] = {"float", "double", "int32_t", "int64_t"};
constexpr const char* kTypeSuffixes[kNumComputeTypes] = {"_f32", "_f64", "_i32", "_i64"};

// The type of a field in struct Params; null where it is not there.
const char* packed_type(const Field& field) {
  if (field.optional) return nullptr;
  switch (field.type) {
    case FieldType::boolean: return "bool";
    case FieldType::int32:
    case FieldType::enumeration: return "int32_t";
    case FieldType::int64: return "int64_t";
    case FieldType::float32: return "float";
    case FieldType::float64: return "double";
    default: return nullptr;
  }
}
size_t packed_bytes(const Field& field) {
  if (field.type == FieldType::boolean) return 1;
  return field.type == FieldType::int64 || field.type == FieldType::float64 ? 8 : 4;
}

// Calls visit(field, offset) for each field of struct Params; returns the struct's size.
template <class Visit>
size_t visit_packed(const Schema& schema, Visit visit) {
  size_t at = 0, alignment = 1;
  const auto align_up = [](size_t value, size_t to) { return (value + to - 1) / to * to; };
  for (const Field& field : schema.fields) {
    if (!packed_type(field)) continue;
    const size_t bytes = packed_bytes(field);
    alignment = std::max(alignment, bytes);
    at = align_up(at, bytes);
    visit(field, at);
    at += bytes;
  }
  return std::max<size_t>(1, align_up(at, alignment));
}

Kernel listed_kernel(const KernelText& text) {
  Kernel kernel;
  kernel.kind = text.kind;
  kernel.text = text.text;
  kernel.operands = text.operands;
  if (text.kind == KernelKind::pointwise) {
    const char* const slash = std::strrchr(text.file, '/');
    kernel.name = slash ? slash + 1 : text.file;
    kernel.name = kernel.name.substr(0, kernel.name.find('.')) + "_" + std::to_string(text.line);
    kernel.schema = &text.schema();
  } else {
    kernel.name = text.text;
    kernel.name.replace(kernel.name.find("::"), 2, "_");
  }
  return kernel;
}

std::string params_struct(const Schema& schema) {
  std::string source = "struct Params {\n";
  const size_t size = visit_packed(schema, [&](const Field& field, size_t) {
    source += std::string("  ") + packed_type(field) + " " + field.name + ";\n";
  });
  return source + "};\nstatic_assert(sizeof(Params) == " + std::to_string(size) + ");\n";
}

// The skeleton: one thread takes every so manieth element.
std::string entry_of(const std::string& name, const std::string& parameters, const std::string& step) {
  return "extern \"C\" __global__ void " + name + "(" + parameters +
         ") {\n"
         "  const int64_t stride = int64_t{gridDim.x} * blockDim.x;\n"
         "  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {\n" +
         step + "  }\n}\n";
}

std::string pointwise_source(const Kernel& kernel) {
  std::string source = params_struct(*kernel.schema);
  source +=
      "template <class T>\ninline T element(T x, T y, T z, const Params& p) {\n  return "
      "static_cast<T>(";
  source += std::string(kernel.text) + ");\n}\n";
  for (int type = 0; type < kNumComputeTypes; ++type) {
    if (!has_entry(kernel, static_cast<ComputeType>(type))) continue;
    const std::string t = kTypeNames[type];
    std::string parameters, values;
    for (int i = 0; i < 3; ++i) {
      const std::string name(1, "xyz"[i]);
      if (i < kernel.operands) parameters += "const " + t + "* " + name + ", ";
      values += i < kernel.operands ? name + "[i], " : t + "(0), ";
    }
    source += entry_of(kernel_entry(kernel, static_cast<ComputeType>(type)),
                       parameters + t + "* out, int64_t n, Params p",
                       "    out[i] = element<" + t + ">(" + values + "p);\n");
  }
  return source;
}

std::string formula_source(const Kernel& kernel) {
  std::string source;
  for (const ComputeType type : {kComputeF32, kComputeF64}) {
    const std::string t = kTypeNames[type], f = std::string(kernel.text) + "<" + t + "> f";
    const std::string name = kernel_entry(kernel, type);
    if (kernel.kind == KernelKind::random) {
      source += entry_of(
          name, "const " + t + "* x, " + t + "* factor, " + t + "* out, int64_t n, RandomKey key, " + f,
          "    f.step(random_word(key, i), x[i], factor[i], out[i]);\n");
      continue;
    }
    std::string parameters, read, step = "f.step(weight[i], grad[i]", write;
    for (int s = 0; s < 3; ++s) {
      const std::string number = std::to_string(s);
      const bool there = s < kernel.operands;
      if (there) parameters += t + "* state" + number + ", ";
      read += "    " + t + " s" + number + " = " + (there ? "state" + number + "[i]" : "0") + ";\n";
      step += ", s" + number;
      if (there) write += "    state" + number + "[i] = s" + number + ";\n";
    }
    source += entry_of(
        name,
        "const " + t + "* weight, const " + t + "* grad, " + t + "* out, " + parameters + "int64_t n, " + f,
        read + "    out[i] = " + step + ");\n" + write);
  }
  return source;
}

// The header of a formula that is called <x>::F.
std::string formula_header(const char* text) {
  const std::string name = text;
  return "kernels/formulas/" + name.substr(0, name.find("::")) + "_formula.h";
}

}  // namespace

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> kernels;
  for (const Op* op : all_ops()) {
    const Pointwise& loops = op->pointwise;
    if (!loops.expression) continue;
    kernels.push_back({op->name, KernelKind::pointwise, loops.expression, arity_of(loops.expression),
                       loops.tile[kComputeI32] != nullptr, op->schema});
  }
  const auto registered = static_cast<std::ptrdiff_t>(kernels.size());
  for (const KernelText* text = listed_kernel_texts; text; text = text->next)
    kernels.push_back(listed_kernel(*text));
  const auto by_name = [](const Kernel& a, const Kernel& b) { return a.name < b.name; };
  std::sort(kernels.begin() + registered, kernels.end(), by_name);
  // A formula of several translation units is listed by each of them where their types are their own.
  kernels.erase(std::unique(kernels.begin() + registered, kernels.end(),
                            [](const Kernel& a, const Kernel& b) {
                              return a.name == b.name && std::strcmp(a.text, b.text) == 0;
                            }),
                kernels.end());
  return kernels;
}

bool has_entry(const Kernel& kernel, ComputeType type) {
  return type == kComputeF32 || type == kComputeF64 || kernel.integers;
}

std::string kernel_entry(const Kernel& kernel, ComputeType type) {
  return "mg_" + kernel.name + kTypeSuffixes[type];
}

std::string kernel_source(Span<const Kernel> kernels) {
  std::vector<std::string> headers = {"kernel_source/kernel_prelude.cuh"};
  const auto include = [&](const std::string& name) {
    if (std::find(headers.begin(), headers.end(), name) == headers.end()) headers.push_back(name);
  };
  for (const Kernel& kernel : kernels) {
    if (kernel.kind == KernelKind::pointwise) {
      include("kernels/math/math_trig.h");
      include(std::strstr(kernel.text, "math_special::") ? "kernels/math/math_special.cc"
                                                         : "kernels/math/math_special.h");
      continue;
    }
    include(formula_header(kernel.text));
    if (kernel.kind == KernelKind::random) include("kernels/random/random.h");
  }
  std::string source;
  for (const std::string& header : headers) source += "#include \"" + header + "\"\n";
  source += "namespace mixgrad::ops {\n";
  for (size_t k = 0; k < kernels.size(); ++k) {
    const Kernel& kernel = kernels[k];
    // A namespace of its own, for its Params.
    source += "namespace kernel" + std::to_string(k) + " {\n";
    source += kernel.kind == KernelKind::pointwise ? pointwise_source(kernel) : formula_source(kernel);
    source += "}\n";
  }
  return source + "}\n";
}

size_t kernel_params_size(const Schema& schema) {
  return visit_packed(schema, [](const Field&, size_t) {});
}

void pack_kernel_params(const Schema& schema, const void* params, void* to) {
  std::memset(to, 0, kernel_params_size(schema));
  visit_packed(schema, [&](const Field& field, size_t at) {
    std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(params) + field.offset,
                packed_bytes(field));
  });
}

}  // namespace mixgrad
