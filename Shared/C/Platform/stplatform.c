#define _GNU_SOURCE
#include "stplatform.h"

#include <pthread.h>
#include <sys/eventfd.h>

int st_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int st_thread_name(const char *name) { return pthread_setname_np(pthread_self(), name); }
