public import Foundation
public import SwiftUICore

public protocol Plottable {
    associatedtype PrimitivePlottable: PrimitivePlottableProtocol

    var primitivePlottable: PrimitivePlottable { get }

    init?(primitivePlottable: PrimitivePlottable)
}

public protocol PrimitivePlottableProtocol: Plottable, Equatable where PrimitivePlottable == Self {}

extension PrimitivePlottableProtocol {
    public var primitivePlottable: Self { self }

    public init?(primitivePlottable: Self) { self = primitivePlottable }
}

extension Plottable where Self: RawRepresentable, RawValue: PrimitivePlottableProtocol {
    public var primitivePlottable: RawValue { rawValue }

    public init?(primitivePlottable: RawValue) { self.init(rawValue: primitivePlottable) }
}

extension String: PrimitivePlottableProtocol {}
extension Date: PrimitivePlottableProtocol {}
extension Double: PrimitivePlottableProtocol {}
extension Float: PrimitivePlottableProtocol {}
extension CGFloat: PrimitivePlottableProtocol {}
extension Decimal: PrimitivePlottableProtocol {}
extension Int: PrimitivePlottableProtocol {}
extension Int8: PrimitivePlottableProtocol {}
extension Int16: PrimitivePlottableProtocol {}
extension Int32: PrimitivePlottableProtocol {}
extension Int64: PrimitivePlottableProtocol {}
extension UInt: PrimitivePlottableProtocol {}
extension UInt8: PrimitivePlottableProtocol {}
extension UInt16: PrimitivePlottableProtocol {}
extension UInt32: PrimitivePlottableProtocol {}
extension UInt64: PrimitivePlottableProtocol {}

public struct PlottableValue<Value: Plottable> {
    let label: Text
    let value: Value
    /// The end of a range.
    var end: Value?
    /// The calendar unit represented by a date.
    var unit: Calendar.Component?
    var calendar = Calendar.current

    public static func value(_ labelKey: LocalizedStringKey, _ value: Value) -> PlottableValue {
        PlottableValue(label: Text(labelKey), value: value)
    }

    public static func value(_ label: Text, _ value: Value) -> PlottableValue {
        PlottableValue(label: label, value: value)
    }

    @_disfavoredOverload
    public static func value(_ label: some StringProtocol, _ value: Value) -> PlottableValue {
        PlottableValue(label: Text(label), value: value)
    }

    public static func value(_ labelKey: LocalizedStringKey, _ range: Range<Value>) -> PlottableValue
    where Value: Comparable {
        PlottableValue(label: Text(labelKey), value: range.lowerBound, end: range.upperBound)
    }

    @_disfavoredOverload
    public static func value(_ label: some StringProtocol, _ range: Range<Value>) -> PlottableValue
    where Value: Comparable {
        PlottableValue(label: Text(label), value: range.lowerBound, end: range.upperBound)
    }

    public static func value(
        _ labelKey: LocalizedStringKey,
        _ value: Date,
        unit: Calendar.Component,
        calendar: Calendar = .autoupdatingCurrent
    ) -> PlottableValue where Value == Date {
        PlottableValue(label: Text(labelKey), value: value, unit: unit, calendar: calendar)
    }

    @_disfavoredOverload
    public static func value(
        _ label: some StringProtocol,
        _ value: Date,
        unit: Calendar.Component,
        calendar: Calendar = .autoupdatingCurrent
    ) -> PlottableValue where Value == Date {
        PlottableValue(label: Text(label), value: value, unit: unit, calendar: calendar)
    }
}

public protocol ScaleDomain {
    /// The values, or the bounds of a range.
    var plottedValues: [any Plottable] { get }
}

extension ScaleDomain {
    var plotData: [PlotDatum] { plottedValues.map { PlotDatum($0) } }
}

extension Array: ScaleDomain where Element: Plottable {
    public var plottedValues: [any Plottable] { self }
}

extension ClosedRange: ScaleDomain where Bound: Plottable {
    public var plottedValues: [any Plottable] { [lowerBound, upperBound] }
}

extension Range: ScaleDomain where Bound: Plottable {
    public var plottedValues: [any Plottable] { [lowerBound, upperBound] }
}

public struct AutomaticScaleDomain: ScaleDomain, Sendable {
    public var plottedValues: [any Plottable] { [] }
}

extension ScaleDomain where Self == AutomaticScaleDomain {
    public static var automatic: Self { Self() }

    /// Ignores both parameters. Bars always begin at zero.
    public static func automatic(includesZero: Bool? = nil, reversed: Bool? = nil) -> AutomaticScaleDomain {
        AutomaticScaleDomain()
    }
}

/// The type of a scale. Scales are always linear.
public struct ScaleType: Hashable, Sendable {
    public static let linear = ScaleType()
    public static let log = ScaleType()
    public static let symmetricLog = ScaleType()
    public static let squareRoot = ScaleType()
    public static let date = ScaleType()
    public static let category = ScaleType()
}

/// The range of a scale. It has no effect, because an axis always spans the whole chart.
public struct PlotDimensionScaleRange: Hashable, Sendable {
    public static var plotDimension: PlotDimensionScaleRange { PlotDimensionScaleRange() }

    public static func plotDimension(padding: CGFloat) -> PlotDimensionScaleRange {
        PlotDimensionScaleRange()
    }

    public static func plotDimension(startPadding: CGFloat = 0, endPadding: CGFloat = 0)
        -> PlotDimensionScaleRange
    {
        PlotDimensionScaleRange()
    }
}
