// What comes up above a page when something happens: on a page nothing does, so none of it is shown.
extension View {
    /// A sheet, which is not shown.
    public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { self }

    /// A sheet, which is not shown.
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { self }

    /// A page above this one, which is not shown.
    public func fullScreenCover<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { self }

    /// A page above this one, which is not shown.
    public func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { self }

    /// Something beside this, which is not shown.
    public func popover<Content: View>(
        isPresented: Binding<Bool>,
        attachmentAnchor: UnitPoint = .center,
        arrowEdge: Edge = .top,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { self }

    /// A question, which is not shown.
    public func alert<A: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A
    ) -> some View { self }

    /// A question, which is not shown.
    public func alert<A: View, M: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View { self }

    /// A question, which is not shown.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A
    ) -> some View { self }

    /// A question, which is not shown.
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View { self }

    /// A question, which is not shown.
    public func confirmationDialog<A: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View { self }

    /// A question, which is not shown.
    public func confirmationDialog<A: View, M: View>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View { self }

    /// How high a sheet is, which is not shown.
    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View { self }
    /// Whether a sheet can be pulled, which is not shown.
    public func presentationDragIndicator(_ visibility: Visibility) -> some View { self }
    /// Whether a sheet can be pulled away, which is not shown.
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { self }

    /// Things in a bar, which a page does not have.
    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
    /// Whether there is a bar; a page has none.
    public func toolbar(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View { self }
    /// What a bar stands on; a page has none.
    public func toolbarBackground<S: ShapeStyle>(_ style: S, for bars: ToolbarPlacement...) -> some View {
        self
    }
    /// Whether a bar stands on something; a page has none.
    public func toolbarBackground(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        self
    }

    /// A menu that comes up when it is pressed for a while, which is not shown.
    public func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View { self }
    /// Things that come up when a row is pushed, which are not shown.
    public func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing,
        allowsFullSwipe: Bool = true,
        @ViewBuilder content: () -> T
    ) -> some View { self }
    /// What would happen when it is pulled down; a page is made anew by whoever wants it.
    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
    /// A field for words to look for, which is not shown.
    public func searchable(text: Binding<String>, prompt: Text? = nil) -> some View { self }
    /// Whether bars say how much there is; a page has none.
    public func scrollIndicators(
        _ visibility: ScrollIndicatorVisibility,
        axes: Axis.Set = [.vertical, .horizontal]
    )
        -> some View
    { self }
    /// Whether what can be moved stands on something, which is left to who draws.
    public func scrollContentBackground(_ visibility: Visibility) -> some View { self }
    /// Whether it can be moved; a page shows all.
    public func scrollDisabled(_ disabled: Bool) -> some View { self }
    /// How it springs back when it is moved; a page does not.
    public func scrollBounceBehavior(_ behavior: ScrollBounceBehavior, axes: Axis.Set = [.vertical])
        -> some View
    {
        self
    }
    /// How it can be moved; a page shows all.
    public func scrollTargetBehavior(_ behavior: ScrollTargetBehaviorName) -> some View { self }
    /// Where it may stop; a page shows all.
    public func scrollTargetLayout(isEnabled: Bool = true) -> some View { self }
    /// Whether the bar at the top of a phone is hidden; a page has none.
    public func statusBarHidden(_ hidden: Bool = true) -> some View { self }
    /// Words that come up when somebody points at it, which are not shown.
    public func help(_ textKey: LocalizedStringKey) -> some View { self }
    /// What would be felt; on a page nothing is.
    public func sensoryFeedback<T: Equatable>(_ feedback: SensoryFeedback, trigger: T) -> some View { self }
    /// What the whole stands on, which is left to who draws.
    public func containerBackground<S: ShapeStyle>(_ style: S, for container: ContainerBackgroundPlacement)
        -> some View
    { self }
}
