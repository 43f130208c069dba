#ifndef STSQLITEFAULTS_H
#define STSQLITEFAULTS_H

// A SQLite file system for tests: it passes everything to the default one, until a chosen operation fails or the
// "power" is cut. Each instance has its own name and its own plan, so that tests may run beside each other.

typedef struct st_faults st_faults;

enum { ST_FAULTS_WRITE = 1, ST_FAULTS_SYNC = 2, ST_FAULTS_TRUNCATE = 4, ST_FAULTS_ALL = 7 };

enum {
    ST_FAULTS_ONCE = 0,    // the n-th operation fails, the ones after it work again
    ST_FAULTS_ONWARDS = 1, // the n-th operation and all after it fail
    ST_FAULTS_CRASH = 2,   // as if the power went: what was not synced is gone, and nothing works any more
};

// Null when there is no memory. The name is the `zVfs` to open a database with.
st_faults *st_faults_register(const char *name);
void st_faults_unregister(st_faults *faults);

// Counts operations of the given kinds from now on, and lets the nth (from 1) end with `result`.
void st_faults_arm(st_faults *faults, int operations, int nth, int mode, int result);
void st_faults_disarm(st_faults *faults);
int st_faults_fired(const st_faults *faults);

// The file system user id of the calling thread alone, so that a test run by root can meet a refused permission.
// Returns the one before.
int st_faults_act_as(unsigned int uid);

#endif
