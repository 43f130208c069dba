import STPlatform

/// Makes words fit.
struct ChartFit {
    /// A name on a chart is no longer than this, however wide the chart is.
    private static let charactersMax = 80

    let setting: ChartSetting

    /// On one line, with an ellipsis where there is no room for all of it.
    func cut(_ text: String, _ width: Double) -> String {
        var text = DisplayWidth.harmless(String(text.prefix(Self.charactersMax + 1)))
        if text.count <= Self.charactersMax, setting.measure(text, setting.fontSize) <= width { return text }
        text = String(text.prefix(Self.charactersMax))
        while !text.isEmpty, setting.measure(text + "…", setting.fontSize) > width { text.removeLast() }
        return text + "…"
    }
}
