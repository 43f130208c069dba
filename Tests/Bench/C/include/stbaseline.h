#ifndef STBASELINE_H
#define STBASELINE_H

#include <stddef.h>
#include <stdint.h>

// The baselines: what plain libzmq does with the same bytes over the same transport, with nothing of ours around it.

// A ROUTER that answers every message with the two frames given, until it gets one with an empty last frame.
int st_baseline_serve(const char *endpoint, const void *header, size_t header_size, const void *body, size_t body_size);

// A DEALER that asks `count` times, one after the other, and writes each round trip in nanoseconds.
int st_baseline_ask(const char *endpoint, const void *header, size_t header_size, const void *body, size_t body_size,
                    int64_t *nanoseconds, int count);

// Ends st_baseline_serve.
int st_baseline_end(const char *endpoint);

// An XPUB that sends `count` messages of three frames once `subscribers` have subscribed, waiting when a pipe is full.
int st_baseline_publish(const char *endpoint, int subscribers, int count, const void *header, size_t header_size,
                        const void *body, size_t body_size);

// A SUB that returns once it has received `count` messages; the time from the first to the last in nanoseconds.
int64_t st_baseline_collect(const char *endpoint, int count);

// Rows like the ledger's into a plain table of SQLite with nothing of ours around it, durable at each commit; the
// time in nanoseconds, or -1.
int64_t st_baseline_rows(const char *path, int count, int per_commit, const void *hash, int hash_size);

#endif
