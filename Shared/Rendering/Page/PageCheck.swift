package import STContracts
package import STPlatform

/// Validates the page of an app before it is drawn.
///
/// The depth of a page causes no recursion, because its nodes are a flat list.
package enum PageCheck {
    /// Upper bound on the controls. Five controls with two options each already result in the maximum number of variants.
    package static let controlsMax = 8

    package static func check(_ page: Page) throws(Problem) {
        var meter = PageMeter()
        try checkHeader(page, &meter)
        try checkControls(page, &meter)
        try checkVariants(page)
        for (index, variant) in page.variants.enumerated() {
            let field = "/variants/\(index)/nodes"
            _ = try PageTree(variant.nodes, field: field)
            for (place, node) in variant.nodes.enumerated() {
                try PageNodeCheck(field: "\(field)/\(place)", controls: page.controls).check(node, &meter)
            }
        }
    }

    private static func checkHeader(_ page: Page, _ meter: inout PageMeter) throws(Problem) {
        let isTag =
            (2...35).contains(page.language.utf8.count)
            && page.language.utf8.allSatisfy { PageMeter.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        guard isTag else {
            throw Problem(
                "page.language",
                "The language of a page must be a language tag such as ko.",
                field: "/language"
            )
        }
        if let zone = page.zone, zone.utf8.count > 64 || zone.utf8.contains(where: { $0 < 0x21 || $0 > 0x7E })
        {
            throw Problem(
                "page.zone",
                "The zone of a page must be the name of a time zone, such as Asia/Seoul.",
                field: "/zone"
            )
        }
        try meter.text(page.title, "/title")
    }

    private static func checkControls(_ page: Page, _ meter: inout PageMeter) throws(Problem) {
        guard page.controls.count <= controlsMax else {
            throw Problem(
                "page.control",
                "A page has at most \(controlsMax, "most") controls.",
                field: "/controls"
            )
        }
        for (index, control) in page.controls.enumerated() {
            let field = "/controls/\(index)"
            guard !control.options.isEmpty, control.options.count <= PageLimits.marks + 1,
                control.options.indices.contains(control.chosen)
            else {
                throw Problem(
                    "page.control",
                    """
                    A control must have 1 to \(PageLimits.marks + 1, "marks") options, and one of them must \
                    be chosen.
                    """,
                    key: "page.control.a-control-has",
                    field: field
                )
            }
            try meter.text(control.label, field + "/label")
            for option in control.options { try meter.text(option, field + "/options") }
        }
    }

    private static func checkVariants(_ page: Page) throws(Problem) {
        func refuse(_ text: Message, _ field: String) -> Problem {
            Problem("page.variants", text: text, field: field)
        }
        guard let first = page.variants.first, page.variants.count <= PageLimits.variants else {
            throw refuse(
                Message(
                    "page.variants.count",
                    "A page must have 1 to \(PageLimits.variants, "most") variants."
                ),
                "/variants"
            )
        }
        guard first.chosen == page.controls.map(\.chosen) else {
            throw refuse(
                Message(
                    "page.variants.first",
                    "The first variant must have the options that are chosen in the controls."
                ),
                "/variants/0/chosen"
            )
        }
        var seen: Set<[Int]> = []
        for (index, variant) in page.variants.enumerated() {
            let field = "/variants/\(index)/chosen"
            guard variant.chosen.count == page.controls.count,
                zip(variant.chosen, page.controls).allSatisfy({ $1.options.indices.contains($0) })
            else {
                throw refuse(
                    Message(
                        "page.variants.options",
                        "A variant must choose one existing option of each control."
                    ),
                    field
                )
            }
            guard seen.insert(variant.chosen).inserted else {
                throw refuse(
                    Message(
                        "page.variants.twice",
                        "Each combination of options must have only one variant; this one occurs twice."
                    ),
                    field
                )
            }
        }
    }
}

/// Counts limited amounts, and validates numbers.
struct PageMeter {
    /// The largest length and distance on a page, in points.
    static let lengthMax = 100_000.0
    /// The limit above which integers are no longer exact.
    static let valueMax = 1e15
    /// The years 1900 to 2200, for which the rules of time zones are known.
    static let wallMs = -2_208_988_800_000.0...7_258_118_400_000.0

    private var textBytes = 0

    mutating func text(_ text: String?, _ field: String) throws(Problem) {
        textBytes += text?.utf8.count ?? 0
        guard textBytes <= PageLimits.textBytes else {
            throw Problem(
                "page.text",
                """
                The text of a page must be at most \(PageLimits.textBytes / 1024, "textBytes") KiB in total. \
                Show less text.
                """,
                field: field
            )
        }
    }

    /// Throws if a number is outside its range. Nil is valid.
    func number(_ value: Double?, range: ClosedRange<Double>, field: String) throws(Problem) {
        guard let value else { return }
        guard value.isFinite, range.contains(value) else {
            throw Problem(
                "page.number",
                """
                The value must be a number from \(Self.short(range.lowerBound), "short") to \
                \(Self.short(range.upperBound), "short2").
                """,
                field: field
            )
        }
    }

    func length(_ value: Double?, _ field: String) throws(Problem) {
        try number(value, range: 0...Self.lengthMax, field: field)
    }

    func distance(_ value: Double?, _ field: String) throws(Problem) {
        try number(value, range: -Self.lengthMax...Self.lengthMax, field: field)
    }

    func part(_ value: Double?, _ field: String) throws(Problem) {
        try number(value, range: 0...1, field: field)
    }

    func color(_ color: PageColor?, _ field: String) throws(Problem) {
        guard let color else { return }
        guard RGBAColor(color.light) != nil, RGBAColor(color.dark) != nil else {
            throw Problem("page.color", "A colour must have the form #RRGGBBAA.", field: field)
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
                throw Problem(
                    "page.paint",
                    "A point of a gradient must have two coordinates, x and y.",
                    key: "page.paint.a-point-of",
                    field: "\(field)/\(name)"
                )
            }
            for value in point { try number(value, range: -100...100, field: "\(field)/\(name)") }
        }
    }

    func font(_ font: PageFont?, _ field: String) throws(Problem) {
        guard let font else { return }
        try number(font.size, range: 1...1000, field: field + "/size")
        try number(font.weight.map(Double.init), range: 1...1000, field: field + "/weight")
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }

    private static func short(_ number: Double) -> String {
        abs(number) < 1e15 ? String(Int64(number)) : String(number)
    }
}
