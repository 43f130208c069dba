public import Foundation
import STContracts
public import SwiftUICore

extension ChartContent {
    public func foregroundStyle<D: Plottable>(by value: PlottableValue<D>) -> some ChartContent {
        styled(\.style, PlotValue(value))
    }

    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some ChartContent {
        marked { mark, page in
            if mark.paint == nil { mark.paint = Paint.of(style, page.environment) }
        }
    }

    public func opacity(_ opacity: Double) -> some ChartContent {
        marked { mark, _ in mark.opacity = (mark.opacity ?? 1) * opacity }
    }

    public func cornerRadius(_ radius: CGFloat, style: RoundedCornerStyle = .continuous) -> some ChartContent
    {
        styled(\.corner, radius)
    }

    public func position<P: Plottable>(
        by value: PlottableValue<P>,
        axis: Axis? = nil,
        span: MarkDimension = .automatic
    ) -> some ChartContent {
        styled(\.position, PlotValue(value))
    }

    public func lineStyle(_ style: StrokeStyle) -> some ChartContent { styled(\.lineWidth, style.lineWidth) }

    public func lineStyle<S: Plottable>(by value: PlottableValue<S>) -> some ChartContent {
        styled(\.series, PlotValue(value))
    }

    // No effect: lines are straight and points are round.
    public func interpolationMethod(_ method: InterpolationMethod) -> some ChartContent { self }
    public func symbol<S: ChartSymbolShape>(_ symbol: S) -> some ChartContent { self }
    public func symbol<V: View>(@ViewBuilder symbol: () -> V) -> some ChartContent { self }

    public func symbol<S: Plottable>(by value: PlottableValue<S>) -> some ChartContent {
        styled(\.series, PlotValue(value))
    }

    // No effect.
    public func symbolSize(_ area: CGFloat) -> some ChartContent { self }
    public func symbolSize(_ size: CGSize) -> some ChartContent { self }
    public func symbolSize<S: Plottable>(by value: PlottableValue<S>) -> some ChartContent { self }
    public func zIndex(_ value: Double) -> some ChartContent { self }
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some ChartContent { self }
    public func offset(_ offset: CGSize) -> some ChartContent { self }
    public func clipShape<S: Shape>(_ shape: S) -> some ChartContent { self }
    public func alignsMarkStylesWithPlotArea(_ aligns: Bool = true) -> some ChartContent { self }
}

extension ChartContent {
    /// Shows only the text of the view.
    public func annotation<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: @escaping () -> C
    ) -> some ChartContent {
        noted { _ in AnyView(content()) }
    }

    /// Shows only the text of the view.
    public func annotation<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: @escaping (AnnotationContext) -> C
    ) -> some ChartContent {
        noted { AnyView(content($0)) }
    }

    /// Shows only the text of the view.
    public func annotation<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment = .center,
        spacing: CGFloat? = nil,
        overflowResolution: AnnotationOverflowResolution,
        @ViewBuilder content: @escaping () -> C
    ) -> some ChartContent {
        noted { _ in AnyView(content()) }
    }

    private func noted(_ view: @escaping @MainActor (AnnotationContext) -> AnyView) -> some ChartContent {
        marked { mark, page in
            let element = try page.collectOne { try page.lower(view(AnnotationContext())) }
            guard let words = element?.words, !words.isEmpty else { return }
            mark.note = [mark.note, words].compactMap { $0 }.joined(separator: " ")
        }
    }

    public func accessibilityLabel(_ label: Text) -> some ChartContent {
        marked { mark, page in
            if mark.says == nil { mark.says = label.words(in: page.environment) }
        }
    }

    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some ChartContent {
        accessibilityLabel(Text(labelKey))
    }

    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some ChartContent {
        accessibilityLabel(Text(label))
    }

    public func accessibilityValue(_ value: Text) -> some ChartContent {
        marked { mark, page in
            if mark.saysValue == nil { mark.saysValue = value.words(in: page.environment) }
        }
    }

    public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some ChartContent {
        accessibilityValue(Text(valueKey))
    }

    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some ChartContent {
        accessibilityValue(Text(value))
    }

    /// Has no effect. The table for screen readers contains the value of every mark.
    public func accessibilityHidden(_ hidden: Bool) -> some ChartContent { self }
    /// Has no effect, because identifiers are for tests and a page does not contain them.
    public func accessibilityIdentifier(_ identifier: String) -> some ChartContent { self }
}

/// Marks with a modifier.
struct ModifiedChartContent<Content: ChartContent>: ChartContent, PrimitiveChartContent {
    typealias Body = Never

    let content: Content
    let change: @MainActor (inout MarkDraft, PageWriter) throws -> Void

    func plot(_ plot: MarkPlot) throws {
        try plot.each {
            try plot.lower(content)
        } _: {
            try change(&$0, plot.page)
        }
    }
}

extension ChartContent {
    func marked(
        _ change: @escaping @MainActor (inout MarkDraft, PageWriter) throws -> Void
    ) -> ModifiedChartContent<Self> {
        ModifiedChartContent(content: self, change: change)
    }

    /// Sets a value that no modifier nearer to the mark has set.
    func styled<Value>(_ path: WritableKeyPath<MarkDraft, Value?>, _ value: Value?) -> ModifiedChartContent<
        Self
    > {
        marked { mark, _ in
            if mark[keyPath: path] == nil { mark[keyPath: path] = value }
        }
    }
}
