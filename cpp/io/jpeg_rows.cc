#include "io/jpeg_rows.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "io/jpeg_warnings.h"

namespace mixgrad::io {
namespace {

// Colours that are stored for several pixels are blended with their neighbours': pixels at the edges of a crop of the library
// lack one of them, unless the picture ends there, too.
constexpr int64_t kCropMargin = 2;

// The library writes rows that are aligned to vectors past the caches, where they are wanted next.
constexpr size_t kOutOfLine = 8;

// Of a progressive file, as libturbojpeg: hundreds of scans that change nothing are an attack.
constexpr int kMostScans = 500;

class JpegRows final : public picture::PictureRows {
 public:
  JpegRows(const LibjpegFunctions& library, Bytes bytes)
      : library_(library), bytes_(bytes), room_(library.size) {
    std::memset(room_.data(), 0, library.size);
    decoder_ = room_.as<LibjpegDecoder>();
    decoder_->error = library.standard_error(&state_.error);
    state_.error.error_exit = [](LibjpegDecoder* decoder) { leave(decoder); };
    // Damage that the library would go on after.
    state_.error.emit_message = [](LibjpegDecoder* decoder, int level) {
      if (level >= 0) return;
      auto* const state = reinterpret_cast<State*>(decoder->error);
      state->error.format_message(decoder, state->text);
      if (!is_benign_jpeg_warning(state->text, state->stage)) leave(decoder);
    };
    state_.progress.monitor = [](LibjpegDecoder* decoder) {
      if (decoder->scan <= kMostScans) return;
      auto* const state = reinterpret_cast<State*>(decoder->error);
      std::snprintf(state->text, sizeof state->text, "it has more than %d scans", kMostScans);
      std::longjmp(state->left, 1);
    };
    call([this] {
      library_.create(decoder_, library_.version, library_.size);
      decoder_->progress = &state_.progress;
    });
  }
  ~JpegRows() override { library_.destroy(decoder_); }
  JpegRows(const JpegRows&) = delete;
  JpegRows& operator=(const JpegRows&) = delete;

  // False for a file in several scans.
  bool open(const PictureHeader& header, const PictureRequest& request, const PictureSize& size,
            const PicturePart& part) {
    if (read_header() == JpegStage::scans) return false;
    start(request, size);
    group_ = static_cast<unsigned>(header.most_v);
    top_ = part.y;
    const int64_t left = std::max<int64_t>(0, part.x - kCropMargin);
    auto x = static_cast<unsigned>(left);
    auto across = static_cast<unsigned>(std::min(size.width, part.x + part.width + kCropMargin) - left);
    if (across < size.width) call([&] { library_.crop(decoder_, &x, &across); });
    skipped_bytes_ = (part.x - x) * size.channels;
    row_room_ = Scratch(kOutOfLine +
                        static_cast<size_t>(decoder_->output_width) * static_cast<size_t>(size.channels) +
                        picture::kRowSlack);
    row_ = row_room_.as<uint8_t>() + kOutOfLine;
    return true;
  }

  const uint8_t* row(int64_t y) override {
    const auto wanted = static_cast<unsigned>(top_ + y);
    if (decoder_->next_row > wanted + 1 || wanted >= height_)
      fail(Status::internal, "[image] row ", wanted, " of a JPEG behind row ", decoder_->next_row, " of ",
           height_);
    call([&] {
      unsigned char* out = row_;
      while (decoder_->next_row <= wanted) {
        // Rows are left out from the first of a group on; from another on, versions up to 3 give wrong ones behind.
        if (decoder_->next_row < wanted && decoder_->next_row % group_ == 0)
          library_.skip(decoder_, wanted - decoder_->next_row);
        if (library_.read(decoder_, &out, 1) != 1) break;
      }
    });
    if (decoder_->next_row != wanted + 1)
      fail(Status::format, "[image] JPEG is damaged: it gives ", decoder_->next_row, " rows of ", height_);
    return row_ + skipped_bytes_;
  }

  void finish() override {
    if (decoder_->next_row == height_) return call([this] { library_.finish(decoder_); });
    // No block holds the mark of the end: a zero follows each 0xff that is a part of one. The library may have just read it.
    const unsigned char *at = decoder_->source->next - 2, *const end = bytes_.end();
    while ((at = static_cast<const unsigned char*>(std::memchr(at, 0xff, static_cast<size_t>(end - at))))) {
      if (++at == end) break;
      if (*at == 0xd9) return;
    }
    read_rest();
  }

