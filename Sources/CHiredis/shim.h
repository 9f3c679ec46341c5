#pragma once
#include <hiredis/hiredis.h>

// The library makes room for as many elements as a server announces. No reply of ours has more
// than this.
enum { layoutd_max_elements = 4096 };

#if HIREDIS_MAJOR >= 1
typedef size_t layoutd_element_count;
#else
typedef int layoutd_element_count;
#endif

// As the library's own function, which is behind `privdata`, but for few elements.
static inline void *layoutd_create_array(const redisReadTask *task, layoutd_element_count count) {
  const redisReplyObjectFunctions *library = (const redisReplyObjectFunctions *)task->privdata;
  return count > layoutd_max_elements ? NULL : library->createArray(task, count);
}

// Has a reader use these functions, which must live as long as it does.
static inline void layoutd_bound_arrays(redisReader *reader, redisReplyObjectFunctions *functions) {
  *functions = *reader->fn;
  functions->createArray = layoutd_create_array;
  reader->privdata = (void *)reader->fn;
  reader->fn = functions;
}
