import Foundation
import SwiftUICore

/// A value of a mark, with what the axis needs to know.
struct PlotValue {
    var label: Text
    var start: PlotDatum
    var end: PlotDatum?
    var unit: Calendar.Component?

    init(_ plotted: PlottableValue<some Plottable>) {
        label = plotted.label
        start = PlotDatum(plotted.value)
        end = plotted.end.map { PlotDatum($0) }
        unit = plotted.unit
        // A bar of a day begins with the day, whatever the hour of the date.
        if let unit, let date = start.date, let interval = plotted.calendar.dateInterval(of: unit, for: date)
        {
            start = .date(interval.start)
        }
    }

    /// A number, or how long a stretch of numbers is.
    var size: Double? {
        guard let from = start.number else { return nil }
        guard let to = end?.number else { return from }
        return to - from
    }
}
