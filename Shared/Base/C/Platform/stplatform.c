#define _GNU_SOURCE
#include "stplatform.h"

#include <pthread.h>
#include <sys/eventfd.h>

int st_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int st_thread_name(const char *name) { return pthread_setname_np(pthread_self(), name); }

int st_thread_stack(uintptr_t *lowest, uintptr_t *size) {
    pthread_attr_t attributes;
    int result = pthread_getattr_np(pthread_self(), &attributes);
    if (result != 0) return -result;
    void *start = NULL;
    size_t length = 0;
    result = pthread_attr_getstack(&attributes, &start, &length);
    pthread_attr_destroy(&attributes);
    if (result != 0) return -result;
    *lowest = (uintptr_t)start;
    *size = length;
    return 0;
}
