/// What something is, for those who listen.
public struct AccessibilityTraits: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: UInt64

    /// Those.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Can be pressed.
    public static let isButton = AccessibilityTraits(rawValue: 1)
    /// Stands above others.
    public static let isHeader = AccessibilityTraits(rawValue: 2)
    /// Is chosen.
    public static let isSelected = AccessibilityTraits(rawValue: 4)
    /// Leads elsewhere.
    public static let isLink = AccessibilityTraits(rawValue: 8)
    /// Is a picture.
    public static let isImage = AccessibilityTraits(rawValue: 16)
    /// Are words.
    public static let isStaticText = AccessibilityTraits(rawValue: 32)
    /// Says what is most important.
    public static let isSummaryElement = AccessibilityTraits(rawValue: 64)
    /// Changes often.
    public static let updatesFrequently = AccessibilityTraits(rawValue: 128)
    /// Hides what is around.
    public static let isModal = AccessibilityTraits(rawValue: 256)
    /// Is switched on or off.
    public static let isToggle = AccessibilityTraits(rawValue: 512)
}

/// How the parts of something are said.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    private let name: String

    /// Not at all.
    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    /// Each.
    public static let contain = AccessibilityChildBehavior(name: "contain")
    /// Together.
    public static let combine = AccessibilityChildBehavior(name: "combine")
}
