public import Foundation

/// Something that can stand in a chart.
public protocol Plottable {
    /// What it is to the chart: a text, a number or a date.
    associatedtype PrimitivePlottable: PrimitivePlottableProtocol

    /// What it is to the chart.
    var primitivePlottable: PrimitivePlottable { get }

    /// What a chart's value stands for.
    init?(primitivePlottable: PrimitivePlottable)
}

/// A text, a number or a date.
public protocol PrimitivePlottableProtocol: Plottable, Equatable where PrimitivePlottable == Self {}

extension PrimitivePlottableProtocol {
    /// Itself.
    public var primitivePlottable: Self { self }

    /// Itself.
    public init?(primitivePlottable: Self) { self = primitivePlottable }
}

extension Plottable where Self: RawRepresentable, RawValue: PrimitivePlottableProtocol {
    /// Its raw value.
    public var primitivePlottable: RawValue { rawValue }

    /// That of the raw value.
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
