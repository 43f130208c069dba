import STCScreen
import STDesktop

extension WaylandDesk {
    /// Parts of one cover; windows that are cut up further are covered whole.
    static let partsMax = 64

    func makeBoard(_ surfaces: Surfaces, _ seat: SeatInput) {
        let board = PaneBoard(connection, surfaces, seat, loop)
        seat.board = board
        board.plan = { [weak self] in self?.plan($0, holds: $1) }
        board.output = { [weak self] number in
            self?.outputs?.all.first { $0.global == number }?.handle
        }
        board.isActivated = { [weak self] in self?.toplevels?[$0]?.isActivated ?? false }
        board.raise = { [weak self] in self?.perform(.activate($0)) }
        board.closeMenus = { [weak self] in self?.closeMenus($0) }
        board.heard = { [weak self] in self?.tell(.pane($0, $1)) }
        self.board = board
    }

    private func plan(_ order: PaneOrder, holds: Bool) -> PanePlan? {
        switch order.place {
        case .over(let id): return plan(over: id, takesKeys: order.takesKeys || holds)
        case .corner(let width, let height):
            return small(.corner(width: width, height: height), width, height, false, false)
        case .middle(let width, let height):
            return small(.middle(width: width, height: height), width, height, true, order.takesKeys)
        }
    }

    private func small(
        _ place: SheetPlan.Place,
        _ width: Int,
        _ height: Int,
        _ takesPointer: Bool,
        _ takesKeys: Bool
    ) -> PanePlan? {
        guard width > 0, height > 0 else { return nil }
        let frame = ScreenRect(x: 0, y: 0, width: width, height: height)
        // Which monitor is the compositor's choice: the one that is being used, as a rule.
        let scale = outputInUse?.scale ?? 1
        return .shown([
            SheetPlan(
                place: place,
                frame: frame,
                parts: [frame],
                takesPointer: takesPointer,
                takesKeys: takesKeys,
                scale: scale
            )
        ])
    }

    private var outputInUse: Output? {
        // The one in front, or where nobody says where that is, the last one of which it is known.
        for id in [focus].compactMap({ $0 }) + recent {
            let names = toplevels?[id]?.told?.outputs ?? []
            if let output = names.compactMap({ outputs?.named($0) }).first { return output }
        }
        return outputs?.all.first
    }

    private func plan(over id: WindowID, takesKeys: Bool) -> PanePlan? {
        guard let toplevel = toplevels?[id], let outputs else { return nil }
        let isInFront = focus == id
        let number = toplevel.container
        guard let tree, let window = tree.windows.first(where: { $0.container == number }) else {
            return wholeOutputs(toplevel, takesKeys: takesKeys && isInFront)
        }
        guard window.isVisible, !window.content.isEmpty else { return .hidden }
        let above = tree.floating.enumerated().filter { index, rect in
            !rect.isEmpty && (window.floating.map { index > $0 } ?? true)
        }
        let visible = window.content.without(above.map(\.element), limit: Self.partsMax) ?? [window.content]
        var plans: [(area: Int, plan: SheetPlan)] = []
        for output in outputs.all {
            guard let share = window.content.intersection(output.frame) else { continue }
            let parts = visible.compactMap { $0.intersection(output.frame) }
                .map { $0.moved(x: -output.frame.x, y: -output.frame.y) }
            let plan = SheetPlan(
                place: .monitor(output.global),
                frame: window.content.moved(x: -output.frame.x, y: -output.frame.y),
                parts: parts,
                takesPointer: true,
                takesKeys: false,
                scale: output.scale
            )
            plans.append((share.width * share.height, plan))
        }
        guard !plans.isEmpty else { return .hidden }
        plans.sort { $0.area > $1.area }
        plans[0].plan.takesKeys = takesKeys && isInFront
        return .shown(plans.map(\.plan))
    }

    /// Where nobody says where windows are, a cover lies over all of their monitors, while they are in front: nothing
    /// else there could be used otherwise.
    ///
    /// While nothing is in front, the last one that was keeps its cover: a compositor may call nothing activated just
    /// because the cover has the keyboard, and a cover that went for that would come and go without end.
    private func wholeOutputs(_ toplevel: Toplevel, takesKeys: Bool) -> PanePlan {
        guard !toplevel.isMinimized, toplevel.id == focus ?? recent.first else { return .hidden }
        var covered = toplevel.outputs.compactMap { outputs?[$0] }
        // Not told for this one: then where the user is, as far as anybody knows.
        if covered.isEmpty { covered = outputInUse.map { [$0] } ?? [] }
        let none = ScreenRect(x: 0, y: 0, width: 0, height: 0)
        return .shown(
            covered.enumerated().map { index, output in
                SheetPlan(
                    place: .monitor(output.global),
                    frame: none,
                    parts: [],
                    takesPointer: true,
                    takesKeys: takesKeys && index == 0,
                    scale: output.scale
                )
            }
        )
    }

    /// An open menu keeps the keyboard (wlroots: "keyboard focus should remain on the popup"), and sway closes the menus
    /// of a window when the focus leaves it: so it leaves, and comes back in the same moment.
    ///
    /// Not by `focus child`, which would go to a tiled window from a floating one.
    private func closeMenus(_ id: WindowID) {
        guard focus == id, let sway, let container = toplevels?[id]?.container else { return }
        sway.command("[con_id=\(container)] focus; focus parent; [con_id=\(container)] focus")
    }
}
