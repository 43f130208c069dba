import STContracts

extension PageAlign {
    /// How much of the free room is at the leading side: 0, 0.5 or 1.
    var across: Double {
        switch self {
        case .leading, .topLeading, .bottomLeading: 0
        case .trailing, .topTrailing, .bottomTrailing: 1
        case .center, .top, .bottom, .baseline, .unknown: 0.5
        }
    }

    /// How much of the free room is above.
    var down: Double {
        switch self {
        case .top, .topLeading, .topTrailing: 0
        case .bottom, .bottomLeading, .bottomTrailing: 1
        case .center, .leading, .trailing, .baseline, .unknown: 0.5
        }
    }
}
