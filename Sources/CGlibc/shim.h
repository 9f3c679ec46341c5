/* Declarations that Swift's Glibc lacks: <malloc.h>, and those that need _GNU_SOURCE. */
#ifndef CGLIBC_SHIM_H
#define CGLIBC_SHIM_H

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

/* A function, because Swift treats the variable as shared mutable state. */
static inline char **glibc_environment(void) { return environ; }

extern int sched_getcpu(void);
extern int pthread_setname_np(pthread_t, const char *);

static inline void glibc_name_this_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}

/* The policy of the calling thread, which threads that it starts inherit. SCHED_BATCH, which is 3,
   stands behind _GNU_SOURCE. */
static inline void glibc_schedule_in_batches(bool in_batches) {
  const struct sched_param parameters = {0};
  sched_setscheduler(0, in_batches ? 3 : SCHED_OTHER, &parameters);
}

/* The system call's first 48 bytes; <linux/sched/types.h> has them together with another
   sched_param. */
struct glibc_scheduling {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;
  uint64_t deadline;
  uint64_t period;
};

/* sched_setattr has no function in glibc before 2.41. Of a thread that is scheduled normally,
   `runtime` is how long its turns are; earlier than Linux 6.12 it is ignored. */
static inline void glibc_take_turns(uint64_t nanoseconds) {
  struct glibc_scheduling scheduling = {.size = sizeof(scheduling)};
  if (syscall(SYS_sched_getattr, 0, &scheduling, sizeof(scheduling), 0) != 0) return;
  if (scheduling.policy != SCHED_OTHER) return;
  scheduling.runtime = nanoseconds;
  syscall(SYS_sched_setattr, 0, &scheduling, 0);
}

#endif
