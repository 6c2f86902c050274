// Pictures to pixels: the built-in decoder of JPEG files (libturbojpeg, where the system has it) and functions of the program.
#pragma once

#include <memory>
#include <string>

#include "array/array.h"
#include "base/error.h"
#include "io/picture_request.h"
#include "kernels/image/picture_rows.h"

namespace mixgrad::io {

// A function of the program that decodes. Any thread, several at a time.
class Decoder {
 public:
  explicit Decoder(std::string name) : name_(std::move(name)) {}
  virtual ~Decoder() = default;
  const std::string& name() const { return name_; }
  // A header of a picture whose format we do not know. False: not its format either.
  virtual bool probe(Bytes bytes, PictureHeader* out) = 0;
  // Writes height x width x channels bytes in the stored orientation. False: it does not read such pictures. Throws Error for
  // a damaged one.
  virtual bool decode(Bytes bytes, const PictureHeader& header, int channels, bool bgr, uint8_t* out) = 0;

 private:
  const std::string name_;
};

// Asked after the built-in one, the newest first.
void register_decoder(std::shared_ptr<Decoder> decoder);

// Pictures of more pixels are refused; at first 2^28. Counts for the process.
uint64_t most_pixels();
void set_most_pixels(uint64_t pixels);

// The header, by our own readers or, for other formats, by registered decoders. Throws Status::format for what is damaged,
// unknown, or has more pixels than most_pixels(). Takes no memory for pixels.
PictureHeader probe_picture(Bytes bytes);

// Whether it can be decoded at 1/8 to 7/8 of its size.
bool can_scale(const PictureHeader& header);

// Throws Status::unsupported for a scale that the picture cannot have.
PictureSize decoded_size(const PictureHeader& header, const PictureRequest& request);

// Rows of a part of the picture, decoded as they are asked for, with the pixels of decode_picture. Null where it can only be decoded as
// a whole. Belongs to one thread; `bytes` stay where they are.
std::unique_ptr<picture::PictureRows> decode_rows(Bytes bytes, const PictureHeader& header,
                                                  const PictureRequest& request, const PicturePart& part);

// Writes decoded_size() bytes. Throws Status::format for a damaged picture, Status::unsupported where no decoder reads it.
void decode_picture(Bytes bytes, const PictureHeader& header, const PictureRequest& request, uint8_t* out);

// An array of shape (height, width, channels) that a task of the engine decodes into, from a copy of the bytes. What the header
// shows to be wrong is thrown here, all else by who waits for the array. `name`: what messages call the picture, or empty.
ArrayRef decode_later(Bytes bytes, const PictureRequest& request, const std::string& name);

// The same error with the place of the picture in its message.
Error placed(const Error& error, const std::string& place);

}  // namespace mixgrad::io
