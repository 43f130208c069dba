/// How large a person wants words to be.
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    /// The smallest.
    case xSmall
    /// Small.
    case small
    /// In between.
    case medium
    /// As a phone has them at first.
    case large
    /// Larger.
    case xLarge
    /// Larger still.
    case xxLarge
    /// The largest for most.
    case xxxLarge
    /// For those who need more.
    case accessibility1
    /// For those who need more.
    case accessibility2
    /// For those who need more.
    case accessibility3
    /// For those who need more.
    case accessibility4
    /// The largest.
    case accessibility5

    /// Whether it is one for those who need more.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}
