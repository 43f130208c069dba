public import SwiftUICore

extension View {
    /// Whether the x axis is there.
    public func chartXAxis(_ visibility: Visibility) -> some View {
        charted { $0.x.isHidden = visibility == .hidden }
    }

    /// What stands along the x axis.
    public func chartXAxis<Content: AxisContent>(@AxisContentBuilder content: () -> Content) -> some View {
        let marks = AxisDraft(content())
        return charted { $0.x.marks = marks }
    }

    /// Whether the y axis is there.
    public func chartYAxis(_ visibility: Visibility) -> some View {
        charted { $0.y.isHidden = visibility == .hidden }
    }

    /// What stands along the y axis.
    public func chartYAxis<Content: AxisContent>(@AxisContentBuilder content: () -> Content) -> some View {
        let marks = AxisDraft(content())
        return charted { $0.y.marks = marks }
    }

    /// What the x axis measures.
    public func chartXAxisLabel(
        _ labelKey: LocalizedStringKey,
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        labelled(\.x, AnyView(Text(labelKey)))
    }

    /// What the x axis measures.
    @_disfavoredOverload
    public func chartXAxisLabel<S: StringProtocol>(
        _ label: S,
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        labelled(\.x, AnyView(Text(label)))
    }

    /// What the x axis measures: of a view only its words are shown.
    public func chartXAxisLabel<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> C
    ) -> some View {
        labelled(\.x, AnyView(content()))
    }

    /// What the y axis measures.
    public func chartYAxisLabel(
        _ labelKey: LocalizedStringKey,
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        labelled(\.y, AnyView(Text(labelKey)))
    }

    /// What the y axis measures.
    @_disfavoredOverload
    public func chartYAxisLabel<S: StringProtocol>(
        _ label: S,
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        labelled(\.y, AnyView(Text(label)))
    }

    /// What the y axis measures: of a view only its words are shown.
    public func chartYAxisLabel<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> C
    ) -> some View {
        labelled(\.y, AnyView(content()))
    }

    private func labelled(
        _ axis: WritableKeyPath<ChartSettings, AxisSettings>,
        _ view: AnyView
    ) -> some View {
        lowered { page, content in
            let words = try page.collectOne { try page.lower(view) }?.words
            try page.changing {
                $0.chart[keyPath: axis].label = words
            } _: {
                try content()
            }
        }
    }
}