  void decode(const PictureRequest& request, const PictureSize& size, uint8_t* out) {
    read_header();
    start(request, size);
    const size_t bytes = static_cast<size_t>(size.width) * static_cast<size_t>(size.channels);
    read_rest([&](unsigned y) { return out + y * bytes; });
  }

  // Decodes all of it, as small as it can be: entropy decoding is what finds damage.
  void check() {
    read_header();
    call([this] {
      decoder_->scale = 1;
      decoder_->scale_of = 8;
      library_.start(decoder_);
    });
    height_ = decoder_->output_height;
    row_room_ = Scratch(size_t{decoder_->output_width} * static_cast<size_t>(decoder_->output_components));
    row_ = row_room_.as<uint8_t>();
    read_rest();
  }

 private:
  struct State {
    LibjpegError error;  // first, so that the library's functions find the rest
    LibjpegProgress progress;
    std::jmp_buf left;
    char text[kLibjpegTextBytes];
    JpegStage stage = JpegStage::header;
  };

  JpegStage read_header() {
    bool several = false;
    call([&] {
      library_.set_memory(decoder_, bytes_.data(), static_cast<unsigned long>(bytes_.size()));
      library_.read_header(decoder_, 1);
      several = library_.has_several_scans(decoder_) != 0;
    });
    return state_.stage = several ? JpegStage::scans : JpegStage::scan;
  }

  void start(const PictureRequest& request, const PictureSize& size) {
    decoder_->space = size.channels == 1 ? kLibjpegGrey : request.bgr ? kLibjpegBgr : kLibjpegRgb;
    decoder_->scale = static_cast<unsigned>(request.eighths);
    decoder_->scale_of = 8;
    call([this] { library_.start(decoder_); });
    if (decoder_->output_width != size.width || decoder_->output_height != size.height ||
        decoder_->output_components != size.channels)
      fail(Status::format, "[image] JPEG is damaged: a second header makes it ", decoder_->output_width,
           " x ", decoder_->output_height, " pixels; expected ", size.width, " x ", size.height);
    height_ = static_cast<unsigned>(size.height);
  }

  void read_rest() {
    read_rest([this](unsigned) { return row_; });
  }

  // `row_at(y)`: where row y goes.
  template <class RowAt>
  void read_rest(RowAt row_at) {
    call([&] {
      while (decoder_->next_row < height_) {
        unsigned char* out = row_at(decoder_->next_row);
        if (library_.read(decoder_, &out, 1) != 1) break;
      }
      if (decoder_->next_row == height_) library_.finish(decoder_);
    });
    if (decoder_->next_row != height_)
      fail(Status::format, "[image] JPEG is damaged: it gives ", decoder_->next_row, " rows of ", height_);
  }

  [[noreturn]] static void leave(LibjpegDecoder* decoder) {
    auto* const state = reinterpret_cast<State*>(decoder->error);
    state->error.format_message(decoder, state->text);
    std::longjmp(state->left, 1);
  }

  // Calls functions of the library, which leave by longjmp where something is wrong: `fn` holds nothing that needs a destructor.
  template <class Fn>
  void call(Fn fn) {
    if (setjmp(state_.left)) fail(Status::format, "[image] JPEG is damaged: ", state_.text);
    fn();
  }

  const LibjpegFunctions& library_;
  const Bytes bytes_;
  const Scratch room_;
  LibjpegDecoder* decoder_ = nullptr;
  State state_{};
  unsigned height_ = 0, group_ = 1;
  int64_t top_ = 0;
  int64_t skipped_bytes_ = 0;  // of a row, before the part
  Scratch row_room_;
  uint8_t* row_ = nullptr;
};

}  // namespace

void decode_jpeg_rows(const LibjpegFunctions& library, Bytes bytes, const PictureRequest& request,
                      const PictureSize& size, uint8_t* out) {
  JpegRows(library, bytes).decode(request, size, out);
}

void check_jpeg(const LibjpegFunctions& library, Bytes bytes) { JpegRows(library, bytes).check(); }

std::unique_ptr<picture::PictureRows> open_jpeg_rows(const LibjpegFunctions& library, Bytes bytes,
                                                     const PictureHeader& header,
                                                     const PictureRequest& request, const PictureSize& size,
                                                     const PicturePart& part) {
  // The library crops such pictures at smaller scales a little differently from whole ones.
  if (request.eighths != 8 && (header.most_h > 2 || header.most_v > 2)) return nullptr;
  auto rows = std::make_unique<JpegRows>(library, bytes);
  if (!rows->open(header, request, size, part)) return nullptr;
  return rows;
}

}  // namespace mixgrad::io
