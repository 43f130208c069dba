import STCScreen
import STDesktop
import STPlatform

/// Our own windows: where they are, and that they stay there.
///
/// They are override-redirect: no window manager moves them, frames them, or closes them. One that lies over a window is
/// its frame's neighbour in the stacking order, so whatever is above the window is above the pane as well.
extension XDesk {
    /// Panes at the same time; one more is refused.
    ///
    /// One over every window that there can be, and some that lie over none.
    private static let panesMax = DesktopScene.windowsMax + 64
    private static let marginUnits = 16.0

    func openPane(_ order: PaneOrder) {
        guard panes[order.id] == nil else { return }
        guard panes.count < Self.panesMax else {
            return heard(.pane(order.id, .failed("There are \(Self.panesMax) windows of ours already.")))
        }
        let pane = XPane(order: order, window: connection.newID())
        create(pane)
        panes[order.id] = pane
        paneOfWindow[pane.window] = order.id
        wantsPlacing.insert(order.id)
        // An order for a window that is not there is answered like one for a window that has just gone.
        if pane.target.flatMap({ windows[$0] }) == nil, case .over = order.place {
            heard(.pane(order.id, .hidden))
        }
    }

    private func create(_ pane: XPane) {
        let events =
            XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
            | XCB_EVENT_MASK_ENTER_WINDOW.rawValue | XCB_EVENT_MASK_LEAVE_WINDOW.rawValue
            | XCB_EVENT_MASK_POINTER_MOTION.rawValue | XCB_EVENT_MASK_POINTER_MOTION_HINT.rawValue
            | XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue
            | XCB_EVENT_MASK_VISIBILITY_CHANGE.rawValue
        // In the order of the bits: background, gravity (what was drawn stays in its corner), override, events.
        let values = [
            connection.pixels.pixel(pane.order.background), XCB_GRAVITY_NORTH_WEST.rawValue, 1, events,
        ]
        let mask =
            XCB_CW_BACK_PIXEL.rawValue | XCB_CW_BIT_GRAVITY.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue
            | XCB_CW_EVENT_MASK.rawValue
        let screen = connection.screen
        xcb_create_window(
            connection.raw,
            screen.root_depth,
            pane.window,
            screen.root,
            -1,
            -1,
            1,
            1,
            0,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
            screen.root_visual,
            mask,
            values
        )
        name(pane)
        guard !pane.takesInput, hasShape else { return }
        // Nothing of it can be hit: the pointer goes to what is beneath.
        xcb_shape_rectangles(
            connection.raw,
            UInt8(XCB_SHAPE_SO_SET.rawValue),
            UInt8(XCB_SHAPE_SK_INPUT.rawValue),
            0,
            pane.window,
            0,
            0,
            0,
            nil
        )
    }

    private func name(_ pane: XPane) {
        let atoms = connection.atoms
        let text = Array(DisplayWidth.harmless(pane.order.name).utf8.prefix(DesktopWindow.textBytesMax))
        connection.set(pane.window, atoms[.name], type: atoms[.utf8], text: text)
        connection.set(pane.window, XCB_ATOM_WM_NAME.rawValue, type: atoms[.utf8], text: text)
        connection.set(
            pane.window,
            XCB_ATOM_WM_CLASS.rawValue,
            type: XCB_ATOM_STRING.rawValue,
            text: Array("screentime-shield\0screentime-shield\0".utf8)
        )
        let kind = pane.takesInput ? atoms[.typeDialog] : atoms[.typeNotification]
        connection.set(pane.window, atoms[.type], type: XCB_ATOM_ATOM.rawValue, words: [kind])
        connection.set(pane.window, atoms[.pid], type: XCB_ATOM_CARDINAL.rawValue, words: [ownPid])
        let states = [atoms[.stateAbove], atoms[.stateSkipTaskbar]]
        connection.set(pane.window, atoms[.state], type: XCB_ATOM_ATOM.rawValue, words: states)
    }

