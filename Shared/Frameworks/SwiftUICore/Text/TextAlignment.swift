import STContracts

/// Where the lines of a text begin.
public enum TextAlignment: Hashable, CaseIterable, Sendable {
    /// Where lines begin.
    case leading
    /// In the middle.
    case center
    /// Where lines end.
    case trailing

    var page: PageAlign? {
        switch self {
        case .leading: nil
        case .center: .center
        case .trailing: .trailing
        }
    }
}
