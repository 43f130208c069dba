import STDesktop

/// The planned position of a pane.
enum PaneLayout {
    /// The window beneath is not visible.
    case hidden
    case shown([OverlayPlan])
}

/// The part of a pane on one monitor.
struct OverlayPlan: Equatable {
    enum Place: Equatable {
        /// Over a whole monitor. Only the parts are visible and receive input.
        case monitor(UInt32)
        case corner(width: Int, height: Int)
        case middle(width: Int, height: Int)
        /// A window of Screen Time, which the desktop keeps over the window with this cover title.
        case window(String)
    }

    var place: Place
    /// The frame of the whole pane, relative to the corner of the sheet. Empty means the whole sheet.
    var frame: ScreenRect
    /// The visible parts, relative to the corner of the sheet. Empty if the frame is empty.
    var parts: [ScreenRect]
    var takesPointer: Bool
    var takesKeys: Bool
    /// Pixels per logical unit on this monitor.
    var scale: Double
    /// The frame of the window beneath, which determines the size of a cover window.
    var beneath: ScreenRect?
}

/// Plans the positions of panes from the state of windows and monitors at one moment.
struct PaneLayoutPlanner {
    /// Upper bound on parts of one cover. A window with more visible parts is covered completely.
    private static let partsMax = 64

    let toplevels: WaylandToplevels
    let outputs: WaylandOutputs
    /// The positions of windows. `nil` if only the protocol reports windows.
    let tree: WindowTree?
    let front: WaylandForegroundTracker

    /// Returns `nil` if the window beneath the pane is gone.
    func plan(_ order: PaneRequest, holds: Bool) -> PaneLayout? {
        switch order.place {
        case .over(let id): return plan(over: id, takesKeys: order.takesKeys || holds)
        case .corner(let width, let height):
            return small(
                .corner(width: width, height: height),
                width: width,
                height: height,
                takesPointer: false,
                takesKeys: false
            )
        case .middle(let width, let height):
            return small(
                .middle(width: width, height: height),
                width: width,
                height: height,
                takesPointer: true,
                takesKeys: order.takesKeys
            )
        }
    }

    private func small(
        _ place: OverlayPlan.Place,
        width: Int,
        height: Int,
        takesPointer: Bool,
        takesKeys: Bool
    ) -> PaneLayout? {
        guard width > 0, height > 0 else { return nil }
        let frame = ScreenRect(x: 0, y: 0, width: width, height: height)
        // The compositor chooses the monitor, usually the one in use.
        let scale = outputInUse?.scale ?? 1
        return .shown([
            OverlayPlan(
                place: place,
                frame: frame,
                parts: [frame],
                takesPointer: takesPointer,
                takesKeys: takesKeys,
                scale: scale
            )
        ])
    }

    private var outputInUse: WaylandOutput? {
        // The monitor of the foreground window. If it is unknown, the monitor of the last window whose monitor is known.
        for id in [front.window].compactMap({ $0 }) + front.recent {
            let names = toplevels[id]?.lastSent?.outputs ?? []
            if let output = names.compactMap({ outputs.named($0) }).first { return output }
        }
        return outputs.outputs.first
    }

    private func plan(over id: WindowID, takesKeys: Bool) -> PaneLayout? {
        guard let toplevel = toplevels[id] else { return nil }
        let isInFront = front.window == id
        guard let tree, let window = toplevel.container.flatMap(tree.window) else {
            return wholeOutputs(toplevel, takesKeys: takesKeys && isInFront)
        }
        if let title = window.coverTitle {
            let output = outputs.outputs.first { $0.frame.intersection(window.content) != nil }
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
        var plans: [(area: Int, plan: OverlayPlan)] = []
        for output in outputs.outputs {
            guard let share = window.content.intersection(output.frame) else { continue }
            let parts = visible.compactMap { $0.intersection(output.frame) }
                .map { $0.moved(x: -output.frame.x, y: -output.frame.y) }
            let plan = OverlayPlan(
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

    /// Covers all monitors of a window whose position is unknown, while the window is in the foreground. Nothing else on them can
    /// be used then.
    ///
    /// If no window is in the foreground, the last one keeps its cover. A compositor may report no window as activated just because
    /// the cover has the keyboard. Removing the cover would then make it flicker.
    private func wholeOutputs(_ toplevel: WaylandToplevel, takesKeys: Bool) -> PaneLayout {
        guard !toplevel.isMinimized, toplevel.id == front.window ?? front.recent.first else { return .hidden }
        var covered = toplevel.outputs.compactMap { outputs[$0] }
        // The compositor has not reported the monitors of this window, so the monitor in use is covered.
        if covered.isEmpty { covered = outputInUse.map { [$0] } ?? [] }
        return .shown(
            covered.enumerated().map { index, output in
                whole(.monitor(output.global), scale: output.scale, takesKeys: takesKeys && index == 0)
            }
        )
    }

    /// Returns a plan that covers the whole sheet.
    private func whole(_ place: OverlayPlan.Place, scale: Double, takesKeys: Bool) -> OverlayPlan {
        OverlayPlan(
            place: place,
            frame: ScreenRect(x: 0, y: 0, width: 0, height: 0),
            parts: [],
            takesPointer: true,
            takesKeys: takesKeys,
            scale: scale
        )
    }
}

/// Cuts rectangles out of others.
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

    /// Returns the rest of the rectangle without `other`: at most four parts that do not overlap.
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

    /// Returns the parts outside of all other rectangles, or `nil` if they are more than `limit`.
    func without(_ others: [ScreenRect], limit: Int) -> [ScreenRect]? {
        var parts = [self]
        for other in others {
            parts = parts.flatMap { $0.without(other) }
            if parts.count > limit { return nil }
        }
        return parts
    }
}
