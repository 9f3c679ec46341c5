#ifndef CEMBEDDED_H
#define CEMBEDDED_H

// The files that are embedded in the program. C can embed a file, and compiles that at once; an
// array literal in Swift takes a minute.

#include <stddef.h>
#include <stdint.h>

typedef struct {
  /// The path under which the server has the file, without a slash at its start; NULL behind the
  /// last file.
  const char *path;
  const uint8_t *bytes;
  size_t count;
} cembedded_file;

/// A file by its number, from 0.
cembedded_file cembedded_file_at(size_t index);

#endif
