#ifndef STCLOCKPRELOAD_H
#define STCLOCKPRELOAD_H

// There is nothing to call: the library is named in LD_PRELOAD, beside SCREENTIME_CLOCK.

#endif
