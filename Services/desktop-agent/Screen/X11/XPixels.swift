import Glibc
import STCScreen
import STDesktop
import STPlatform

/// Converts colours and rows of pixels to the format of this screen.
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
    /// 32 or 16. 0 for a screen format that pictures do not support.
    let bitsPerPixel: Int
    /// True if rows need no conversion.
    let isDirectCopy: Bool

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
        isDirectCopy = bits == 32 && masks == [0xFF0000, 0xFF00, 0xFF]
    }

    /// Returns the pixel for `0xAARRGGBB`, without transparency.
    func pixel(_ argb: UInt32) -> UInt32 {
        zip(channels, [UInt32(16), 8, 0]).reduce(0) { sum, pair in
            sum | pair.0.place((argb >> pair.1) & 0xFF)
        }
    }

    /// Converts rows of `0xAARRGGBB` words to the server's format. Rows of 16-bit pixels are padded to four bytes.
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

/// Sends a picture from its file to the server in pieces. This process does not keep the picture in memory.
struct XPictureUpload {
    /// Upper bound on the bytes of a picture in memory.
    private static let pieceBytes = 256 * 1024
    private static let sideMax = 32_767

    private let connection: XConnection

    init(_ connection: XConnection) { self.connection = connection }

    /// Uploads the picture to a pixmap, which the caller frees. Returns `nil` if the file or the screen format is unsuitable.
    func pixmap(_ picture: PanePicture, for window: UInt32) -> UInt32? {
        guard (1...Self.sideMax).contains(picture.width), (1...Self.sideMax).contains(picture.height),
            connection.pixels.bitsPerPixel != 0
        else { return nil }
        let number = open(picture.path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(file.number, &status) == 0, Int(status.st_size) >= picture.width * picture.height * 4
        else { return nil }
        let pixmap = connection.newID()
        let context = connection.newID()
        xcb_create_pixmap(
            connection.raw,
            connection.screen.root_depth,
            pixmap,
            window,
            UInt16(picture.width),
            UInt16(picture.height)
        )
        xcb_create_gc(connection.raw, context, pixmap, 0, nil)
        defer { xcb_free_gc(connection.raw, context) }
        guard send(file, picture: picture, to: pixmap, context: context) else {
            xcb_free_pixmap(connection.raw, pixmap)
            return nil
        }
        return pixmap
    }

    private func send(_ file: OwnedDescriptor, picture: PanePicture, to pixmap: UInt32, context: UInt32)
        -> Bool
    {
        let rowBytes = picture.width * 4
        // A request contains 24 bytes in addition to its rows.
        let roomBytes = min(Self.pieceBytes, Int(xcb_get_maximum_request_length(connection.raw)) * 4 - 64)
        let rowsAtOnce = max(1, roomBytes / rowBytes)
        var buffer = [UInt8](repeating: 0, count: rowsAtOnce * rowBytes)
        var row = 0
        while row < picture.height {
            let count = min(rowsAtOnce, picture.height - row)
            guard fill(&buffer, count * rowBytes, from: file, at: row * rowBytes) else { return false }
            let data = buffer.withUnsafeBytes { raw -> [UInt8]? in
                guard !connection.pixels.isDirectCopy else { return nil }
                return connection.pixels.rows(
                    UnsafeRawBufferPointer(rebasing: raw[..<(count * rowBytes)]),
                    width: picture.width
                )
            }
            let length = data?.count ?? count * rowBytes
            (data ?? buffer).withUnsafeBufferPointer { bytes in
                _ = xcb_put_image(
                    connection.raw,
                    UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue),
                    pixmap,
                    context,
                    UInt16(picture.width),
                    UInt16(count),
                    0,
                    Int16(row),
                    0,
                    connection.screen.root_depth,
                    UInt32(length),
                    bytes.baseAddress
                )
            }
            row += count
        }
        return true
    }

    private func fill(_ buffer: inout [UInt8], _ length: Int, from file: OwnedDescriptor, at start: Int)
        -> Bool
    {
        var done = 0
        while done < length {
            let count = buffer.withUnsafeMutableBytes {
                pread(file.number, $0.baseAddress?.advanced(by: done), length - done, off_t(start + done))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
