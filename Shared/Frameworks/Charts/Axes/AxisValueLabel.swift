public import Foundation
public import SwiftUICore

/// The words of a value.
public struct AxisValueLabel: AxisMark, PrimitiveAxisMark {
    /// It does not consist of other parts.
    public typealias Body = Never

    private var view: AnyView?
    private var text: ((PlotDatum) -> String?)?
    private var unit: AxisUnit?

    private init(view: AnyView?) { self.view = view }

    /// As the value is usually written.
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

    /// In a format.
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

    /// Those words.
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

    /// Those words.
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

    /// The words of a view.
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
