#define _GNU_SOURCE
#include "stplatform.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <pthread.h>
#include <linux/magic.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/vfs.h>

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

uint32_t st_thread_read_as_group(uint32_t group) { return (uint32_t)setfsgid(group); }

const void *st_find(const void *bytes, size_t length, const void *needle, size_t needle_length) {
    return memmem(bytes, length, needle, needle_length);
}

int st_file_is_fuse(const char *path) {
    struct statfs system;
    if (statfs(path, &system) != 0) return -errno;
    return system.f_type == FUSE_SUPER_MAGIC;
}

int st_file_hash(int fd, int64_t *bytes, uint64_t *hash) {
    unsigned char part[1 << 16];
    uint64_t sum = 14695981039346656037ULL;
    int64_t all = 0;
    while (1) {
        ssize_t filled = 0;
        // A read may bring less than there is, and words must not shift.
        while (filled < (ssize_t)sizeof part) {
            ssize_t count = read(fd, part + filled, sizeof part - (size_t)filled);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return -errno;
            if (count == 0) break;
            filled += count;
        }
        if (filled == 0) break;
        memset(part + filled, 0, (size_t)(8 - filled % 8) % 8);
        for (ssize_t at = 0; at < filled; at += 8) {
            uint64_t word;
            memcpy(&word, part + at, sizeof word);
            sum = (sum ^ word) * 0x9E3779B97F4A7C15ULL;
            sum ^= sum >> 32;
        }
        all += filled;
        if (filled < (ssize_t)sizeof part) break;
    }
    *bytes = all;
    *hash = sum;
    return 0;
}
