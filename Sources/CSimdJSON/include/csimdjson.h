#ifndef CSIMDJSON_H
#define CSIMDJSON_H

// A C face on the two parts of simdjson that a reader of JSON bodies is built from: the
// vectorised scan that finds where tokens begin, and the exact conversion of numbers.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that must follow a text in memory.
#define CSIMDJSON_PADDING 64

/// Memory for the token positions of one text at a time. Belongs to one thread at a time.
typedef struct csimdjson_index csimdjson_index;

/// An empty index; NULL without memory. The caller destroys it.
csimdjson_index *csimdjson_index_create(void);
void csimdjson_index_destroy(csimdjson_index *index);

/// Finds where each token of a text begins: every `{ } [ ] : ,`, and the first byte of every
/// string, number and literal, in ascending order.
///
/// What is inside a token is not checked, but for this: the text must be UTF-8, every string must
/// end, and no string may hold a control character.
///
/// - text: `length` bytes, then `CSIMDJSON_PADDING` more that can be read.
/// - positions: Set to the positions, which belong to the index, until it is built again. Behind
///   them comes the length.
/// - Returns: Whether the text has tokens and none of these faults, and there was memory.
/// - Complexity: O(length), at several GB/s.
bool csimdjson_index_build(
  csimdjson_index *index, const uint8_t *text, size_t length, const uint32_t **positions,
  size_t *count);

/// Converts the number that begins here to the nearest double.
///
/// - Returns: Whether it is a number by RFC 8259, ends where a token can end, and is finite.
bool csimdjson_number(const uint8_t *text, double *value);

#ifdef __cplusplus
}
#endif

#endif
