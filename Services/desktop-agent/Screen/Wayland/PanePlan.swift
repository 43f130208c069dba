import STDesktop

/// Where a pane has to be at this moment.
enum PanePlan {
    /// What it lies over cannot be seen.
    case hidden
    case shown([SheetPlan])
}

/// One monitor's share of a pane.
struct SheetPlan: Equatable {
    enum Place: Equatable {
        /// Over all of a monitor; only the parts are seen and felt.
        case monitor(UInt32)
        case corner(width: Int, height: Int)
        case middle(width: Int, height: Int)
        /// A window of our own, which the desktop keeps over the one of that name.
        case window(String)
    }

    var place: Place
    /// The frame of the whole pane, from the sheet's own corner; empty stands for all of the sheet.
    var frame: ScreenRect
    /// What of it can be seen, from the sheet's own corner; empty with an empty frame.
    var parts: [ScreenRect]
    var takesPointer: Bool
    var takesKeys: Bool
    /// Pixels of one unit there.
    var scale: Double
    /// What a window of ours lies over: it comes as large as that.
    var beneath: ScreenRect?
}

/// Where panes have to be, from all that is known of windows and monitors at one moment.
struct PanePlanner {
    /// Parts of one cover; windows that are cut up further are covered whole.
    private static let partsMax = 64

    let toplevels: ToplevelBook
    let outputs: OutputBook
    /// Where windows are; nil where only the protocol tells of them.
    let tree: WindowTree?
    let front: WaylandFront

    /// Nil when what the pane lies over is gone.
    func plan(_ order: PaneOrder, holds: Bool) -> PanePlan? {
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
        // The monitor of the window in front; where that is unknown, of the last window whose monitor is known.
        for id in [front.window].compactMap({ $0 }) + front.recent {
            let names = toplevels[id]?.told?.outputs ?? []
            if let output = names.compactMap({ outputs.named($0) }).first { return output }
        }
        return outputs.all.first
    }

    private func plan(over id: WindowID, takesKeys: Bool) -> PanePlan? {
        guard let toplevel = toplevels[id] else { return nil }
        let isInFront = front.window == id
        guard let tree, let window = toplevel.container.flatMap(tree.window) else {
            return wholeOutputs(toplevel, takesKeys: takesKeys && isInFront)
        }
        if let title = window.coverTitle {
            let output = outputs.all.first { $0.frame.intersection(window.content) != nil }
            let scale = output?.scale ?? 1
            var plan = whole(.window(title), scale: scale, takesKeys: takesKeys && isInFront)
            plan.beneath = window.content
            return .shown([plan])
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

    /// Where it is not known where windows are, a cover lies over all monitors of its window, while that is in front:
    /// nothing else there could be used otherwise.
    ///
    /// While nothing is in front, the last one that was keeps its cover: a compositor may call nothing activated just
    /// because the cover has the keyboard, and a cover that went for that would come and go without end.
    private func wholeOutputs(_ toplevel: Toplevel, takesKeys: Bool) -> PanePlan {
        guard !toplevel.isMinimized, toplevel.id == front.window ?? front.recent.first else { return .hidden }
        var covered = toplevel.outputs.compactMap { outputs[$0] }
        // Not told for this one: then where the user is, as far as that is known.
        if covered.isEmpty { covered = outputInUse.map { [$0] } ?? [] }
        return .shown(
            covered.enumerated().map { index, output in
                whole(.monitor(output.global), scale: output.scale, takesKeys: takesKeys && index == 0)
            }
        )
    }

    /// One that covers all of its own surface.
    private func whole(_ place: SheetPlan.Place, scale: Double, takesKeys: Bool) -> SheetPlan {
        SheetPlan(
            place: place,
            frame: ScreenRect(x: 0, y: 0, width: 0, height: 0),
            parts: [],
            takesPointer: true,
            takesKeys: takesKeys,
            scale: scale
        )
    }
}

/// Cutting rectangles out of others.
extension ScreenRect {
    private var right: Int { x + width }
    private var bottom: Int { y + height }

    func intersection(_ other: ScreenRect) -> ScreenRect? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let rect = ScreenRect(
            x: left,
            y: top,
            width: min(right, other.right) - left,
            height: min(bottom, other.bottom) - top
        )
        return rect.isEmpty ? nil : rect
    }

    func moved(x: Int, y: Int) -> ScreenRect {
        ScreenRect(x: self.x + x, y: self.y + y, width: width, height: height)
    }

    /// What is left of it without the other: at most four parts that do not overlap.
    private func without(_ other: ScreenRect) -> [ScreenRect] {
        guard let hole = intersection(other) else { return [self] }
        let parts = [
            ScreenRect(x: x, y: y, width: width, height: hole.y - y),
            ScreenRect(x: x, y: hole.y, width: hole.x - x, height: hole.height),
            ScreenRect(x: hole.right, y: hole.y, width: right - hole.right, height: hole.height),
            ScreenRect(x: x, y: hole.bottom, width: width, height: bottom - hole.bottom),
        ]
        return parts.filter { !$0.isEmpty }
    }

    /// The parts of it that lie under none of the others; nil when they are more than `limit`.
    func without(_ others: [ScreenRect], limit: Int) -> [ScreenRect]? {
        var parts = [self]
        for other in others {
            parts = parts.flatMap { $0.without(other) }
            if parts.count > limit { return nil }
        }
        return parts
    }
}
