/// What stays in sight when a list is moved; a page shows all.
public struct PinnedScrollableViews: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: UInt32

    /// Those.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// What stands above a section.
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    /// What stands below one.
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}
