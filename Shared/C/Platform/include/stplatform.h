#ifndef STPLATFORM_H
#define STPLATFORM_H

#include <stdint.h>
#include <sys/types.h>

// What Swift's Glibc module leaves out (engineering.md, 2.6): calls that are macros, variadic, or hidden behind
// feature test macros.

int st_eventfd(void);
int st_thread_name(const char *name);

#include "stprocess.h"

#endif
