import STContracts
import STPlatform

/// Counts what there may only be so much of, and knows which numbers make sense.
struct PageMeter {
    /// Nothing on a page is further away or larger than this, in points.
    static let lengthMax = 100_000.0
    /// Beyond it whole numbers are no longer exact.
    static let valueMax = 1e15
    /// Years 1900 to 2200, in which zones are known.
    static let wallMs = -2_208_988_800_000.0...7_258_118_400_000.0

    private var textBytes = 0

    mutating func text(_ text: String?, _ field: String) throws(Problem) {
        textBytes += text?.utf8.count ?? 0
        guard textBytes <= PageLimits.textBytes else {
            throw Problem(
                "page.text",
                "All texts of a page together are at most \(PageLimits.textBytes / 1024) KiB. Show less of them.",
                field: field
            )
        }
    }

    /// A number within its range; nil is fine.
    func number(_ value: Double?, _ range: ClosedRange<Double>, _ field: String) throws(Problem) {
        guard let value else { return }
        guard value.isFinite, range.contains(value) else {
            throw Problem(
                "page.number",
                "This is a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound)).",
                field: field
            )
        }
    }

    func length(_ value: Double?, _ field: String) throws(Problem) {
        try number(value, 0...Self.lengthMax, field)
    }

    func distance(_ value: Double?, _ field: String) throws(Problem) {
        try number(value, -Self.lengthMax...Self.lengthMax, field)
    }

    func part(_ value: Double?, _ field: String) throws(Problem) { try number(value, 0...1, field) }

    func color(_ color: PageColor?, _ field: String) throws(Problem) {
        guard let color else { return }
        guard PageInk(color.light) != nil, PageInk(color.dark) != nil else {
            throw Problem("page.color", "A colour is written as #RRGGBBAA.", field: field)
        }
    }

    func paint(_ paint: PagePaint?, _ field: String) throws(Problem) {
        guard let paint else { return }
        try color(paint.color, field + "/color")
        let stops = paint.stops ?? []
        guard stops.count <= 64 else {
            throw Problem("page.paint", "A gradient has at most 64 colours.", field: field + "/stops")
        }
        for stop in stops {
            try color(stop.color, field + "/stops")
            try part(stop.at, field + "/stops")
        }
        for (name, point) in [("from", paint.from), ("to", paint.to)] {
            guard let point else { continue }
            guard point.count == 2 else {
                throw Problem("page.paint", "A point of a gradient is x and y.", field: "\(field)/\(name)")
            }
            for value in point { try number(value, -100...100, "\(field)/\(name)") }
        }
    }

    func font(_ font: PageFont?, _ field: String) throws(Problem) {
        guard let font else { return }
        try number(font.size, 1...1000, field + "/size")
        try number(font.weight.map(Double.init), 1...1000, field + "/weight")
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }

    private static func short(_ number: Double) -> String {
        abs(number) < 1e15 ? String(Int64(number)) : String(number)
    }
}
