public import Foundation
public import SwiftUICore

/// What stands at the values of an axis.
public struct AxisMarks<Content: AxisMark>: AxisContent, PrimitiveAxisContent {
    /// It does not consist of other content.
    public typealias Body = Never

    private let part: AxisDraft.Part

    private init(_ values: AxisMarkValues, _ content: ((AxisValue) -> Content)?) {
        part = AxisDraft.Part(
            values: values,
            tick: content.map { content in
                { value in
                    var tick = AxisTickDraft()
                    tick.add(content(value))
                    return tick
                }
            }
        )
    }

    func put(_ axis: inout AxisDraft) { axis.add(part) }
}

extension AxisMarks {
    /// At each value what the closure has.
    public init(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic,
        @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) {
        self.init(values, content)
    }

    /// At each value what the closure has.
    public init(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic,
        @AxisMarkBuilder content: @escaping () -> Content
    ) {
        self.init(values) { _ in content() }
    }

    /// At these values what the closure has.
    public init<Value: Plottable>(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: [Value],
        @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) {
        self.init(AxisMarkValues(kind: .all(values.map { PlotDatum($0) })), content)
    }

    /// At these values what the closure has.
    public init<Value: Plottable>(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: [Value],
        @AxisMarkBuilder content: @escaping () -> Content
    ) {
        self.init(AxisMarkValues(kind: .all(values.map { PlotDatum($0) }))) { _ in content() }
    }
}

extension AxisMarks where Content == AxisValueLabel {
    /// At each value its words and a line.
    public init(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic,
        stroke: StrokeStyle? = nil
    ) {
        self.init(values, nil)
    }

    /// At these values their words and a line.
    public init<Value: Plottable>(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: [Value],
        stroke: StrokeStyle? = nil
    ) {
        self.init(AxisMarkValues(kind: .all(values.map { PlotDatum($0) })), nil)
    }

    /// At each value its words in a format, and a line.
    public init<F: FormatStyle>(
        format: F,
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic,
        stroke: StrokeStyle? = nil
    ) where F.FormatInput: Plottable, F.FormatOutput == String {
        self.init(values) { _ in AxisValueLabel(format: format) }
    }

    /// At these values their words in a format, and a line.
    public init<F: FormatStyle>(
        format: F,
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: [F.FormatInput],
        stroke: StrokeStyle? = nil
    ) where F.FormatInput: Plottable, F.FormatOutput == String {
        self.init(AxisMarkValues(kind: .all(values.map { PlotDatum($0) }))) { _ in
            AxisValueLabel(format: format)
        }
    }
}
