/// Blurs a picture: three passes with a box each way come close to a Gaussian.
enum BoxBlur {
    private static let passes = 3
    private static let radiusMax = 256

    static func apply(_ canvas: Canvas, radius: Double, saturation: Double) {
        let radius = Int(max(1, min(Double(radiusMax), radius)).rounded())
        _ = canvas.pixels { pixels, rowLength in
            var line = [UInt32](repeating: 0, count: max(canvas.width, canvas.height))
            for _ in 0..<passes {
                for row in 0..<canvas.height {
                    blur(pixels, from: row * rowLength, step: 1, count: canvas.width, radius, &line)
                }
                for column in 0..<canvas.width {
                    blur(pixels, from: column, step: rowLength, count: canvas.height, radius, &line)
                }
            }
            for index in pixels.indices { pixels[index] = saturated(pixels[index], saturation) }
        }
    }

    /// One row or column; beyond its ends it goes on as it ends.
    private static func blur(
        _ pixels: UnsafeMutableBufferPointer<UInt32>,
        from start: Int,
        step: Int,
        count: Int,
        _ radius: Int,
        _ line: inout [UInt32]
    ) {
        for index in 0..<count { line[index] = pixels[start + index * step] }
        var sums = (0, 0, 0)
        for offset in -radius...radius { add(line[min(max(0, offset), count - 1)], 1, &sums) }
        let size = 2 * radius + 1
        for index in 0..<count {
            pixels[start + index * step] =
                0xFF00_0000 | UInt32(sums.0 / size) << 16 | UInt32(sums.1 / size) << 8 | UInt32(sums.2 / size)
            add(line[min(index + radius + 1, count - 1)], 1, &sums)
            add(line[max(index - radius, 0)], -1, &sums)
        }
    }

    private static func add(_ pixel: UInt32, _ sign: Int, _ sums: inout (Int, Int, Int)) {
        sums.0 += sign * Int(pixel >> 16 & 0xFF)
        sums.1 += sign * Int(pixel >> 8 & 0xFF)
        sums.2 += sign * Int(pixel & 0xFF)
    }

    private static func saturated(_ pixel: UInt32, _ factor: Double) -> UInt32 {
        let parts = [pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF].map(Double.init)
        let grey = 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2]
        let new = parts.map { UInt32(min(255, max(0, grey + ($0 - grey) * factor))) }
        return 0xFF00_0000 | new[0] << 16 | new[1] << 8 | new[2]
    }
}
