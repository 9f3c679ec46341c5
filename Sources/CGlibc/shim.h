/* What Swift's Glibc leaves out: <malloc.h>, and what stands behind _GNU_SOURCE. */
#ifndef CGLIBC_SHIM_H
#define CGLIBC_SHIM_H

#include <malloc.h>

extern char **environ;

/* Swift takes the variable itself for shared mutable state. */
static inline char **glibc_environment(void) { return environ; }

extern int sched_getcpu(void);

#endif
