#pragma once
#include <zlib.h>

// The two initializers are macros, which Swift does not import.

/// Begins compression to the gzip format (RFC 1952).
static inline int czlib_begin_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// Begins decompression of the gzip format alone.
static inline int czlib_begin_gunzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
