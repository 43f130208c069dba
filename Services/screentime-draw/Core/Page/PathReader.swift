import Glibc
import STCCairo

/// Adds an SVG path to a cairo context, up to the first error.
struct PathReader {
    private var rest: Substring.UTF8View
    private let pen: OpaquePointer
    private var place = Point(0, 0)
    private var start = Point(0, 0)
    /// The control point of the previous curve, for smooth continuations.
    private var handle: Point?
    private var isCubic = false

    struct Point {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }

        static func + (one: Point, other: Point) -> Point { Point(one.x + other.x, one.y + other.y) }
        func mixed(_ other: Point, _ part: Double) -> Point {
            Point(x + (other.x - x) * part, y + (other.y - y) * part)
        }
        /// Returns the point mirrored at another one.
        func mirrored(at point: Point) -> Point { Point(2 * point.x - x, 2 * point.y - y) }
    }

    static func trace(_ path: String, with pen: OpaquePointer) {
        var reader = PathReader(rest: Substring(path).utf8, pen: pen)
        reader.read()
    }

    private init(rest: Substring.UTF8View, pen: OpaquePointer) {
        self.rest = rest
        self.pen = pen
    }

    private static let counts: [UInt8: Int] = [
        UInt8(ascii: "m"): 2, UInt8(ascii: "l"): 2, UInt8(ascii: "h"): 1, UInt8(ascii: "v"): 1,
        UInt8(ascii: "c"): 6, UInt8(ascii: "s"): 4, UInt8(ascii: "q"): 4, UInt8(ascii: "t"): 2,
        UInt8(ascii: "a"): 7, UInt8(ascii: "z"): 0,
    ]

    private mutating func read() {
        var isFirst = true
        while let letter = command() {
            let lower = letter | 0x20
            guard let count = Self.counts[lower], !isFirst || lower == UInt8(ascii: "m") else { return }
            isFirst = false
            let isRelative = letter == lower
            var repeated = lower
            repeat {
                var numbers: [Double] = []
                for index in 0..<count {
                    // The flags of an arc may have no separator between them.
                    let isFlag = lower == UInt8(ascii: "a") && (index == 3 || index == 4)
                    guard let number = isFlag ? flag() : number() else { return }
                    numbers.append(number)
                }
                apply(repeated, numbers: numbers, origin: isRelative ? place : Point(0, 0))
                // Further points after a move are lines.
                if repeated == UInt8(ascii: "m") { repeated = UInt8(ascii: "l") }
            } while count > 0 && isNumberNext()
        }
    }

    private mutating func apply(_ letter: UInt8, numbers: [Double], origin: Point) {
        let points = stride(from: 0, to: numbers.count - 1, by: 2).map {
            Point(numbers[$0], numbers[$0 + 1]) + origin
        }
        switch letter {
        case UInt8(ascii: "m"):
            cairo_move_to(pen, points[0].x, points[0].y)
            start = points[0]
            move(points[0])
        case UInt8(ascii: "l"): line(points[0])
        case UInt8(ascii: "h"): line(Point(numbers[0] + origin.x, place.y))
        case UInt8(ascii: "v"): line(Point(place.x, numbers[0] + origin.y))
        case UInt8(ascii: "c"): curve(points[0], second: points[1], end: points[2])
        case UInt8(ascii: "s"):
            curve(isCubic ? handle?.mirrored(at: place) ?? place : place, second: points[0], end: points[1])
        case UInt8(ascii: "q"): quadratic(points[0], points[1])
        case UInt8(ascii: "t"):
            quadratic(isCubic ? place : handle?.mirrored(at: place) ?? place, points[0])
        case UInt8(ascii: "a"): arc(numbers, to: Point(numbers[5], numbers[6]) + origin)
        default:
            cairo_close_path(pen)
            move(start)
        }
    }

    private mutating func move(_ point: Point) {
        place = point
        handle = nil
        isCubic = false
    }

    private mutating func line(_ point: Point) {
        cairo_line_to(pen, point.x, point.y)
        move(point)
    }

    private mutating func curve(_ first: Point, second: Point, end: Point) {
        cairo_curve_to(pen, first.x, first.y, second.x, second.y, end.x, end.y)
        move(end)
        handle = second
        isCubic = true
    }

    private mutating func quadratic(_ control: Point, _ end: Point) {
        let first = place.mixed(control, 2.0 / 3)
        let second = end.mixed(control, 2.0 / 3)
        cairo_curve_to(pen, first.x, first.y, second.x, second.y, end.x, end.y)
        move(end)
        handle = control
    }

    /// Adds an arc, from its end points to its centre as in SVG 1.1, appendix F.6.5.
    private mutating func arc(_ numbers: [Double], to end: Point) {
        var (rx, ry) = (abs(numbers[0]), abs(numbers[1]))
        let turn = numbers[2] * .pi / 180
        let (sine, cosine) = (sin(turn), cos(turn))
        let half = Point((place.x - end.x) / 2, (place.y - end.y) / 2)
        let x = cosine * half.x + sine * half.y
        let y = cosine * half.y - sine * half.x
        guard rx > 1e-9, ry > 1e-9, abs(x) + abs(y) > 1e-12 else { return line(end) }
        let reach = x * x / (rx * rx) + y * y / (ry * ry)
        if reach > 1 {
            rx *= reach.squareRoot()
            ry *= reach.squareRoot()
        }
        let flat = rx * rx * y * y + ry * ry * x * x
        let factor =
            (max(0, rx * rx * ry * ry - flat) / flat).squareRoot() * (numbers[3] == numbers[4] ? -1 : 1)
        let (cx, cy) = (factor * rx * y / ry, -factor * ry * x / rx)
        let from = atan2((y - cy) / ry, (x - cx) / rx)
        let to = atan2((-y - cy) / ry, (-x - cx) / rx)
        cairo_save(pen)
        cairo_translate(
            pen,
            cosine * cx - sine * cy + (place.x + end.x) / 2,
            sine * cx + cosine * cy + (place.y + end.y) / 2
        )
        cairo_rotate(pen, turn)
        cairo_scale(pen, rx, ry)
        if numbers[4] == 0 {
            cairo_arc_negative(pen, 0, 0, 1, from, to)
        } else {
            cairo_arc(pen, 0, 0, 1, from, to)
        }
        cairo_restore(pen)
        move(end)
    }

    // MARK: - Parser

    private mutating func skip() {
        while let byte = rest.first, byte == 0x20 || byte == 0x2C || (0x09...0x0D).contains(byte) {
            rest.removeFirst()
        }
    }

    private mutating func command() -> UInt8? {
        skip()
        return rest.popFirst()
    }

    private mutating func isNumberNext() -> Bool {
        skip()
        return rest.first.map { Self.isNumberByte($0) } ?? false
    }

    private mutating func flag() -> Double? {
        skip()
        guard let byte = rest.popFirst(), byte == 0x30 || byte == 0x31 else { return nil }
        return byte == 0x31 ? 1 : 0
    }

    private mutating func number() -> Double? {
        skip()
        var bytes: [UInt8] = []
        var hasPoint = false
        while let byte = rest.first {
            let isExponent = byte | 0x20 == UInt8(ascii: "e")
            let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            // A sign or a second point begins another number.
            let follows = bytes.last.map { $0 | 0x20 == UInt8(ascii: "e") } ?? true
            if isSign && !follows { break }
            if byte == UInt8(ascii: ".") {
                if hasPoint { break }
                hasPoint = true
            }
            guard Self.isNumberByte(byte) || isExponent && !bytes.isEmpty, bytes.count < 32 else { break }
            bytes.append(byte)
            rest.removeFirst()
        }
        guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
        return min(max(value, -1e6), 1e6)
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "+")
    }
}
