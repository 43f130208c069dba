/// Where lines begin.
public enum LayoutDirection: Hashable, CaseIterable, Sendable {
    /// At the left.
    case leftToRight

    /// At the right.
    case rightToLeft
}
