public import Foundation
public import SwiftUICore

public struct AxisMarks<Content: AxisMark>: AxisContent, PrimitiveAxisContent {
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
    public init(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic,
        @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) {
        self.init(values, content)
    }

    public init(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic,
        @AxisMarkBuilder content: @escaping () -> Content
    ) {
        self.init(values) { _ in content() }
    }

    public init<Value: Plottable>(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: [Value],
        @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) {
        self.init(AxisMarkValues(kind: .all(values.map { PlotDatum($0) })), content)
    }

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
    public init(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic,
        stroke: StrokeStyle? = nil
    ) {
        self.init(values, nil)
    }

    public init<Value: Plottable>(
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: [Value],
        stroke: StrokeStyle? = nil
    ) {
        self.init(AxisMarkValues(kind: .all(values.map { PlotDatum($0) })), nil)
    }

    public init<F: FormatStyle>(
        format: F,
        preset: AxisMarkPreset = .automatic,
        position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic,
        stroke: StrokeStyle? = nil
    ) where F.FormatInput: Plottable, F.FormatOutput == String {
        self.init(values) { _ in AxisValueLabel(format: format) }
    }

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

public struct AxisMarkValues {
    enum Kind {
        case automatic(Int?)
        case calendar(Calendar.Component, Int, Calendar)
        case number(Double)
        case all([PlotDatum])
    }

    let kind: Kind

    public static var automatic: AxisMarkValues { AxisMarkValues(kind: .automatic(nil)) }

    public static func automatic(
        desiredCount: Int? = nil,
        roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil
    ) -> AxisMarkValues {
        AxisMarkValues(kind: .automatic(desiredCount))
    }

    public static func automatic<P: Plottable>(
        minimumStride: P,
        desiredCount: Int? = nil,
        roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil
    ) -> AxisMarkValues {
        AxisMarkValues(kind: .automatic(desiredCount))
    }

    public static func stride(
        by component: Calendar.Component,
        count: Int = 1,
        roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil,
        calendar: Calendar? = nil
    ) -> AxisMarkValues {
        AxisMarkValues(kind: .calendar(component, max(1, count), calendar ?? .current))
    }

    public static func stride<P: Plottable>(
        by stepSize: P,
        roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil
    ) -> AxisMarkValues {
        guard let number = PlotDatum(stepSize).number, number > 0, number.isFinite else { return .automatic }
        return AxisMarkValues(kind: .number(number))
    }
}

public struct AxisValue: Sendable {
    public let index: Int
    public let count: Int

    let datum: PlotDatum

    init(_ datum: PlotDatum, index: Int = 0, count: Int = 1) {
        self.datum = datum
        self.index = index
        self.count = count
    }

    public func `as`<P: Plottable>(_ type: P.Type) -> P? { datum.value(as: type) }
}

/// The marks of an axis.
@MainActor @preconcurrency
public protocol AxisContent {
    associatedtype Body: AxisContent

    @AxisContentBuilder var body: Body { get }
}

extension AxisContent where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other content.") }
}

extension Never: AxisContent {}

/// Axis content that adds itself to an axis draft.
@MainActor
protocol PrimitiveAxisContent {
    func put(_ axis: inout AxisDraft)
}

@resultBuilder
public struct AxisContentBuilder {
    public static func buildExpression<Content: AxisContent>(_ content: Content) -> Content { content }

    @MainActor @preconcurrency
    public static func buildBlock() -> AxisContentTuple<Void> { AxisContentTuple([]) }

    @MainActor @preconcurrency
    public static func buildBlock<Content: AxisContent>(_ content: Content) -> Content { content }

    @MainActor @preconcurrency
    public static func buildBlock<each Content: AxisContent>(_ content: repeat each Content)
        -> AxisContentTuple<(repeat each Content)>
    {
        var all: [any AxisContent] = []
        for part in repeat each content { all.append(part) }
        return AxisContentTuple(all)
    }

    @MainActor @preconcurrency
    public static func buildIf<Content: AxisContent>(_ content: Content?) -> AxisContentTuple<Content> {
        AxisContentTuple(content.map { [$0] } ?? [])
    }

    @MainActor @preconcurrency
    public static func buildEither<Content: AxisContent>(first: Content) -> AnyAxisContent {
        AnyAxisContent(first)
    }

    @MainActor @preconcurrency
    public static func buildEither<Content: AxisContent>(second: Content) -> AnyAxisContent {
        AnyAxisContent(second)
    }

    @MainActor @preconcurrency
    public static func buildLimitedAvailability<Content: AxisContent>(_ content: Content) -> AnyAxisContent {
        AnyAxisContent(content)
    }
}

public struct AxisContentTuple<T>: AxisContent, PrimitiveAxisContent {
    public typealias Body = Never

    private let all: [any AxisContent]

    init(_ all: [any AxisContent]) { self.all = all }

    func put(_ axis: inout AxisDraft) {
        for part in all { axis.add(part) }
    }
}

public struct AnyAxisContent: AxisContent, PrimitiveAxisContent {
    public typealias Body = Never

    private let content: any AxisContent

    public init(_ content: some AxisContent) { self.content = content }

    func put(_ axis: inout AxisDraft) { axis.add(content) }
}