    func closePane(_ id: PaneID) {
        guard let pane = panes[id] else { return }
        // First the keyboard: a window that goes while it has it leaves it to nobody.
        let hadKeys = pane.hasFocus || (pane.needsFocus && connection.inputFocus() == pane.window)
        letKeysGo(of: pane)
        if let timer = pane.holdTimer { loop.cancelTimer(timer) }
        panes[id] = nil
        paneOfWindow[pane.window] = nil
        wantsPlacing.remove(id)
        if hadKeys { giveKeysBack(to: pane.target ?? focus) }
        xcb_destroy_window(connection.raw, pane.window)
        // A keymap is large, and hardly ever used.
        if panes.isEmpty { keyboard = nil }
    }

    // MARK: - Where it is

    func markPanes(over window: UInt32) {
        for (id, pane) in panes where pane.target == window { wantsPlacing.insert(id) }
    }

    func placePanes() {
        let ids = wantsPlacing
        wantsPlacing = []
        for id in ids { place(id) }
    }

    private func place(_ id: PaneID) {
        guard var pane = panes[id] else { return }
        guard let rect = wanted(pane), !rect.isEmpty else { return hide(id) }
        pane.scale = scale(at: rect)
        if pane.rect != rect { move(&pane, to: rect) }
        let isNew = !pane.isWanted
        pane.isWanted = true
        panes[id] = pane
        if isNew {
            restack(id)
            xcb_map_window(connection.raw, pane.window)
        } else if pane.isMapped {
            tellShown(id)
        }
        keepKeys(id)
    }

    private func move(_ pane: inout XPane, to rect: ScreenRect) {
        if pane.rect.map({ $0.width != rect.width || $0.height != rect.height }) ?? true, pane.rect != nil {
            // Until there is a picture of that size, what is new of it is flat.
            var background = connection.pixels.pixel(pane.order.background)
            xcb_change_window_attributes(connection.raw, pane.window, XCB_CW_BACK_PIXEL.rawValue, &background)
        }
        pane.rect = rect
        let values = [
            UInt32(bitPattern: Int32(clamping: rect.x)), UInt32(bitPattern: Int32(clamping: rect.y)),
            UInt32(clamping: rect.width), UInt32(clamping: rect.height),
        ]
        let mask =
            XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue | XCB_CONFIG_WINDOW_WIDTH.rawValue
            | XCB_CONFIG_WINDOW_HEIGHT.rawValue
        xcb_configure_window(connection.raw, pane.window, UInt16(mask), values)
    }

    private func wanted(_ pane: XPane) -> ScreenRect? {
        switch pane.order.place {
        case .over:
            guard let window = pane.target.flatMap({ windows[$0] }), window.now.isShown else { return nil }
            return window.now.frame
        case .corner(let width, let height):
            guard let output = outputs.first else { return nil }
            let size = ScreenRect.scaled(width, height, output)
            let margin = Int(Self.marginUnits * output.scale)
            return ScreenRect(
                x: output.frame.x + output.frame.width - size.width - margin,
                y: output.frame.y + output.frame.height - size.height - margin,
                width: size.width,
                height: size.height
            )
        case .middle(let width, let height):
            // Where somebody looks.
            let seen = focus.flatMap { windows[$0]?.now.frame }
            guard let output = seen.flatMap(output(at:)) ?? outputs.first else { return nil }
            let size = ScreenRect.scaled(width, height, output)
            return ScreenRect(
                x: output.frame.x + (output.frame.width - size.width) / 2,
                y: output.frame.y + (output.frame.height - size.height) / 2,
                width: size.width,
                height: size.height
            )
        }
    }

    private func output(at rect: ScreenRect) -> DesktopOutput? {
        let x = rect.x + rect.width / 2
        let y = rect.y + rect.height / 2
        return outputs.first { $0.frame.contains(x: x, y: y) }
    }

    private func scale(at rect: ScreenRect) -> Double {
        output(at: rect)?.scale ?? outputs.first?.scale ?? 1
    }

    private func hide(_ id: PaneID) {
        guard var pane = panes[id], pane.isWanted else { return }
        pane.isWanted = false
        let hadKeys = pane.hasFocus
        panes[id] = pane
        xcb_unmap_window(connection.raw, pane.window)
        // The manager believes that nobody had the keyboard, so it gives it to nobody.
        if hadKeys, pane.target != nil { activateNext() }
    }
}
