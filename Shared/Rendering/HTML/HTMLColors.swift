import STContracts

/// The colours of a document. Each pair of light and dark is one custom property.
struct HTMLColors {
    private(set) var pairs: [PageColor] = []
    private var places: [String: Int] = [:]

    mutating func use(_ color: PageColor) -> String {
        let key = color.light + color.dark
        if let place = places[key] { return "var(--c\(place))" }
        places[key] = pairs.count
        pairs.append(
            PageColor(
                light: RGBAColor(color.light)?.hex ?? "#000000FF",
                dark: RGBAColor(color.dark)?.hex ?? "#FFFFFFFF"
            )
        )
        return "var(--c\(pairs.count - 1))"
    }

    func stylesheet(_ theme: HTMLTheme) -> String {
        let light = pairs.enumerated().map { "--c\($0):\($1.light)" }.joined(separator: ";")
        let dark = pairs.enumerated().map { "--c\($0):\($1.dark)" }.joined(separator: ";")
        switch theme {
        case .light: return ":root{\(HTMLStylesheet.light)\(light)}"
        case .dark: return ":root{\(HTMLStylesheet.dark)\(dark)}"
        case .automatic:
            // Paper is white, so a printed page uses the light colours.
            return ":root{\(HTMLStylesheet.light)\(light)}"
                + "@media screen and (prefers-color-scheme:dark){:root{\(HTMLStylesheet.dark)\(dark)}}"
        }
    }
}

/// The background of a node, for light and dark. A gradient results in several colours.
struct HTMLBackground: Equatable {
    var light: [RGBAColor]
    var dark: [RGBAColor]
    /// The product of the opacities of all enclosing boxes.
    var opacity = 1.0

    static let page = HTMLBackground(
        light: [RGBAColor(red: 1, green: 1, blue: 1)],
        dark: [RGBAColor(red: 0x15 / 255.0, green: 0x15 / 255.0, blue: 0x18 / 255.0)]
    )
    /// The background of the rows of a list.
    static let card = HTMLBackground(
        light: [RGBAColor(red: 0xF4 / 255.0, green: 0xF4 / 255.0, blue: 0xF6 / 255.0)],
        dark: [RGBAColor(red: 0x22 / 255.0, green: 0x22 / 255.0, blue: 0x27 / 255.0)]
    )

    /// Returns the background with a paint on top.
    func covered(_ paint: PagePaint?) -> HTMLBackground {
        guard let paint else { return self }
        let colors = paint.kind == .color ? [paint.color].compactMap { $0 } : (paint.stops ?? []).map(\.color)
        guard !colors.isEmpty else { return self }
        func lay(_ face: KeyPath<PageColor, String>, _ grounds: [RGBAColor]) -> [RGBAColor] {
            let inks = colors.compactMap { RGBAColor($0[keyPath: face]) }.prefix(8)
            // One background is enough, unless the others are visible through the paint.
            let isOpaque = inks.allSatisfy { $0.alpha >= 0.999 }
            let below = isOpaque ? Array(grounds.prefix(1)) : Array(grounds.prefix(8))
            return inks.flatMap { ink in below.map { ink.blended($0) } }
        }
        return HTMLBackground(light: lay(\.light, light), dark: lay(\.dark, dark), opacity: opacity)
    }

    /// Returns the colour, changed as little as necessary to be legible on this background.
    ///
    /// An app chooses its colours for its own screen. On this background the text must remain legible.
    func readable(_ color: PageColor, isLarge: Bool) -> PageColor {
        let wanted = isLarge ? 3.05 : 4.6
        return PageColor(
            light: readable(RGBAColor(color.light) ?? .black, on: light, wanted),
            dark: readable(RGBAColor(color.dark) ?? .white, on: dark, wanted)
        )
    }

