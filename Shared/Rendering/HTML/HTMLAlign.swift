import STContracts

/// Where something stands, in the words of style sheets.
enum HTMLAlign {
    /// To the side, and from above, in a column.
    static func places(_ align: PageAlign?) -> (across: String, down: String) {
        switch align {
        case .leading: ("flex-start", "center")
        case .trailing: ("flex-end", "center")
        case .top: ("center", "flex-start")
        case .bottom: ("center", "flex-end")
        case .topLeading: ("flex-start", "flex-start")
        case .topTrailing: ("flex-end", "flex-start")
        case .bottomLeading: ("flex-start", "flex-end")
        case .bottomTrailing: ("flex-end", "flex-end")
        case .center, .baseline, .unknown, nil: ("center", "center")
        }
    }
}
