import STDesktop
import STPlatform

/// One pane: its pixels, its sheets on the monitors, and its state.
final class WaylandPane {
    private struct Shown: Equatable {
        var width: Int
        var height: Int
        var scale: Double
    }

    /// Time that the window beneath a cover may have the keyboard before `held` reports false.
    private static let inputLossGrace = Duration.milliseconds(300)

    let order: PaneRequest
    /// One transparent pixel, and an area in the background colour.
    let transparentBuffer: PaneBuffer
    private let background: PaneBuffer
    private var picture: PanePicture?
    /// The pixels of the picture.
    private var painted: PaneBuffer?
    /// The parts of the pane. Its size and keyboard settings come from the first sheet.
    private(set) var sheets: [OverlaySurface] = []
    private var isHidden = false
    private var sentShown: Shown?
    private var isInputHoldRequested = false
    /// True once the pane has received keys during the current hold. An open menu then no longer keeps the keyboard.
    private var hasHadKeyboard = false
    private var sentHeld: Bool?
    /// The moment since which the window beneath may receive input. `nil` while the hold is certain.
    private var inputLostSince: Duration?
    /// True if the compositor was already requested to close menus, for this doubt.
    private var hasRequestedActivation = false
    private var hovered: String?
    private var pressed: String?
    unowned let panes: WaylandPanes

    /// Shares the pixels of other panes with the same colour, because there can be as many panes as windows.
    init?(_ order: PaneRequest, like others: some Collection<WaylandPane>, _ panes: WaylandPanes) {
        let twin = others.first { $0.order.background == order.background }
        let memory = panes.surfaces.memory
        guard let clear = others.first?.transparentBuffer ?? PaneBuffer.colour(0, side: 1, memory),
            let background = twin?.background ?? PaneBuffer.colour(order.background, side: 256, memory)
        else { return nil }
        self.order = order
        self.transparentBuffer = clear
        self.background = background
        self.panes = panes
    }

    /// The currently visible pixels.
    var pixels: PaneBuffer { painted ?? background }

    private var isSettled: Bool { !sheets.isEmpty && sheets.allSatisfy(\.isConfigured) }

    private func send(_ event: PaneEvent) { panes.onEvent(order.id, event) }

    /// Sets the picture and returns the previous pixels.
    func paint(_ picture: PanePicture, _ buffer: PaneBuffer) -> PaneBuffer? {
        defer {
            painted = buffer
            self.picture = picture
        }
        return painted
    }

    // MARK: - Position

    func layOut() {
        switch panes.plan(order, isInputHoldRequested) {
        // The window beneath is gone or hidden. Until the pane is closed, it takes neither space nor keys.
        case nil, .hidden?:
            guard !isHidden else { return }
            isHidden = true
            hide()
            sheets = []
            sentShown = nil
            send(.hidden)
        case .shown(let plans)?:
            isHidden = false
            layOut(plans)
        }
    }

    private func layOut(_ plans: [OverlayPlan]) {
        var before = sheets
        sheets = plans.compactMap { plan in
            if let index = before.firstIndex(where: { $0.plan.place == plan.place }) {
                let sheet = before.remove(at: index)
                sheet.update(plan)
                return sheet
            }
            var handle: OpaquePointer?
            if case .monitor(let number) = plan.place {
                handle = panes.output(number)
                if handle == nil { return nil }
            }
            return OverlaySurface(self, plan: plan, surfaces: panes.surfaces, output: handle)
        }
        for sheet in before { destroy(sheet) }
    }

    func hide() {
        for sheet in sheets { destroy(sheet) }
    }

    private func destroy(_ sheet: OverlaySurface) {
        panes.seat.remove(sheet)
        sheet.destroy()
    }

    /// Handles that the compositor removed a sheet, because its monitor is gone. The next plan places it on another monitor.
    func surfaceDidClose(_ sheet: OverlaySurface) {
        sheets.removeAll { $0 === sheet }
        destroy(sheet)
        panes.loop.after(milliseconds: 0) { [weak panes] in panes?.layOutAll() }
    }

    // MARK: - State