    private func readable(_ ink: RGBAColor, on grounds: [RGBAColor], _ wanted: Double) -> String {
        func contrast(_ ink: RGBAColor) -> Double {
            var faded = ink
            faded.alpha *= opacity
            return grounds.map { faded.contrast(on: $0) }.min() ?? 21
        }
        if contrast(ink) >= wanted { return ink.hex }
        let target = contrast(.black) >= contrast(.white) ? RGBAColor.black : .white
        var solid = ink
        for step in 1...10 {
            solid = ink.mixed(with: target, Double(step) / 10)
            // Transparency is reduced first.
            solid.alpha = ink.alpha + (1 - ink.alpha) * min(1, Double(step) / 5)
            if contrast(solid) >= wanted { return solid.hex }
        }
        return target.hex
    }
}

/// Converts paints to CSS and SVG.
enum HTMLPaint {
    /// Returns a value for the CSS property `background`.
    static func css(_ paint: PagePaint, _ colors: inout HTMLColors) -> String? {
        if paint.kind == .color || paint.kind == .unknown { return paint.color.map { colors.use($0) } }
        let stops = stops(paint)
        guard stops.count > 1 else { return stops.first.map { colors.use($0.color) } }
        let from = paint.from ?? [0.5, 0]
        let to = paint.to ?? [0.5, 1]
        let list = stops.map { colors.use($0.color) + " " + HTMLNumber.text($0.at * 100) + "%" }
        let text = list.joined(separator: ",")
        switch paint.kind {
        case .radial:
            let at = paint.from ?? [0.5, 0.5]
            return "radial-gradient(circle at \(place(at)),\(text))"
        case .angular:
            return "conic-gradient(from 90deg at \(place(paint.from ?? [0.5, 0.5])),\(text))"
        case .linear, .color, .unknown:
            return "linear-gradient(\(direction(from, to)),\(text))"
        }
    }

    /// Returns a value for `fill` and `stroke`, and the definition of a gradient.
    static func svg(_ paint: PagePaint, id: String, _ colors: inout HTMLColors) -> (
        value: String, defs: String
    ) {
        if let color = paint.color, paint.kind == .color || (paint.stops ?? []).isEmpty {
            return (colors.use(color), "")
        }
        let stops = stops(paint)
        guard stops.count > 1 else { return (stops.first.map { colors.use($0.color) } ?? "none", "") }
        let list = stops.map {
            "<stop offset=\"\(HTMLNumber.text($0.at))\" style=\"stop-color:\(colors.use($0.color))\"/>"
        }.joined()
        let from = paint.from ?? [0.5, 0]
        let to = paint.to ?? [0.5, 1]
        func at(_ name: String, _ value: Double) -> String { " \(name)=\"\(HTMLNumber.text(value))\"" }
        if paint.kind == .radial {
            return ("url(#\(id))", "<radialGradient id=\"\(id)\">\(list)</radialGradient>")
        }
        let ends = at("x1", from[0]) + at("y1", from[1]) + at("x2", to[0]) + at("y2", to[1])
        return ("url(#\(id))", "<linearGradient id=\"\(id)\"\(ends)>\(list)</linearGradient>")
    }

    /// Returns one colour, for properties that allow no gradients.
    static func flat(_ paint: PagePaint) -> PageColor? { paint.color ?? paint.stops?.first?.color }

    private static func stops(_ paint: PagePaint) -> [PageStop] {
        (paint.stops ?? []).sorted { $0.at < $1.at }
    }

    private static func place(_ point: [Double]) -> String {
        point.map { HTMLNumber.text($0 * 100) + "%" }.joined(separator: " ")
    }

    /// Returns a direction by name, because named corners are correct for all proportions.
    private static func direction(_ from: [Double], _ to: [Double]) -> String {
        let (x, y) = (to[0] - from[0], to[1] - from[1])
        let side = abs(x) < 0.01 ? "" : x > 0 ? " right" : " left"
        let end = abs(y) < 0.01 ? "" : y > 0 ? " bottom" : " top"
        return side + end == "" ? "to bottom" : "to" + end + side
    }
}
