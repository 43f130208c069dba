package import STContracts

/// Where something stands from top to bottom.
public struct VerticalAlignment: Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// An app's own, which is taken as the middle.
    public init(_ id: any AlignmentID.Type) { self.init("center") }

    /// At the top.
    public static let top = VerticalAlignment("top")
    /// In the middle.
    public static let center = VerticalAlignment("center")
    /// At the bottom.
    public static let bottom = VerticalAlignment("bottom")
    /// On the first line.
    public static let firstTextBaseline = VerticalAlignment("first")
    /// On the last line.
    public static let lastTextBaseline = VerticalAlignment("last")

    package var page: PageAlign {
        switch self {
        case .top: .top
        case .bottom: .bottom
        case .firstTextBaseline, .lastTextBaseline: .baseline
        default: .center
        }
    }
}
