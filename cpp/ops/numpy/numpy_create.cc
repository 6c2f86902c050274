// Arrays from nothing in NumPy's namespace: extents are as given, also 0 and (); windows, grids, indices.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/load.h"
#include "kernels/loops/convert.h"
#include "launch/composed.h"
#include "ops/numpy/numpy.h"

namespace mixgrad::ops::numpy_create {
namespace {

constexpr const char* kCtxDoc =
    "Device such as 'cpu(0)'; only stored in files, calls use the current device.";

struct ExtentParams {
  Shape shape;
  std::string ctx;
  DType dtype = DType::float32;
  static void fields(Fields<ExtentParams>& f) {
    f.add("shape", &ExtentParams::shape, "Extents of the output.", at_least(0))
        .add("ctx", &ExtentParams::ctx, kCtxDoc)
        .add("dtype", &ExtentParams::dtype, "Element type.");
  }
};
struct IndicesParams {
  Shape dimensions;
  DType dtype = DType::int32;
  std::string ctx;
  static void fields(Fields<IndicesParams>& f) {
    f.required("dimensions", &IndicesParams::dimensions, "Extents of the grid.", at_least(0))
        .add("dtype", &IndicesParams::dtype, "Element type.")
        .add("ctx", &IndicesParams::ctx, kCtxDoc);
  }
};
struct EyeParams {
  int64_t rows = 0;
  std::optional<int64_t> columns;
  int64_t k = 0;
  std::string ctx;
  DType dtype = DType::float32;
  static void fields(Fields<EyeParams>& f) {
    f.required("N", &EyeParams::rows, "Rows.", at_least(0))
        .add("M", &EyeParams::columns, "Columns; None stands for as many as rows.", at_least(0))
        .add("k", &EyeParams::k, "Which diagonal holds the ones: above 0 to the right of the main one.")
        .add("ctx", &EyeParams::ctx, kCtxDoc)
        .add("dtype", &EyeParams::dtype, "Element type.");
  }
};
struct LogspaceParams {
  double start = 0, stop = 0;
  int32_t num = 0;
  bool endpoint = true;
  double base = 10;
  std::string ctx;
  DType dtype = DType::float32;
  static void fields(Fields<LogspaceParams>& f) {
    f.required("start", &LogspaceParams::start, "First exponent.")
        .required("stop", &LogspaceParams::stop, "Last exponent, or the one after it.")
        .required("num", &LogspaceParams::num, "How many numbers.", at_least(0))
        .add("endpoint", &LogspaceParams::endpoint, "Whether stop is the last exponent.")
        .add("base", &LogspaceParams::base, "Base of the powers.")
        .add("ctx", &LogspaceParams::ctx, kCtxDoc)
        .add("dtype", &LogspaceParams::dtype, "Element type.");
  }
};
struct WindowParams {
  std::optional<int64_t> length;
  std::string ctx;
  DType dtype = DType::float32;
  static void fields(Fields<WindowParams>& f) {
    f.add("M", &WindowParams::length, "How many numbers; below 1 none.")
        .add("ctx", &WindowParams::ctx, kCtxDoc)
        .add("dtype", &WindowParams::dtype, "Element type.");
  }
  int64_t count() const { return length && *length > 0 ? *length : 0; }
};
struct LikeParams {
  double fill_value = 0;
  std::string ctx;
  std::optional<DType> dtype;
  static void fields(Fields<LikeParams>& f) {
    f.required("fill_value", &LikeParams::fill_value, "Every element.")
        .add("ctx", &LikeParams::ctx, kCtxDoc)
        .add("dtype", &LikeParams::dtype, "Element type; None is that of the input.");
  }
};

// Writes f(place) everywhere.
template <class F>
void write_numbers(const View& out, F f) {
  constexpr int64_t kTile = 512;
  double tile[kTile];
  for (int64_t at = 0; at < out.size(); at += kTile) {
    const int64_t n = std::min(kTile, out.size() - at);
    for (int64_t i = 0; i < n; ++i) tile[i] = f(at + i);
    convert(tile, DType::float64, out.as<char>() + static_cast<size_t>(at) * size_of(out.dtype), out.dtype,
            n);
  }
}

template <class P>
Define<P> creation(const char* name, Text doc) {
  Define<P> define(name);
  define.doc(doc)
      .origin("MXNet np_init_op")
      .dtype([](const P& p, DTypeInfer& d) { d.set_out(0, p.dtype); })
      .no_gradient();
  return define;
}

void all_of(Define<ExtentParams> define,
            define::Given<ExtentParams, define::kKernel, void, KernelArgs&> kernel) {
  define.shape([](const ExtentParams& p, ShapeInfer& s) { s.set_out(0, p.shape); })
      .kernel(kernel)
      .element_cost(0.1)
      .done();
}

// Terms of cos(2 pi i / (M - 1)) and cos(4 pi i / (M - 1)).
void add_window(const char* name, Text doc, void (*kernel)(const WindowParams&, KernelArgs&)) {
  creation<WindowParams>(name, doc)
      .shape([](const WindowParams& p, ShapeInfer& s) { s.set_out(0, Shape{p.count()}); })
      .kernel(kernel)
      .element_cost(20)
      .done();
}
template <int kConstant, int kFirst, int kSecond>  // in hundredths
void window_kernel(const WindowParams& p, KernelArgs& args) {
  const int64_t n = p.count();
  write_numbers(args.out[0], [&](int64_t i) {
    if (n == 1) return 1.0;
    const double angle = 6.283185307179586 * static_cast<double>(i) / static_cast<double>(n - 1);
    return (kConstant - kFirst * std::cos(angle) + kSecond * std::cos(2 * angle)) / 100;
  });
}

const bool kRegistered = at_load([] {
  all_of(creation<ExtentParams>("_npi_zeros", "Array of zeros."), [](const ExtentParams&, KernelArgs& args) {
    write_numbers(args.out[0], [](int64_t) { return 0.0; });
  });
  all_of(creation<ExtentParams>("_npi_ones", "Array of ones."), [](const ExtentParams&, KernelArgs& args) {
    write_numbers(args.out[0], [](int64_t) { return 1.0; });
  });
  creation<ExtentParams>("_npi_identity", "A square matrix with ones on its diagonal and zeros elsewhere.")
      .shape([](const ExtentParams& p, ShapeInfer& s) {
        if (p.shape.ndim() != 2 || p.shape[0] != p.shape[1])
          s.reject("shape is ", p.shape, "; expected (n, n)");
        s.set_out(0, p.shape);
      })
      .kernel([](const ExtentParams& p, KernelArgs& args) {
        const int64_t n = p.shape[0];
        write_numbers(args.out[0], [n](int64_t i) { return i / n == i % n ? 1.0 : 0.0; });
      })
      .done();
  creation<EyeParams>("_npi_eye", "A matrix (N, M) with ones on diagonal k and zeros elsewhere.")
      .shape([](const EyeParams& p, ShapeInfer& s) {
        s.set_out(0, Shape{p.rows, p.columns.value_or(p.rows)});
      })
      .kernel([](const EyeParams& p, KernelArgs& args) {
        const int64_t n = args.out[0].shape()[1];
        write_numbers(args.out[0], [&](int64_t i) { return i % n - i / n == p.k ? 1.0 : 0.0; });
      })
      .done();
  creation<LogspaceParams>("_npi_logspace", "Powers whose exponents are evenly spaced.")
      .shape([](const LogspaceParams& p, ShapeInfer& s) { s.set_out(0, Shape{p.num}); })
      .kernel([](const LogspaceParams& p, KernelArgs& args) {
        const int64_t steps = p.endpoint ? p.num - 1 : p.num;
        const double step = steps > 0 ? (p.stop - p.start) / static_cast<double>(steps) : 0;
        write_numbers(args.out[0],
                      [&](int64_t i) { return std::pow(p.base, p.start + static_cast<double>(i) * step); });
      })
      .element_cost(20)
      .done();
  creation<IndicesParams>("_npi_indices",
                          "The coordinates of a grid's places: (axes,) and the grid's extents.")
      .shape([](const IndicesParams& p, ShapeInfer& s) {
        Shape out = p.dimensions;
        out.insert(0, p.dimensions.ndim());
        s.set_out(0, out);
      })
      .kernel([](const IndicesParams& p, KernelArgs& args) {
        const Shape& grid = p.dimensions;
        const int64_t places = grid.size();
        write_numbers(args.out[0], [&](int64_t i) {
          const int axis = static_cast<int>(i / places);
          return static_cast<double>(i % places / grid.size(axis + 1, grid.ndim()) % grid[axis]);
        });
      })
      .done();
  add_window("_npi_hanning", "Hann's window, 0 at its ends.", window_kernel<50, 50, 0>);
  add_window("_npi_hamming", "Hamming's window.", window_kernel<54, 46, 0>);
  add_window("_npi_blackman", "Blackman's window.", window_kernel<42, 50, 8>);
});

const Op& full_like =
    Define<LikeParams>("_npi_full_like")
        .doc("One value everywhere, in the shape of an array.")
        .origin("MXNet _npi_full_like")
        .input("a", "Gives the shape, and the dtype if no other is asked for.")
        .dtype([](const LikeParams& p, DTypeInfer& d) { d.set_out(0, p.dtype.value_or(d.in(0))); })
        .kernel([](const LikeParams& p, KernelArgs& args) {
          write_numbers(args.out[0], [&](int64_t) { return p.fill_value; });
        })
        .element_cost(0.2)
        .grad_needs({}, {})
        .no_gradient();

const Op& diagonal_indices =
    Define<>("_npi_diag_indices_from")
        .doc("Coordinates of the main diagonal of an array of equal extents: (axes, extent).")
        .origin("MXNet _npi_diag_indices_from")
        .input("data", "At least two axes, of one extent.")
        .shape([](const NoParams&, ShapeInfer& s) {
          if (!s.known(0)) return;
          const Shape& in = s.in(0);
          for (int i = 0; i < in.ndim(); ++i) {
            if (in[i] != in[0]) s.reject("expected axes of one extent");
          }
          if (in.ndim() < 2) s.reject("expected at least two axes");
          s.set_out(0, {in.ndim(), in[0]});
        })
        .dtype([](const NoParams&, DTypeInfer& d) { d.set_out(0, DType::int64); })
        .kernel([](const NoParams&, KernelArgs& args) {
          const int64_t n = args.in[0].shape()[0];
          write_numbers(args.out[0], [n](int64_t i) { return static_cast<double>(i % n); });
        })
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::numpy_create
