package import STContracts

/// Where something stands from side to side.
public struct HorizontalAlignment: Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// An app's own, which is taken as the middle.
    public init(_ id: any AlignmentID.Type) { self.init("center") }

    /// Where lines begin.
    public static let leading = HorizontalAlignment("leading")
    /// In the middle.
    public static let center = HorizontalAlignment("center")
    /// Where lines end.
    public static let trailing = HorizontalAlignment("trailing")

    package var page: PageAlign {
        switch self {
        case .leading: .leading
        case .trailing: .trailing
        default: .center
        }
    }
}
