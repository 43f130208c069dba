package import STDesktop

/// Acts that wait for a compositor that does not read.
package struct WaitingActs {
    /// More than these are left out, but for closing: a pane that is never closed would stay for ever.
    package static let actsMax = 1_000
    /// There are never more panes than can be open; whoever closes more is mistaken.
    package static let closingMax = 10_000

    private var acts: [DesktopAct] = []
    private var closing: Set<PaneID> = []

    package init() {}

    package mutating func add(_ more: [DesktopAct]) {
        for act in more {
            if case .closePane(let id) = act {
                guard closing.count < Self.closingMax, closing.insert(id).inserted else { continue }
                acts.append(act)
            } else if acts.count < Self.actsMax {
                // Opened anew: then it may be closed anew.
                if case .openPane(let order) = act { closing.remove(order.id) }
                acts.append(act)
            }
        }
    }

    package mutating func take() -> [DesktopAct] {
        defer { self = WaitingActs() }
        return acts
    }
}
