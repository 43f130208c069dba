#ifndef STPLATFORM_H
#define STPLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What Swift's Glibc module leaves out: calls that are macros, variadic, or hidden behind
// feature test macros.

int st_eventfd(void);
int st_thread_name(const char *name);
// Where this thread's stack ends, which is its lowest address, and how large it is. A negative errno when it fails.
int st_thread_stack(uintptr_t *lowest, uintptr_t *size);

// Whether the kernel calls its wall clock synchronised: 1 or 0, also 0 where it may not be asked.
int st_clock_is_synchronised(void);

// Timers that ring at a moment of a clock (CLOCK_REALTIME, CLOCK_BOOTTIME) rather than after a while. Each answers a
// negative errno when it fails.
int st_timer_open(int clock);
// A moment that has passed rings at once. One on CLOCK_REALTIME is also readable once that clock is set.
int st_timer_set(int fd, int64_t at_ms);
// Never rings, but on CLOCK_REALTIME still tells that the clock was set.
int st_timer_clear(int fd);
// 1: it rang; 0: nothing; -ECANCELED: the clock was set, and the timer must be set again.
int st_timer_read(int fd);

// The length of a file and a fingerprint of what is in it, from the start of it; a negative errno when it fails.
int st_file_hash(int fd, int64_t *bytes, uint64_t *hash);

// 1: the file is on a FUSE file system; 0: it is on another one; a negative errno when it fails.
int st_file_is_fuse(const char *path);

// The first place of `needle`, or null. Swift does not see memmem, because only GNU declares it.
const void *st_find(const void *bytes, size_t length, const void *needle, size_t needle_length);

// Sets the group that this thread uses for file access. Returns the previous group.
uint32_t st_thread_read_as_group(uint32_t group);

#include "stprocess.h"

#endif
