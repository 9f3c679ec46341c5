// Tells ThreadSanitizer about mutexes for which somebody has to wait.
//
// Where nobody waits, Swift's `Synchronization.Mutex` is an atomic exchange in the caller's own
// code, which the sanitizer sees. Where somebody does, the rest happens in the standard library,
// which isn't built with the sanitizer, and in the kernel: then what the mutex protects looks
// unprotected. This library is preloaded and stands before those three functions, to say when a
// mutex is let go and when it is had: the order that there is, and nothing more.
//
// Source: Swift's stdlib/public/Synchronization/Mutex/LinuxImpl.swift; compiler-rt's
// include/sanitizer/tsan_interface.h

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// The mangled names of `_MutexHandle`'s `_lockSlow(_:)`, `_tryLockSlow()` and `_unlockSlow()`.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// The sanitizer's own, in programs that have it.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

typedef SWIFT void (*Lock)(uint32_t thread, SELF);
typedef SWIFT bool (*TryLock)(SELF);
typedef SWIFT void (*Unlock)(SELF);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
  ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
  bool is_had = ((TryLock)dlsym(RTLD_NEXT, TRY_LOCK))(self);
  if (is_had && __tsan_acquire) __tsan_acquire(self);
  return is_had;
}

SWIFT void unlock_slow(SELF) {
  if (__tsan_release) __tsan_release(self);
  ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(self);
}
