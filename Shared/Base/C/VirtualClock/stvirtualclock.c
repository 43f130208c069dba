#define _GNU_SOURCE
#include "stvirtualclock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// "STclock2", so that another file is not taken for one of ours.
#define MAGIC UINT64_C(0x326b636f6c635453)

enum { WORDS = sizeof(struct st_clock_values) / sizeof(uint64_t), READS_MAX = 1000 };

_Static_assert(sizeof(struct st_clock_values) % sizeof(uint64_t) == 0, "a slot is whole words");

struct page {
    _Atomic uint64_t magic;
    // The slot that holds the present is `generation % 2`; the other one is being written, or out of date.
    _Atomic uint64_t generation;
    _Atomic uint64_t slots[2][WORDS];
};

struct st_clock {
    struct page *page;
    int writable;
};

static int attach(int fd, int writable, struct st_clock **clock) {
    struct st_clock *made = malloc(sizeof *made);
    if (!made) return -ENOMEM;
    int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    void *page = mmap(NULL, sizeof(struct page), protection, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) {
        int problem = errno;
        free(made);
        return -problem;
    }
    made->page = page;
    made->writable = writable;
    *clock = made;
    return 0;
}

int st_clock_create(const char *path, const struct st_clock_values *first, struct st_clock **clock) {
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return -errno;
    // Written, not only made longer: a full disk shows here, and not by a signal when the page is first touched.
    struct page empty;
    memset(&empty, 0, sizeof empty);
    ssize_t count = write(fd, &empty, sizeof empty);
    int problem = count < 0 ? errno : count == sizeof empty ? 0 : ENOSPC;
    int result = problem ? -problem : attach(fd, 1, clock);
    close(fd);
    if (result < 0) {
        unlink(path);
        return result;
    }
    st_clock_write(*clock, first);
    // Last of all: a program that opens it before finds no clock rather than one without a time.
    atomic_store_explicit(&(*clock)->page->magic, MAGIC, memory_order_release);
    return 0;
}

int st_clock_open(const char *path, int writable, struct st_clock **clock) {
    int fd = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return -errno;
    struct stat info;
    int result = fstat(fd, &info) ? -errno : 0;
    // A page beyond the end of the file would end the process that reads it.
    if (!result && (!S_ISREG(info.st_mode) || info.st_size < (off_t)sizeof(struct page))) result = -EPROTO;
    if (!result) result = attach(fd, writable, clock);
    close(fd);
    if (result < 0) return result;
    if (atomic_load_explicit(&(*clock)->page->magic, memory_order_acquire) == MAGIC) return 0;
    st_clock_close(*clock);
    return -EPROTO;
}

uint64_t st_clock_generation(const struct st_clock *clock) {
    return atomic_load_explicit(&clock->page->generation, memory_order_acquire);
}

uint64_t st_clock_read(const struct st_clock *clock, struct st_clock_values *values) {
    uint64_t words[WORDS];
    uint64_t generation = st_clock_generation(clock);
    // A second look finds the same unless two writes passed by meanwhile, so the limit is never reached in practice.
    for (int reads = 0; reads < READS_MAX; reads++) {
        _Atomic uint64_t *slot = clock->page->slots[generation % 2];
        for (int i = 0; i < WORDS; i++) words[i] = atomic_load_explicit(&slot[i], memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        uint64_t after = atomic_load_explicit(&clock->page->generation, memory_order_relaxed);
        if (after == generation) break;
        generation = after;
    }
    memcpy(values, words, sizeof *values);
    // The texts end, with any bytes in the file.
    values->zone[ST_CLOCK_TEXT_BYTES - 1] = 0;
    values->boot_id[ST_CLOCK_TEXT_BYTES - 1] = 0;
    return generation;
}

int st_clock_write(struct st_clock *clock, const struct st_clock_values *values) {
    if (!clock->writable) return -EBADF;
    uint64_t words[WORDS];
    memcpy(words, values, sizeof *values);
    uint64_t next = atomic_load_explicit(&clock->page->generation, memory_order_relaxed) + 1;
    _Atomic uint64_t *slot = clock->page->slots[next % 2];
    // The store of the generation before this one must be seen before its slot is written over.
    atomic_thread_fence(memory_order_release);
    for (int i = 0; i < WORDS; i++) atomic_store_explicit(&slot[i], words[i], memory_order_relaxed);
    atomic_store_explicit(&clock->page->generation, next, memory_order_release);
    return 0;
}

void st_clock_close(struct st_clock *clock) {
    munmap(clock->page, sizeof(struct page));
    free(clock);
}
