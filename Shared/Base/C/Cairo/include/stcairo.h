#ifndef STCAIRO_H
#define STCAIRO_H

#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
#include <stddef.h>

#include "stpango.h"

/// Decodes a JPEG into rows of 32 bits as CAIRO_FORMAT_RGB24 has them; the size must be what its header says.
///
/// 1 when it worked. 0 when the bytes are no such picture; the rows then hold what came until there.
int st_jpeg_decode(const unsigned char *bytes, size_t count, unsigned char *pixels, int stride, int width, int height);

#endif
