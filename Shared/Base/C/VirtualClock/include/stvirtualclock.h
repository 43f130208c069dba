#ifndef STVIRTUALCLOCK_H
#define STVIRTUALCLOCK_H

#include <stdint.h>

// Clocks in a file that several processes map: one writes, all read.
//
// A reader never waits for the writer, not even for one that died half way: what is written next stands beside what is
// read now, and becomes the present with one store. Every function answers a negative errno when it fails.

enum { ST_CLOCK_TEXT_BYTES = 64 };

struct st_clock_values {
    int64_t wall_ms;
    int64_t boot_ms;
    int64_t monotonic_ms;
    int64_t is_synchronised;
    char zone[ST_CLOCK_TEXT_BYTES];    // an IANA name, ended by NUL
    char boot_id[ST_CLOCK_TEXT_BYTES];
};

struct st_clock;

// A new file; one that is there already is refused with -EEXIST.
int st_clock_create(const char *path, const struct st_clock_values *first, struct st_clock **clock);

// An existing file. -EPROTO: it is no such file, or of another version.
int st_clock_open(const char *path, int writable, struct st_clock **clock);

// How often it has been written, which is at least once.
uint64_t st_clock_generation(const struct st_clock *clock);

// The values and their generation. There is one writer at a time; that is the caller's to see to.
uint64_t st_clock_read(const struct st_clock *clock, struct st_clock_values *values);
int st_clock_write(struct st_clock *clock, const struct st_clock_values *values);

void st_clock_close(struct st_clock *clock);

#endif
