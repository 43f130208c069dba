public import Foundation

/// What an axis, or the colours of a chart, go over.
public protocol ScaleDomain {
    /// The values: of a stretch its ends.
    var plottedValues: [any Plottable] { get }
}

extension ScaleDomain {
    var plotData: [PlotDatum] { plottedValues.map { PlotDatum($0) } }
}

extension Array: ScaleDomain where Element: Plottable {
    /// All of them.
    public var plottedValues: [any Plottable] { self }
}

extension ClosedRange: ScaleDomain where Bound: Plottable {
    /// Both ends.
    public var plottedValues: [any Plottable] { [lowerBound, upperBound] }
}

extension Range: ScaleDomain where Bound: Plottable {
    /// Both ends.
    public var plottedValues: [any Plottable] { [lowerBound, upperBound] }
}

/// What the axis would go over by itself.
public struct AutomaticScaleDomain: ScaleDomain, Sendable {
    /// Nothing is said.
    public var plottedValues: [any Plottable] { [] }
}

extension ScaleDomain where Self == AutomaticScaleDomain {
    /// What the axis would go over by itself.
    public static var automatic: AutomaticScaleDomain { AutomaticScaleDomain() }

    /// What the axis would go over by itself; here bars always begin at nothing.
    public static func automatic(includesZero: Bool? = nil, reversed: Bool? = nil) -> AutomaticScaleDomain {
        AutomaticScaleDomain()
    }
}

/// How values become lengths; here always in proportion.
public struct ScaleType: Hashable, Sendable {
    /// In proportion.
    public static let linear = ScaleType()

    /// By their logarithm.
    public static let log = ScaleType()

    /// By their logarithm, also of those below nothing.
    public static let symmetricLog = ScaleType()

    /// By their root.
    public static let squareRoot = ScaleType()

    /// As dates.
    public static let date = ScaleType()

    /// One beside the other.
    public static let category = ScaleType()
}

/// Where in the chart an axis is; here it always is the whole of it.
public struct PlotDimensionScaleRange: Hashable, Sendable {
    /// The whole of it.
    public static var plotDimension: PlotDimensionScaleRange { PlotDimensionScaleRange() }

    /// The whole, less some room.
    public static func plotDimension(padding: CGFloat) -> PlotDimensionScaleRange {
        PlotDimensionScaleRange()
    }

    /// The whole, less some room.
    public static func plotDimension(startPadding: CGFloat = 0, endPadding: CGFloat = 0)
        -> PlotDimensionScaleRange
    {
        PlotDimensionScaleRange()
    }
}
