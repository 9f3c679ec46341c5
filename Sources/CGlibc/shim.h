/* What Swift's Glibc leaves out: <malloc.h>, and what stands behind _GNU_SOURCE. */
#ifndef CGLIBC_SHIM_H
#define CGLIBC_SHIM_H

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>

extern char **environ;

/* Swift takes the variable itself for shared mutable state. */
static inline char **glibc_environment(void) { return environ; }

extern int sched_getcpu(void);
extern int sched_getaffinity(pid_t, size_t, cpu_set_t *);
extern int pthread_attr_setaffinity_np(pthread_attr_t *, size_t, const cpu_set_t *);

/* Starts a thread that runs on any processor that the caller may use but the one that it is on now.
   Returns 0 or an error number: EAGAIN where there is no other. */
static inline int glibc_start_elsewhere(pthread_t *thread, void *(*run)(void *), void *argument) {
  cpu_set_t others;
  int here = sched_getcpu();
  if (here < 0 || sched_getaffinity(0, sizeof(others), &others) != 0) return errno;
  __CPU_CLR_S(here, sizeof(others), &others);
  if (__CPU_COUNT_S(sizeof(others), &others) == 0) return EAGAIN;
  pthread_attr_t attributes;
  int number = pthread_attr_init(&attributes);
  if (number != 0) return number;
  number = pthread_attr_setaffinity_np(&attributes, sizeof(others), &others);
  if (number == 0) number = pthread_create(thread, &attributes, run, argument);
  pthread_attr_destroy(&attributes);
  return number;
}

#endif
