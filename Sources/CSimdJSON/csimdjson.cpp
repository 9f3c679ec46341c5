#include "csimdjson.h"

#include <memory>
#include <new>
#include <simdjson.h>

static_assert(CSIMDJSON_PADDING >= simdjson::SIMDJSON_PADDING, "stage 1 reads this far");

struct csimdjson_index {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
};

csimdjson_index *csimdjson_index_create(void) { return new (std::nothrow) csimdjson_index; }

void csimdjson_index_destroy(csimdjson_index *index) { delete index; }

bool csimdjson_index_build(
  csimdjson_index *index, const uint8_t *text, size_t length, const uint32_t **positions,
  size_t *count
) {
  const simdjson::implementation &implementation = *simdjson::get_active_implementation();
  if (!index->parser) {
    if (implementation.create_dom_parser_implementation(length, 1, index->parser)) { return false; }
  } else if (index->parser->capacity() < length && index->parser->set_capacity(length)) {
    return false;
  }
  if (index->parser->stage1(text, length, simdjson::stage1_mode::regular)) { return false; }
  *positions = index->parser->structural_indexes.get();
  *count = index->parser->n_structural_indexes;
  return true;
}

bool csimdjson_number(const uint8_t *text, double *value) {
  return simdjson::builtin::numberparsing::parse_double(text).get(*value) == simdjson::SUCCESS;
}
