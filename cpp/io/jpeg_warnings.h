// What libjpeg warns of and then goes on: whether the pixels are those of the picture all the same.
#pragma once

namespace mixgrad::io {

enum class JpegStage {
  header,  // before the first scan
  scan,    // of a file with one scan
  scans    // of a file with several
};

// `text`: as the library formats it. Where a file of one scan ends early another warning tells whether pixels are missing; a file of
// several would lack scans without one. Bytes without a meaning are harmless before the first scan and at the end of the file;
// between scans or restarts some pixels were decoded from fewer bytes than they had.
bool is_benign_jpeg_warning(const char* text, JpegStage stage);

}  // namespace mixgrad::io
