/// Patterns that tell series apart without colours: shown in print, in high contrast and with forced colours.
enum HTMLPatterns {
    static let count = 6

    static var definitions: String {
        let lines = [
            "", "M-1 1L1-1M0 6L6 0M5 7L7 5", "M0 3H6", "M-1 5L1 7M0 0L6 6M5-1L7 1", "M3 0V6", "M0 3H6M3 0V6",
        ]
        let patterns = lines.enumerated().map { place, path in
            "<pattern id=\"pt\(place)\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
                + "<path d=\"\(path)\" stroke=\"var(--bg)\" stroke-width=\"1.2\" fill=\"none\"/></pattern>"
        }
        return "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\"><defs>"
            + patterns.joined() + "</defs></svg>"
    }
}
