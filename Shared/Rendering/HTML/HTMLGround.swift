import STContracts

/// What lies behind something, in both faces; a gradient is several colours.
struct HTMLGround: Equatable {
    var light: [PageInk]
    var dark: [PageInk]
    /// How much is left of what stands in faded boxes.
    var opacity = 1.0

    static let page = HTMLGround(
        light: [PageInk(red: 1, green: 1, blue: 1)],
        dark: [PageInk(red: 0x15 / 255.0, green: 0x15 / 255.0, blue: 0x18 / 255.0)]
    )
    /// Of the rows of a list.
    static let card = HTMLGround(
        light: [PageInk(red: 0xF4 / 255.0, green: 0xF4 / 255.0, blue: 0xF6 / 255.0)],
        dark: [PageInk(red: 0x22 / 255.0, green: 0x22 / 255.0, blue: 0x27 / 255.0)]
    )

    /// With a paint on top.
    func under(_ paint: PagePaint?) -> HTMLGround {
        guard let paint else { return self }
        let colors = paint.kind == .color ? [paint.color].compactMap { $0 } : (paint.stops ?? []).map(\.color)
        guard !colors.isEmpty else { return self }
        func lay(_ face: KeyPath<PageColor, String>, _ grounds: [PageInk]) -> [PageInk] {
            let inks = colors.compactMap { PageInk($0[keyPath: face]) }.prefix(8)
            // Of several grounds one is enough, unless they can be seen through it.
            let isOpaque = inks.allSatisfy { $0.alpha >= 0.999 }
            let below = isOpaque ? Array(grounds.prefix(1)) : Array(grounds.prefix(8))
            return inks.flatMap { ink in below.map { ink.over($0) } }
        }
        return HTMLGround(light: lay(\.light, light), dark: lay(\.dark, dark), opacity: opacity)
    }

    /// The colour itself, or as little away from it as makes it readable here.
    ///
    /// An app picks its colours for its own screen; here somebody has to be able to read the words.
    func readable(_ color: PageColor, isLarge: Bool) -> PageColor {
        let wanted = isLarge ? 3.05 : 4.6
        return PageColor(
            light: readable(PageInk(color.light) ?? .black, on: light, wanted),
            dark: readable(PageInk(color.dark) ?? .white, on: dark, wanted)
        )
    }

    private func readable(_ ink: PageInk, on grounds: [PageInk], _ wanted: Double) -> String {
        func contrast(_ ink: PageInk) -> Double {
            var faded = ink
            faded.alpha *= opacity
            return grounds.map { faded.contrast(on: $0) }.min() ?? 21
        }
        if contrast(ink) >= wanted { return ink.hex }
        let target = contrast(.black) >= contrast(.white) ? PageInk.black : .white
        var solid = ink
        for step in 1...10 {
            solid = ink.mixed(with: target, Double(step) / 10)
            // What can be seen through is the first to go.
            solid.alpha = ink.alpha + (1 - ink.alpha) * min(1, Double(step) / 5)
            if contrast(solid) >= wanted { return solid.hex }
        }
        return target.hex
    }
}
