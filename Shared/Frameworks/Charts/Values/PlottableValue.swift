public import Foundation
public import SwiftUICore

/// A value with the name of what it measures.
public struct PlottableValue<Value: Plottable> {
    let label: Text
    let value: Value
    /// Where a stretch of values ends.
    var end: Value?
    /// Of a date: how long what stands there is.
    var unit: Calendar.Component?
    var calendar = Calendar.current

    /// A value with a name.
    public static func value(_ labelKey: LocalizedStringKey, _ value: Value) -> PlottableValue {
        PlottableValue(label: Text(labelKey), value: value)
    }

    /// A value with a name.
    public static func value(_ label: Text, _ value: Value) -> PlottableValue {
        PlottableValue(label: label, value: value)
    }

    /// A value with a name.
    @_disfavoredOverload
    public static func value(_ label: some StringProtocol, _ value: Value) -> PlottableValue {
        PlottableValue(label: Text(label), value: value)
    }

    /// A stretch of values with a name.
    public static func value(_ labelKey: LocalizedStringKey, _ range: Range<Value>) -> PlottableValue
    where Value: Comparable {
        PlottableValue(label: Text(labelKey), value: range.lowerBound, end: range.upperBound)
    }

    /// A stretch of values with a name.
    @_disfavoredOverload
    public static func value(_ label: some StringProtocol, _ range: Range<Value>) -> PlottableValue
    where Value: Comparable {
        PlottableValue(label: Text(label), value: range.lowerBound, end: range.upperBound)
    }

    /// The hour, day, week or month that a date lies in.
    public static func value(
        _ labelKey: LocalizedStringKey,
        _ value: Date,
        unit: Calendar.Component,
        calendar: Calendar = .autoupdatingCurrent
    ) -> PlottableValue where Value == Date {
        PlottableValue(label: Text(labelKey), value: value, unit: unit, calendar: calendar)
    }

    /// The hour, day, week or month that a date lies in.
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
