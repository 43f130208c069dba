/// What becomes of marks that stand at one place.
public struct MarkStackingMethod: Hashable, Sendable {
    enum Kind: Sendable {
        case standard, normalized, center, unstacked
    }

    let kind: Kind

    /// They stand on each other.
    public static var standard: MarkStackingMethod { MarkStackingMethod(kind: .standard) }

    /// They stand on each other and are shares of a whole.
    public static var normalized: MarkStackingMethod { MarkStackingMethod(kind: .normalized) }

    /// They stand on each other, around the middle.
    public static var center: MarkStackingMethod { MarkStackingMethod(kind: .center) }

    /// They stand in front of each other.
    public static var unstacked: MarkStackingMethod { MarkStackingMethod(kind: .unstacked) }
}
