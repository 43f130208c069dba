public import Foundation

/// At which values of an axis something stands.
public struct AxisMarkValues {
    enum Kind {
        case automatic(Int?)
        case calendar(Calendar.Component, Int, Calendar)
        case number(Double)
        case all([PlotDatum])
    }

    let kind: Kind

    /// Where it looks right.
    public static var automatic: AxisMarkValues { AxisMarkValues(kind: .automatic(nil)) }

    /// Where it looks right, about so many.
    public static func automatic(
        desiredCount: Int? = nil,
        roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil
    ) -> AxisMarkValues {
        AxisMarkValues(kind: .automatic(desiredCount))
    }

    /// Where it looks right, and at least so far from each other.
    public static func automatic<P: Plottable>(
        minimumStride: P,
        desiredCount: Int? = nil,
        roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil
    ) -> AxisMarkValues {
        AxisMarkValues(kind: .automatic(desiredCount))
    }

    /// At every hour, day, week or month, or every so many of them.
    public static func stride(
        by component: Calendar.Component,
        count: Int = 1,
        roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil,
        calendar: Calendar? = nil
    ) -> AxisMarkValues {
        AxisMarkValues(kind: .calendar(component, max(1, count), calendar ?? .current))
    }

    /// So far from each other.
    public static func stride<P: Plottable>(
        by stepSize: P,
        roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil
    ) -> AxisMarkValues {
        guard let number = PlotDatum(stepSize).number, number > 0, number.isFinite else { return .automatic }
        return AxisMarkValues(kind: .number(number))
    }
}
