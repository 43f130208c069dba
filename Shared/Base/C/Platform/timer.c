#define _GNU_SOURCE
#include "stplatform.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// A thousand years after 1970: later than anything is due, and the kernel takes it.
#define NEVER_MS INT64_C(31556952000000)

int st_timer_open(int clock) {
    int fd = timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int st_timer_set(int fd, int64_t at_ms) {
    // Zero would mean never.
    if (at_ms < 1) at_ms = 1;
    if (at_ms > NEVER_MS) at_ms = NEVER_MS;
    struct itimerspec when = {.it_value = {.tv_sec = at_ms / 1000, .tv_nsec = at_ms % 1000 * 1000000}};
    // On a clock that cannot be set the flag means nothing.
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL) ? -errno : 0;
}

int st_timer_clear(int fd) { return st_timer_set(fd, NEVER_MS); }

int st_timer_read(int fd) {
    uint64_t count = 0;
    ssize_t result;
    do result = read(fd, &count, sizeof count);
    while (result < 0 && errno == EINTR);
    if (result == sizeof count) return 1;
    return errno == EAGAIN ? 0 : -errno;
}

int st_clock_is_synchronised(void) {
    struct timex about = {0};
    int state = adjtimex(&about);
    return state >= 0 && state != TIME_ERROR && !(about.status & STA_UNSYNC);
}