    /// Reports changes of the pane's state.
    func reconcile() {
        guard panes.contains(self) else { return }
        if isSettled, let main = sheets.first, !main.frame.isEmpty {
            let scale = main.plan.scale
            let shown = Shown(
                width: Int((Double(main.frame.width) * scale).rounded(.up)),
                height: Int((Double(main.frame.height) * scale).rounded(.up)),
                scale: scale
            )
            if shown != sentShown {
                sentShown = shown
                let now = Stopwatch.bootMilliseconds()
                send(.shown(width: shown.width, height: shown.height, scale: scale, atBootMs: now))
            }
        }
        if isInputHoldRequested { reconcileInputHold() }
    }

    func holdInput() {
        isInputHoldRequested = true
        sentHeld = nil
        layOut()
        reconcile()
    }

    private func reconcileInputHold() {
        if isInputHeld {
            inputLostSince = nil
            hasRequestedActivation = false
            return sendInputHold(isHeld: true, nil)
        }
        // A cover receives the keyboard before the compositor reports the commit as done, unless a menu keeps the keyboard.
        if case .over(let window) = order.place, isSettled, !hasHadKeyboard, !hasRequestedActivation {
            hasRequestedActivation = true
            panes.closeMenus(window)
        }
        let now = Stopwatch.reading()
        guard let since = inputLostSince else {
            inputLostSince = now
            panes.loop.after(milliseconds: Self.inputLossGrace.ms) { [weak self, weak panes] in
                if panes != nil { self?.reconcile() }
            }
            return
        }
        guard now - since >= Self.inputLossGrace else { return }
        sendInputHold(
            isHeld: false,
            Message(
                "agent.other-window-keeps-keyboard",
                "An open menu or another window keeps the keyboard. Close it."
            )
        )
    }

    /// True if no input reaches the window beneath.
    private var isInputHeld: Bool {
        if isHidden { return true }
        guard isSettled else { return false }
        // The keyboard is with another window, and the pointer can only reach the cover.
        guard sheets.contains(where: \.plan.takesKeys), panes.seat.hasKeyboard else { return true }
        if panes.seat.keySheet != nil {
            hasHadKeyboard = true
            return true
        }
        // Another layer surface took the keyboard, such as a launcher or a lock screen. The window beneath does not have it.
        guard hasHadKeyboard, case .over(let window) = order.place else { return false }
        return !panes.isActivated(window)
    }

    private func sendInputHold(isHeld: Bool, _ why: Message?) {
        guard sentHeld != isHeld else { return }
        sentHeld = isHeld
        send(.held(isHeld, why))
    }

    // MARK: - Pointer and keys

    /// Handles a pointer position in a part, in the desktop's units.
    func pointerDidMove(_ part: OverlayRegion, x: Double, y: Double) { hover(spot(part, x: x, y: y)) }

    func pointerDidLeave() {
        pressed = nil
        hover(nil)
    }

    private func hover(_ spot: String?) {
        guard spot != hovered else { return }
        hovered = spot
        send(.hovered(spot))
    }

    func handleButton(_ part: OverlayRegion, isDown: Bool) {
        guard isDown else {
            if let spot = pressed, spot == hovered { send(.pressed(spot)) }
            pressed = nil
            return
        }
        pressed = hovered
        // A press raises the window, as usual on desktops.
        if case .over(let window) = order.place, !part.sheet.plan.takesKeys { panes.raise(window) }
    }

    func handleKey(_ key: PaneKey) {
        if order.takesKeys { send(.key(key)) }
    }

    private func spot(_ part: OverlayRegion, x: Double, y: Double) -> String? {
        let frame = part.sheet.frame
        guard let picture, let rect = part.rect, !frame.isEmpty else { return nil }
        let across = (x + Double(rect.x - frame.x)) / Double(frame.width) * Double(picture.width)
        let down = (y + Double(rect.y - frame.y)) / Double(frame.height) * Double(picture.height)
        let hit = picture.spots.last {
            Double($0.frame.x) <= across && across < Double($0.frame.x) + Double($0.frame.width)
                && Double($0.frame.y) <= down && down < Double($0.frame.y) + Double($0.frame.height)
        }
        return hit?.id
    }
}
