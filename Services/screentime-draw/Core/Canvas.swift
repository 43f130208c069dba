import Glibc
import STCCairo
import STContracts
package import STPlatform

/// A picture in memory, and cairo's context for it.
package final class Canvas {
    package let width: Int
    package let height: Int
    package let surface: OpaquePointer
    package let pen: OpaquePointer
    /// The file that contains the pixels. `nil` if they are only in memory.
    private let file: PixelFile?

    /// Creates a transparent picture.
    package init(width: Int, height: Int) throws(Problem) {
        self.width = width
        self.height = height
        guard width > 0, height > 0,
            let made = cairo_image_surface_create(
                CAIRO_FORMAT_ARGB32,
                Int32(clamping: width),
                Int32(clamping: height)
            )
        else { throw Self.allocationProblem(width, height) }
        guard cairo_surface_status(made) == CAIRO_STATUS_SUCCESS, let pen = cairo_create(made) else {
            cairo_surface_destroy(made)
            throw Self.allocationProblem(width, height)
        }
        surface = made
        self.pen = pen
        file = nil
    }

    static func makeCanvas(_ canvas: Canvas?, width: Int, height: Int) throws(Problem) -> Canvas {
        if let canvas { return canvas }
        return try Canvas(width: width, height: height)
    }

    /// Creates a picture that uses the pixels of a file, so that no copy is necessary.
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
        guard let made else { throw Self.allocationProblem(width, height) }
        guard cairo_surface_status(made) == CAIRO_STATUS_SUCCESS, let pen = cairo_create(made) else {
            cairo_surface_destroy(made)
            throw Self.allocationProblem(width, height)
        }
        surface = made
        self.pen = pen
        self.file = file
    }

    /// Takes over a surface that is not a picture in memory. Its pixels cannot be read.
    init(_ surface: OpaquePointer, width: Int, height: Int) throws(Problem) {
        self.width = width
        self.height = height
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let pen = cairo_create(surface) else {
            cairo_surface_destroy(surface)
            throw Self.allocationProblem(width, height)
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

    package var bounds: Box { Box(x: 0, y: 0, width: Double(width), height: Double(height)) }

    /// Throws if the drawing failed, because cairo ignores all drawing after an error.
    package func check() throws(Problem) {
        let status = cairo_status(pen)
        guard status == CAIRO_STATUS_SUCCESS else {
            let reason = cairo_status_to_string(status).map { String(cString: $0) } ?? "\(status.rawValue)"
            throw Problem(
                "draw.failed",
                "Drawing failed: \(reason, "reason").",
                key: "draw.failed.the-picture-was"
            )
        }
    }

    /// The distance between two rows, in bytes.
    package var stride: Int { Int(cairo_image_surface_get_stride(surface)) }

    /// Calls `body` with the premultiplied pixels of 32 bits. Returns nil if the surface has no pixels.
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

    /// Returns the colour of one pixel, without its alpha. Transparent pixels have their colour on black.
    package func color(x: Int, y: Int) -> DrawColor {
        let column = min(max(0, x), width - 1)
        let row = min(max(0, y), height - 1)
        let value = pixels { $0[row * $1 + column] } ?? 0
        return DrawColor(hex: value & 0xFFFFFF)
    }

    /// Returns the mean colour of a box, from a grid of samples.
    package func averageColor(in box: Box) -> DrawColor {
        let steps = 8
        var sum = (red: 0.0, green: 0.0, blue: 0.0)
        for row in 0..<steps {
            for column in 0..<steps {
                let sample = color(
                    x: Int(box.x + box.width * (Double(column) + 0.5) / Double(steps)),
                    y: Int(box.y + box.height * (Double(row) + 0.5) / Double(steps))
                )
                sum = (sum.red + sample.red, sum.green + sample.green, sum.blue + sample.blue)
            }
        }
        let count = Double(steps * steps)
        return DrawColor(sum.red / count, green: sum.green / count, blue: sum.blue / count)
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
                """
                There is not enough memory for a PNG of \(width, "width")x\(height, "height") pixels. Choose \
                a smaller size.
                """
            )
        }
        return sink.bytes
    }

    /// Returns the raw pixels without gaps between the rows.
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

    private static func allocationProblem(_ width: Int, _ height: Int) -> Problem {
        Problem(
            "draw.no_memory",
            """
            There is not enough memory for a picture of \(width, "width")x\(height, "height") pixels. Choose \
            a smaller size.
            """,
            key: "draw.no_memory.there-is-no"
        )
    }

    // MARK: - Drawing

    /// Returns the part of a box that is in the picture, in whole pixels.
    func spot(_ id: String, _ box: Box) -> DrawnSpot {
        let left = min(width, max(0, Int(box.x.rounded(.down))))
        let top = min(height, max(0, Int(box.y.rounded(.down))))
        return DrawnSpot(
            id: id,
            x: left,
            y: top,
            width: max(0, min(width, Int(box.maxX.rounded(.up))) - left),
            height: max(0, min(height, Int(box.maxY.rounded(.up))) - top)
        )
    }

    package func setColor(_ ink: DrawColor) {
        cairo_set_source_rgba(pen, ink.red, ink.green, ink.blue, ink.alpha)
    }

    /// Runs `body`, and restores the cairo state afterwards, including clip and origin.
    package func withSavedState(_ body: () -> Void) {
        cairo_save(pen)
        body()
        cairo_restore(pen)
    }

    package func fill(_ ink: DrawColor) {
        setColor(ink)
        cairo_paint(pen)
    }

    package func fill(_ box: Box, radius: Double, _ ink: DrawColor) {
        outline(box, radius: radius)
        setColor(ink)
        cairo_fill(pen)
    }

    package func stroke(_ box: Box, radius: Double, width: Double, _ ink: DrawColor) {
        outline(box, radius: radius)
        setColor(ink)
        cairo_set_line_width(pen, width)
        cairo_stroke(pen)
    }

    package func clip(_ box: Box) {
        cairo_rectangle(pen, box.x, box.y, box.width, box.height)
        cairo_clip(pen)
    }

    /// Adds the path of a box with smooth corners, as on phones, instead of circular arcs.
    package func outline(_ box: Box, radius: Double) {
        let radius = min(radius, box.width / 2, box.height / 2)
        // A corner extends further along the edges than its radius if there is space.
        let reach = min(radius * 1.28, box.width / 2, box.height / 2)
        let bend = reach * 0.36
        cairo_new_path(pen)
        cairo_move_to(pen, box.x + reach, box.y)
        cairo_line_to(pen, box.maxX - reach, box.y)
        cairo_curve_to(pen, box.maxX - bend, box.y, box.maxX, box.y + bend, box.maxX, box.y + reach)
        cairo_line_to(pen, box.maxX, box.maxY - reach)
        cairo_curve_to(pen, box.maxX, box.maxY - bend, box.maxX - bend, box.maxY, box.maxX - reach, box.maxY)
        cairo_line_to(pen, box.x + reach, box.maxY)
        cairo_curve_to(pen, box.x + bend, box.maxY, box.x, box.maxY - bend, box.x, box.maxY - reach)
        cairo_line_to(pen, box.x, box.y + reach)
        cairo_curve_to(pen, box.x, box.y + bend, box.x + bend, box.y, box.x + reach, box.y)
        cairo_close_path(pen)
    }

    /// Draws a soft shadow, darkest under the box, as several outlines on top of each other.
    package func shadow(_ box: Box, radius: Double, reach: Double, strength: Double) {
        let steps = 24
        for step in 1...steps {
            // The outermost outlines are the faintest, so that the shadow has no visible edge.
            let part = Double(step) / Double(steps)
            let grow = reach * (1 - part)
            fill(
                box.moved(0, reach * 0.35).expanded(grow),
                radius: radius + grow,
                DrawColor.black.with(alpha: strength * 2 * part * part / Double(steps))
            )
        }
    }

    /// Replaces this picture by another one, which is enlarged smoothly.
    package func enlarge(_ picture: Canvas) {
        withSavedState {
            cairo_scale(
                pen,
                Double(width) / Double(picture.width),
                Double(height) / Double(picture.height)
            )
            cairo_set_source_surface(pen, picture.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(pen), CAIRO_FILTER_BILINEAR)
            cairo_pattern_set_extend(cairo_get_source(pen), CAIRO_EXTEND_PAD)
            cairo_set_operator(pen, CAIRO_OPERATOR_SOURCE)
            cairo_paint(pen)
        }
    }

    /// Draws another picture in a box, with its proportions. If `isCovering` is true it fills the box, and the excess is cropped.
    package func place(_ picture: Canvas, in box: Box, isCovering: Bool = false) {
        let across = box.width / Double(picture.width)
        let down = box.height / Double(picture.height)
        let factor = isCovering ? max(across, down) : min(across, down)
        withSavedState {
            clip(box)
            cairo_translate(
                pen,
                box.midX - Double(picture.width) * factor / 2,
                box.midY - Double(picture.height) * factor / 2
            )
            cairo_scale(pen, factor, factor)
            cairo_set_source_surface(pen, picture.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(pen), CAIRO_FILTER_GOOD)
            // Without this, the edges of an enlarged picture would fade.
            cairo_pattern_set_extend(cairo_get_source(pen), CAIRO_EXTEND_PAD)
            cairo_rectangle(pen, 0, 0, Double(picture.width), Double(picture.height))
            cairo_fill(pen)
        }
    }
}

/// A rectangle in pixels.
package struct Box: Sendable, Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var maxX: Double { x + width }
    package var maxY: Double { y + height }
    package var midX: Double { x + width / 2 }
    package var midY: Double { y + height / 2 }

    /// Returns a box that is larger by the same length on each side.
    package func expanded(_ by: Double) -> Box {
        Box(x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by)
    }

    package func moved(_ dx: Double, _ dy: Double) -> Box {
        Box(x: x + dx, y: y + dy, width: width, height: height)
    }

    package func contains(_ other: Box) -> Bool {
        other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
    }

    package func overlaps(_ other: Box) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }
}

/// Collects the bytes that cairo writes.
final class ByteSink {
    private(set) var bytes: [UInt8] = []

    /// The callback for cairo. Its closure argument is the sink.
    static let write:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UInt32) -> cairo_status_t = {
            sink,
            bytes,
            count in
            guard let sink, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
            Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue().bytes +=
                UnsafeBufferPointer(start: bytes, count: Int(count))
            return CAIRO_STATUS_SUCCESS
        }
}
