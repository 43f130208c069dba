// Preloaded into extension processes: the wall clock is that of the page named by SCREENTIME_CLOCK.
//
// Only the wall clock. Boot and monotonic time stay real, because deadlines and the runtime's own waits are measured in
// them. Waits until a wall time are moved back to the real clock, or they would end at once or never.

#define _GNU_SOURCE
#include "stvirtualclock.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { UNTRIED, TRYING, REAL, VIRTUAL };

static _Atomic int state = UNTRIED;
static struct st_clock *page;

// Not in a constructor: those of other libraries may ask for the time before it.
static int is_virtual(void) {
    int now = atomic_load_explicit(&state, memory_order_acquire);
    if (now == UNTRIED && atomic_compare_exchange_strong(&state, &now, TRYING)) {
        const char *path = getenv("SCREENTIME_CLOCK");
        now = path && *path && st_clock_open(path, 0, &page) == 0 ? VIRTUAL : REAL;
        atomic_store_explicit(&state, now, memory_order_release);
    }
    // Another thread is just trying: it waits no longer than a file takes to open.
    while (now == TRYING) now = atomic_load_explicit(&state, memory_order_acquire);
    return now == VIRTUAL;
}

static void virtual_now(struct timespec *time) {
    struct st_clock_values values;
    st_clock_read(page, &values);
    time->tv_sec = values.wall_ms / 1000;
    time->tv_nsec = values.wall_ms % 1000 * 1000000;
    if (time->tv_nsec < 0) {
        time->tv_sec -= 1;
        time->tv_nsec += 1000000000;
    }
}

// The next definition of a function after this one. With a version, because an unversioned lookup may find the oldest.
static void *next(const char *name, const char *version) {
    void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
    return found ? found : dlsym(RTLD_NEXT, name);
}

#define NEXT(name, version)                                                                                            \
    static __typeof__(name) *real;                                                                                     \
    __typeof__(name) *function = __atomic_load_n(&real, __ATOMIC_RELAXED);                                             \
    if (!function) __atomic_store_n(&real, function = (__typeof__(name) *)next(#name, version), __ATOMIC_RELAXED)

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

EXPORT int clock_gettime(clockid_t clock, struct timespec *time) {
    if (is_wall(clock) && is_virtual()) {
        virtual_now(time);
        return 0;
    }
    NEXT(clock_gettime, NULL);
    return function ? function(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return result;
}

EXPORT time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

EXPORT int timespec_get(struct timespec *now, int base) {
    if (base != TIME_UTC) return 0;
    return clock_gettime(CLOCK_REALTIME, now) ? 0 : base;
}

// No machine has been up since the year 2000, so a deadline after it is a wall time and one before it is not.
#define YEAR_2000 INT64_C(946684800)

static const struct timespec *real_deadline(const struct timespec *deadline, struct timespec *moved) {
    if (!deadline || deadline->tv_sec < YEAR_2000 || !is_virtual()) return deadline;
    struct timespec now;
    NEXT(clock_gettime, NULL);
    if (!function || function(CLOCK_REALTIME, moved)) return deadline;
    virtual_now(&now);
    moved->tv_sec += deadline->tv_sec - now.tv_sec;
    moved->tv_nsec += deadline->tv_nsec - now.tv_nsec;
    if (moved->tv_nsec < 0) {
        moved->tv_sec -= 1;
        moved->tv_nsec += 1000000000;
    } else if (moved->tv_nsec >= 1000000000) {
        moved->tv_sec += 1;
        moved->tv_nsec -= 1000000000;
    }
    return moved;
}

EXPORT int pthread_cond_timedwait(
    pthread_cond_t *restrict condition,
    pthread_mutex_t *restrict mutex,
    const struct timespec *restrict deadline
) {
    struct timespec moved;
#if defined(__x86_64__)
    NEXT(pthread_cond_timedwait, "GLIBC_2.3.2");
#else
    NEXT(pthread_cond_timedwait, NULL);
#endif
    return function ? function(condition, mutex, real_deadline(deadline, &moved)) : EINVAL;
}

EXPORT int pthread_cond_clockwait(
    pthread_cond_t *restrict condition,
    pthread_mutex_t *restrict mutex,
    clockid_t clock,
    const struct timespec *restrict deadline
) {
    struct timespec moved;
    NEXT(pthread_cond_clockwait, NULL);
    return function ? function(condition, mutex, clock, real_deadline(deadline, &moved)) : EINVAL;
}

EXPORT int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
    struct timespec moved;
    NEXT(sem_timedwait, NULL);
    if (function) return function(semaphore, real_deadline(deadline, &moved));
    errno = ENOSYS;
    return -1;
}
