public import Foundation

/// How high a sheet is.
public struct PresentationDetent: Hashable, Sendable {
    private let share: Double

    /// Half.
    public static let medium = PresentationDetent(share: 0.5)
    /// All.
    public static let large = PresentationDetent(share: 1)
    /// So high.
    public static func height(_ height: CGFloat) -> PresentationDetent { medium }
    /// That part.
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        PresentationDetent(share: Double(fraction))
    }
}

/// Which bar.
public struct ToolbarPlacement: Sendable {
    /// As it suits.
    public static let automatic = ToolbarPlacement()
    /// At the top.
    public static let navigationBar = ToolbarPlacement()
    /// With the tabs.
    public static let tabBar = ToolbarPlacement()
    /// At the bottom.
    public static let bottomBar = ToolbarPlacement()
}

/// Where in a bar.
public struct ToolbarItemPlacement: Sendable {
    /// As it suits.
    public static let automatic = ToolbarItemPlacement()
    /// In the middle.
    public static let principal = ToolbarItemPlacement()
    /// Where lines begin.
    public static let topBarLeading = ToolbarItemPlacement()
    /// Where lines end.
    public static let topBarTrailing = ToolbarItemPlacement()
    /// Where lines begin.
    public static let navigationBarLeading = ToolbarItemPlacement()
    /// Where lines end.
    public static let navigationBarTrailing = ToolbarItemPlacement()
    /// At the bottom.
    public static let bottomBar = ToolbarItemPlacement()
    /// To end with.
    public static let confirmationAction = ToolbarItemPlacement()
    /// To leave with.
    public static let cancellationAction = ToolbarItemPlacement()
}

/// A thing in a bar, which a page does not have.
public struct ToolbarItem<ID, Content: View>: View {
    /// It is not shown.
    public var body: some View { EmptyView() }
}

extension ToolbarItem where ID == () {
    /// One.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {}
}

/// Things in a bar, which a page does not have.
public struct ToolbarItemGroup<Content: View>: View {
    /// Some.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {}

    /// They are not shown.
    public var body: some View { EmptyView() }
}

/// Where lines begin or end.
public enum HorizontalEdge: Int8, CaseIterable, Sendable {
    /// Where they begin.
    case leading
    /// Where they end.
    case trailing
}

/// Whether bars say how much there is.
public struct ScrollIndicatorVisibility: Equatable, Sendable {
    private let name: String

    /// As it suits.
    public static let automatic = ScrollIndicatorVisibility(name: "automatic")
    /// They do.
    public static let visible = ScrollIndicatorVisibility(name: "visible")
    /// They do not.
    public static let hidden = ScrollIndicatorVisibility(name: "hidden")
    /// They never do.
    public static let never = ScrollIndicatorVisibility(name: "never")
}

/// How something springs back when it is moved.
public struct ScrollBounceBehavior: Sendable {
    /// As it suits.
    public static let automatic = ScrollBounceBehavior()
    /// Always.
    public static let always = ScrollBounceBehavior()
    /// When there is more than is seen.
    public static let basedOnSize = ScrollBounceBehavior()
}

/// How something can be moved.
public struct ScrollTargetBehaviorName: Sendable {
    /// From page to page.
    public static let paging = ScrollTargetBehaviorName()
    /// From thing to thing.
    public static let viewAligned = ScrollTargetBehaviorName()
}

/// What is felt.
public struct SensoryFeedback: Equatable, Sendable {
    private let name: String

    /// Something was done.
    public static let success = SensoryFeedback(name: "success")
    /// Something may go wrong.
    public static let warning = SensoryFeedback(name: "warning")
    /// Something went wrong.
    public static let error = SensoryFeedback(name: "error")
    /// Something was chosen.
    public static let selection = SensoryFeedback(name: "selection")
    /// Something was hit.
    public static let impact = SensoryFeedback(name: "impact")
}

/// Of what the ground is meant.
public struct ContainerBackgroundPlacement: Sendable {
    /// Of a page of several.
    public static let navigation = ContainerBackgroundPlacement()
    /// Of a widget.
    public static let widget = ContainerBackgroundPlacement()
}
