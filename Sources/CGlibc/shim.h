/* Declarations that Swift's Glibc lacks: <malloc.h>, and those that need _GNU_SOURCE. */
#ifndef CGLIBC_SHIM_H
#define CGLIBC_SHIM_H

#include <malloc.h>

extern char **environ;

/* A function, because Swift treats the variable as shared mutable state. */
static inline char **glibc_environment(void) { return environ; }

extern int sched_getcpu(void);

#endif
