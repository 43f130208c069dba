import STCCairo
package import STPlatform

/// A picture in memory and the pen for it.
package final class Canvas {
    package let width: Int
    package let height: Int
    package let surface: OpaquePointer
    package let pen: OpaquePointer
    /// Where its pixels are, when they are in a file.
    private let file: PixelFile?

    /// Transparent at first.
    package init(width: Int, height: Int) throws(Problem) {
        self.width = width
        self.height = height
        guard width > 0, height > 0,
            let made = cairo_image_surface_create(
                CAIRO_FORMAT_ARGB32,
                Int32(clamping: width),
                Int32(clamping: height)
            )
        else { throw Self.noRoom(width, height) }
        guard cairo_surface_status(made) == CAIRO_STATUS_SUCCESS, let pen = cairo_create(made) else {
            cairo_surface_destroy(made)
            throw Self.noRoom(width, height)
        }
        surface = made
        self.pen = pen
        file = nil
    }

    static func given(_ canvas: Canvas?, width: Int, height: Int) throws(Problem) -> Canvas {
        if let canvas { return canvas }
        return try Canvas(width: width, height: height)
    }

    /// Its pixels are those of the file: what is drawn needs no copy to get there.
    package init(_ file: PixelFile) throws(Problem) {
        width = file.width
        height = file.height
        let made = cairo_image_surface_create_for_data(
            file.pixels,
            CAIRO_FORMAT_ARGB32,
            Int32(clamping: width),
            Int32(clamping: height),
            Int32(clamping: width * 4)
        )
        guard let made else { throw Self.noRoom(width, height) }
        guard cairo_surface_status(made) == CAIRO_STATUS_SUCCESS, let pen = cairo_create(made) else {
            cairo_surface_destroy(made)
            throw Self.noRoom(width, height)
        }
        surface = made
        self.pen = pen
        self.file = file
    }

    /// Takes over a surface that is no picture in memory: no pixels can be read from it.
    init(_ surface: OpaquePointer, width: Int, height: Int) throws(Problem) {
        self.width = width
        self.height = height
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let pen = cairo_create(surface) else {
            cairo_surface_destroy(surface)
            throw Self.noRoom(width, height)
        }
        self.surface = surface
        self.pen = pen
        file = nil
    }

    deinit {
        cairo_destroy(pen)
        if file != nil { cairo_surface_finish(surface) }
        cairo_surface_destroy(surface)
    }

    package var bounds: Box { Box(0, 0, Double(width), Double(height)) }

    /// Refuses a picture that was not drawn to its end: after a fault cairo leaves out everything that follows.
    package func check() throws(Problem) {
        let status = cairo_status(pen)
        guard status == CAIRO_STATUS_SUCCESS else {
            let reason = cairo_status_to_string(status).map { String(cString: $0) } ?? "\(status.rawValue)"
            throw Problem("draw.failed", "The picture was not drawn to its end: \(reason).")
        }
    }

    /// Bytes from one row to the next.
    package var stride: Int { Int(cairo_image_surface_get_stride(surface)) }

    /// The pixels as they stand: premultiplied, 32 bits each.
    package func pixels<Result>(_ body: (UnsafeMutableBufferPointer<UInt32>, _ rowLength: Int) -> Result)
        -> Result?
    {
        cairo_surface_flush(surface)
        defer { cairo_surface_mark_dirty(surface) }
        guard let bytes = cairo_image_surface_get_data(surface) else { return nil }
        let count = stride / 4 * height
        return bytes.withMemoryRebound(to: UInt32.self, capacity: count) {
            body(UnsafeMutableBufferPointer(start: $0, count: count), stride / 4)
        }
    }

    /// Of one pixel; what is transparent looks as it would on black.
    package func ink(x: Int, y: Int) -> Ink {
        let column = min(max(0, x), width - 1)
        let row = min(max(0, y), height - 1)
        let value = pixels { $0[row * $1 + column] } ?? 0
        return Ink(hex: value & 0xFFFFFF)
    }

    /// The mean of what lies in a box, from a grid of samples.
    package func ground(in box: Box) -> Ink {
        let steps = 8
        var sum = (red: 0.0, green: 0.0, blue: 0.0)
        for row in 0..<steps {
            for column in 0..<steps {
                let sample = ink(
                    x: Int(box.x + box.width * (Double(column) + 0.5) / Double(steps)),
                    y: Int(box.y + box.height * (Double(row) + 0.5) / Double(steps))
                )
                sum = (sum.red + sample.red, sum.green + sample.green, sum.blue + sample.blue)
            }
        }
        let count = Double(steps * steps)
        return Ink(sum.red / count, sum.green / count, sum.blue / count)
    }

    package func png() throws(Problem) -> [UInt8] {
        let sink = ByteSink()
        let status = cairo_surface_write_to_png_stream(
            surface,
            ByteSink.write,
            Unmanaged.passUnretained(sink).toOpaque()
        )
        guard status == CAIRO_STATUS_SUCCESS else {
            throw Problem(
                "draw.no_memory",
                "There is no memory for the PNG of a picture of \(width)x\(height); choose a smaller size."
            )
        }
        return sink.bytes
    }

    /// The bare pixels without gaps between the rows.
    package func argb32() -> [UInt8] {
        pixels { pixels, rowLength in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(width * height * 4)
            for row in 0..<height {
                bytes += UnsafeRawBufferPointer(
                    UnsafeBufferPointer(
                        rebasing: UnsafeBufferPointer(pixels)[row * rowLength..<row * rowLength + width]
                    )
                )
            }
            return bytes
        } ?? []
    }

    private static func noRoom(_ width: Int, _ height: Int) -> Problem {
        Problem(
            "draw.no_memory",
            "There is no memory for a picture of \(width)x\(height); choose a smaller size."
        )
    }
}
