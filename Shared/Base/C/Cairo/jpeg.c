#include "stcairo.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

struct failure {
    struct jpeg_error_mgr manager;
    jmp_buf place;
};

static void fail(j_common_ptr info) { longjmp(((struct failure *)info->err)->place, 1); }

static void keep_quiet(j_common_ptr info) { (void)info; }

int st_jpeg_decode(const unsigned char *bytes, size_t count, unsigned char *pixels, int stride, int width, int height) {
    struct jpeg_decompress_struct info;
    struct failure failure;
    info.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = fail;
    failure.manager.output_message = keep_quiet;
    // Everything that is changed after this lives in `info`, which is not in a register.
    if (setjmp(failure.place)) {
        jpeg_destroy_decompress(&info);
        return 0;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    info.out_color_space = JCS_EXT_BGRX;
#else
    info.out_color_space = JCS_EXT_XRGB;
#endif
    jpeg_start_decompress(&info);
    int isExpected = info.output_width == (JDIMENSION)width && info.output_height == (JDIMENSION)height;
    while (isExpected && info.output_scanline < info.output_height) {
        JSAMPROW row = pixels + (size_t)stride * info.output_scanline;
        jpeg_read_scanlines(&info, &row, 1);
    }
    // A picture that ends early is filled up with grey and only warned about; that is no picture to show.
    int isWhole = isExpected && info.err->num_warnings == 0;
    jpeg_destroy_decompress(&info);
    return isWhole;
}
