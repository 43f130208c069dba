public import Foundation
public import SwiftUICore

@MainActor @preconcurrency
public protocol AxisMark {
    associatedtype Body: AxisMark

    @AxisMarkBuilder var body: Body { get }
}

extension AxisMark where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other parts.") }
}

extension Never: AxisMark {}

/// A mark that adds itself to a tick.
@MainActor
protocol PrimitiveAxisMark {
    func put(_ tick: inout AxisTickDraft)
}

extension AxisMark {
    // These modifiers have no effect. An axis uses the colours and fonts of the page, and its marks are drawn at their values.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some AxisMark { self }
    public func font(_ font: Font?) -> some AxisMark { self }
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some AxisMark { self }
}

public struct AxisGridLine: AxisMark, PrimitiveAxisMark {
    public typealias Body = Never

    public init(centered: Bool? = nil, stroke: StrokeStyle? = nil) {}

    func put(_ tick: inout AxisTickDraft) { tick.hasLine = true }
}

public struct AxisTick: AxisMark, PrimitiveAxisMark {
    public typealias Body = Never

    public enum Length: Hashable, Sendable {
        case automatic
        case label(extendPastBy: CGFloat = 0)
        case longestLabel(extendPastBy: CGFloat = 0)
    }

    public init(centered: Bool? = nil, length: Length = .automatic, stroke: StrokeStyle? = nil) {}

    public init(centered: Bool? = nil, length: CGFloat, stroke: StrokeStyle? = nil) {}

    func put(_ tick: inout AxisTickDraft) { tick.hasLine = true }
}

public struct AxisValueLabel: AxisMark, PrimitiveAxisMark {
    public typealias Body = Never

    private var view: AnyView?
    private var text: ((PlotDatum) -> String?)?
    private var unit: AxisUnit?

    private init(view: AnyView?) { self.view = view }

    public init(
        centered: Bool? = nil,
        anchor: UnitPoint? = nil,
        multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic,
        offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic,
        horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) {
        self.init(view: nil)
    }

    public init<F: FormatStyle>(
        format: F,
        centered: Bool? = nil,
        anchor: UnitPoint? = nil,
        multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic,
        offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic,
        horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) where F.FormatInput: Plottable, F.FormatOutput == String {
        self.init(view: nil)
        unit = AxisUnit(format)
        text = { datum in
            let input: F.FormatInput? = datum.value()
            return input.map { format.format($0) }
        }
    }

    public init(
        _ labelKey: LocalizedStringKey,
        centered: Bool? = nil,
        anchor: UnitPoint? = nil,
        multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic,
        offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic,
        horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) {
        self.init(view: AnyView(Text(labelKey)))
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ label: S,
        centered: Bool? = nil,
        anchor: UnitPoint? = nil,
        multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic,
        offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic,
        horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil
    ) {
        self.init(view: AnyView(Text(label)))
    }

    public init<V: View>(
        centered: Bool? = nil,
        anchor: UnitPoint? = nil,
        multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic,
        offsetsMarks: Bool? = nil,
        orientation: AxisValueLabelOrientation = .automatic,
        horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) {
        self.init(view: AnyView(content()))
    }

    func put(_ tick: inout AxisTickDraft) {
        tick.isLabelled = true
        if let view { tick.view = view }
        if let text { tick.format = text }
        if let unit { tick.unit = unit }
    }
}

/// The side of an axis. It has no effect, because every axis is drawn on its default side.
public struct AxisMarkPosition: Hashable, Sendable {
    public static let automatic = AxisMarkPosition()
    public static let leading = AxisMarkPosition()
    public static let trailing = AxisMarkPosition()
    public static let top = AxisMarkPosition()
    public static let bottom = AxisMarkPosition()
}

/// A preset of axis marks. All presets look the same.
public struct AxisMarkPreset: Hashable, Sendable {
    public static let automatic = AxisMarkPreset()
    public static let extended = AxisMarkPreset()
    public static let aligned = AxisMarkPreset()
    public static let inset = AxisMarkPreset()
}

public struct AxisValueLabelCollisionResolution: Hashable, Sendable {
    public static let automatic = AxisValueLabelCollisionResolution()
    public static let greedy = AxisValueLabelCollisionResolution()
    public static let disabled = AxisValueLabelCollisionResolution()

    public static func greedy(priority: Double = 0, minimumSpacing: Double? = nil)
        -> AxisValueLabelCollisionResolution
    {
        AxisValueLabelCollisionResolution()
    }
}

/// The orientation of a label. Labels are always horizontal.
public struct AxisValueLabelOrientation: Hashable, Sendable {
    public static let automatic = AxisValueLabelOrientation()
    public static let horizontal = AxisValueLabelOrientation()
    public static let vertical = AxisValueLabelOrientation()
    public static let verticalReversed = AxisValueLabelOrientation()
}

@resultBuilder
public struct AxisMarkBuilder {
    public static func buildExpression<Content: AxisMark>(_ content: Content) -> Content { content }

    @MainActor @preconcurrency
    public static func buildBlock() -> EmptyAxisMark { EmptyAxisMark() }

    @MainActor @preconcurrency
    public static func buildBlock<Content: AxisMark>(_ content: Content) -> Content { content }

    @MainActor @preconcurrency
    public static func buildBlock<each Content: AxisMark>(_ content: repeat each Content)
        -> AxisMarkTuple<(repeat each Content)>
    {
        var all: [any AxisMark] = []
        for part in repeat each content { all.append(part) }
        return AxisMarkTuple(all)
    }

    @MainActor @preconcurrency
    public static func buildIf<Content: AxisMark>(_ content: Content?) -> Content? { content }

    @MainActor @preconcurrency
    public static func buildEither<Content: AxisMark>(first: Content) -> AnyAxisMark { AnyAxisMark(first) }

    @MainActor @preconcurrency
    public static func buildEither<Content: AxisMark>(second: Content) -> AnyAxisMark { AnyAxisMark(second) }

    @MainActor @preconcurrency
    public static func buildLimitedAvailability<Content: AxisMark>(_ content: Content) -> AnyAxisMark {
        AnyAxisMark(content)
    }
}

extension Optional: AxisMark where Wrapped: AxisMark {
    public typealias Body = Never

    public var body: Never { preconditionFailure("An optional does not consist of other parts.") }
}

extension Optional: PrimitiveAxisMark where Wrapped: AxisMark {
    func put(_ tick: inout AxisTickDraft) {
        if let self { tick.add(self) }
    }
}

public struct AxisMarkTuple<T>: AxisMark, PrimitiveAxisMark {
    public typealias Body = Never

    private let all: [any AxisMark]

    init(_ all: [any AxisMark]) { self.all = all }

    func put(_ tick: inout AxisTickDraft) {
        for part in all { tick.add(part) }
    }
}

public struct EmptyAxisMark: AxisMark, PrimitiveAxisMark {
    public typealias Body = Never

    init() {}

    func put(_ tick: inout AxisTickDraft) {}
}

public struct AnyAxisMark: AxisMark, PrimitiveAxisMark {
    public typealias Body = Never

    private let mark: any AxisMark

    public init(_ mark: some AxisMark) { self.mark = mark }

    func put(_ tick: inout AxisTickDraft) { tick.add(mark) }
}
