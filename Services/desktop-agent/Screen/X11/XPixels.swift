import STCScreen

/// Colours and rows of pixels as this screen wants them.
struct XPixels {
    private struct Channel {
        let shift: UInt32
        let bits: UInt32

        init(_ mask: UInt32) {
            shift = UInt32(mask == 0 ? 0 : mask.trailingZeroBitCount)
            bits = UInt32(min(8, mask.nonzeroBitCount))
        }

        func place(_ eight: UInt32) -> UInt32 { (eight >> (8 - bits)) << shift }
    }

    private let channels: [Channel]
    /// 32 or 16; 0: a kind of screen that pictures are not made for.
    let bitsPerPixel: Int
    /// Rows go to the server as they are.
    let isPlain: Bool

    init(_ setup: UnsafePointer<xcb_setup_t>, _ screen: UnsafeMutablePointer<xcb_screen_t>) {
        let masks = Self.masks(screen)
        channels = masks.map(Channel.init)
        let depth = screen.pointee.root_depth
        var formats = xcb_setup_pixmap_formats_iterator(setup)
        var bits = 0
        while formats.rem > 0, let format = formats.data?.pointee {
            if format.depth == depth { bits = Int(format.bits_per_pixel) }
            xcb_format_next(&formats)
        }
        let isOurOrder = setup.pointee.image_byte_order == UInt8(XCB_IMAGE_ORDER_LSB_FIRST.rawValue)
        bitsPerPixel = isOurOrder && (bits == 32 || bits == 16) ? bits : 0
        isPlain = bits == 32 && masks == [0xFF0000, 0xFF00, 0xFF]
    }

    /// Of `0xAARRGGBB`; there is nothing to shine through.
    func pixel(_ argb: UInt32) -> UInt32 {
        zip(channels, [UInt32(16), 8, 0]).reduce(0) { sum, pair in
            sum | pair.0.place((argb >> pair.1) & 0xFF)
        }
    }

    /// Rows of `0xAARRGGBB` words as the server takes them; rows of 16 bits are filled up to four bytes.
    func rows(_ bytes: UnsafeRawBufferPointer, width: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        let rowBytes = width * 4
        for start in stride(from: 0, to: bytes.count - rowBytes + 1, by: rowBytes) {
            for x in 0..<width {
                let value = pixel(bytes.loadUnaligned(fromByteOffset: start + x * 4, as: UInt32.self))
                for index in 0..<UInt32(bitsPerPixel / 8) {
                    result.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
                }
            }
            while result.count % 4 != 0 { result.append(0) }
        }
        return result
    }

    private static func masks(_ screen: UnsafeMutablePointer<xcb_screen_t>) -> [UInt32] {
        var depths = xcb_screen_allowed_depths_iterator(screen)
        while depths.rem > 0, let depth = depths.data {
            var visuals = xcb_depth_visuals_iterator(depth)
            while visuals.rem > 0, let visual = visuals.data?.pointee {
                if visual.visual_id == screen.pointee.root_visual, visual.red_mask != 0 {
                    return [visual.red_mask, visual.green_mask, visual.blue_mask]
                }
                xcb_visualtype_next(&visuals)
            }
            xcb_depth_next(&depths)
        }
        return [0xFF0000, 0xFF00, 0xFF]
    }
}
