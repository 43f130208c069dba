import STPlatform

/// How large a chart is, and for whom.
package struct ChartSetting: Sendable {
    package var width: Double
    package var height: Double
    package var language: String
    package var zone: String?
    /// Whether the legend is part of the picture; otherwise only its entries are known.
    package var showsLegend: Bool
    package var fontSize: Double
    /// How wide a text of a size is.
    package var measure: @Sendable (_ text: String, _ size: Double) -> Double

    package init(
        width: Double,
        height: Double,
        language: String,
        zone: String? = nil,
        showsLegend: Bool = true,
        fontSize: Double = 12,
        measure: @escaping @Sendable (_ text: String, _ size: Double) -> Double = ChartSetting.estimate
    ) {
        self.width = max(1, width)
        self.height = max(1, height)
        self.language = language
        self.zone = zone
        self.showsLegend = showsLegend
        self.fontSize = fontSize
        self.measure = measure
    }

    /// Wide enough for the usual fonts, without asking one.
    package static func estimate(_ text: String, _ size: Double) -> Double {
        text.reduce(0) { $0 + (DisplayWidth.columns(String($1)) > 1 ? 1.0 : 0.6) } * size
    }
}
