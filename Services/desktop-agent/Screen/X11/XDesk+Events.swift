import STCScreen
import STDesktop
import STPlatform

/// What each event marks; none of this asks the server anything.
extension XDesk {
    func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        // 0 is an error, which is of no interest here.
        let kind = event.pointee.response_type & 0x7f
        if event.pointee.response_type & 0x80 != 0 { return handleSent(event, kind) }
        switch Int32(kind) {
        case XCB_PROPERTY_NOTIFY: propertyChanged(st_property_notify(event))
        case XCB_CONFIGURE_NOTIFY: configured(st_configure_notify(event))
        case XCB_MAP_NOTIFY: mapped(st_map_notify(event).window)
        case XCB_UNMAP_NOTIFY: unmapped(st_unmap_notify(event).window)
        case XCB_REPARENT_NOTIFY: reparented(st_reparent_notify(event).window)
        case XCB_DESTROY_NOTIFY: destroyed(st_destroy_notify(event).window)
        case XCB_FOCUS_IN: focusCame(st_focus_in(event), isIn: true)
        case XCB_FOCUS_OUT: focusCame(st_focus_in(event), isIn: false)
        case XCB_BUTTON_PRESS: pressed(st_button_press(event), isDown: true)
        case XCB_BUTTON_RELEASE: pressed(st_button_press(event), isDown: false)
        case XCB_MOTION_NOTIFY: moved(st_motion_notify(event))
        case XCB_ENTER_NOTIFY: entered(st_enter_notify(event), isIn: true)
        case XCB_LEAVE_NOTIFY: entered(st_enter_notify(event), isIn: false)
        case XCB_KEY_PRESS: typed(st_key_press(event))
        case XCB_VISIBILITY_NOTIFY: visibilityChanged(st_visibility_notify(event))
        case XCB_MAPPING_NOTIFY: keyboard = nil
        default: handleExtension(event, kind)
        }
    }

    /// The highest bit says that another client sent it: whoever likes can make up clicks and keys so.
    ///
    /// Window managers alone have reason to, for they tell a window where it is after they have moved what is around it.
    private func handleSent(_ event: UnsafeMutablePointer<xcb_generic_event_t>, _ kind: UInt8) {
        guard Int32(kind) == XCB_CONFIGURE_NOTIFY else { return }
        let id = st_configure_notify(event).window
        if windows[id] != nil { mark(id, .geometry) }
    }

    private func handleExtension(_ event: UnsafeMutablePointer<xcb_generic_event_t>, _ kind: UInt8) {
        // Screen and details of outputs; the alarm of a counter; all of the keyboard's are one.
        if let randr, kind == randr || kind == randr &+ 1 { wantsOutputs = true }
        if let sync, kind == sync &+ 1 { alarmRang(event) }
        if let xkb, kind == xkb { keyboard = nil }
    }

    private func propertyChanged(_ event: xcb_property_notify_event_t) {
        let atoms = connection.atoms
        guard event.window != connection.root else {
            switch event.atom {
            case atoms[.activeWindow]: focusChange = event.time
            case atoms[.clientList]: wantsClients = manager.keepsHints || wantsClients
            case atoms[.currentDesktop]: wantsDesktop = true
            case atoms[.managerCheck], atoms[.supported]: wantsManager = true
            case XCB_ATOM_RESOURCE_MANAGER.rawValue: wantsOutputs = true
            default: break
            }
            return
        }
        if let part = part(event.atom) { mark(event.window, part) }
    }

    private func part(_ atom: UInt32) -> XWindow.Parts? {
        let atoms = connection.atoms
        return switch atom {
        case 0: nil
        case atoms[.name], XCB_ATOM_WM_NAME.rawValue: .title
        case XCB_ATOM_WM_CLASS.rawValue: .windowClass
        case atoms[.pid], atoms[.gtkApplication], atoms[.kdeDesktopFile]: .claims
        case atoms[.state], atoms[.wmState]: [.state, .mapping]
        case atoms[.desktop]: [.desktop, .mapping]
        case atoms[.type]: .kind
        default: nil
        }
    }

    private func configured(_ event: xcb_configure_notify_event_t) {
        if windows[event.window] != nil { mark(event.window, .geometry) }
        if let id = frames[event.window] {
            mark(id, .geometry)
            // At once, and not when all else is read: until then the app can be seen.
            restackPanes(over: id)
        }
        if let id = paneOfWindow[event.window] { paneConfigured(id, event) }
        if event.window == connection.root { wantsOutputs = true }
    }

    private func mapped(_ id: UInt32) {
        if let pane = paneOfWindow[id] { return paneMapped(pane) }
        lookAt(id)
    }

    private func unmapped(_ id: UInt32) {
        if let pane = paneOfWindow[id] { return paneUnmapped(pane) }
        lookAt(id)
    }

    private func lookAt(_ id: UInt32) {
        mark(id, .mapping)
        if let client = frames[id] { mark(client, .mapping) }
        if !manager.keepsHints {
            wantsClients = true
            // One that was in front may not be there any more.
            focusChange = focusChange ?? 0
        }
    }

    private func reparented(_ id: UInt32) {
        mark(id, [.parents, .geometry, .mapping])
        if !manager.keepsHints { wantsClients = true }
    }

    private func destroyed(_ id: UInt32) {
        if id == manager.check { wantsManager = true }
        if let pane = paneOfWindow[id] { return paneDestroyed(pane) }
        if windows[id] != nil { forget(id) }
        formerApps.remove(id)
        frames[id] = nil
        if !manager.keepsHints { wantsClients = true }
    }

    private func focusCame(_ event: xcb_focus_in_event_t, isIn: Bool) {
        // A grab moves the keyboard for as long as it lasts, and no focus.
        let isGrab = event.mode == UInt8(XCB_NOTIFY_MODE_GRAB.rawValue)
        let isUngrab = event.mode == UInt8(XCB_NOTIFY_MODE_UNGRAB.rawValue)
        if let pane = paneOfWindow[event.event] {
            paneFocusChanged(pane, isIn: isIn, isGrab: isGrab, isUngrab: isUngrab)
        } else if isIn, isUngrab {
            retryHolds()
        } else if isIn, !isGrab, windows[event.event] != nil {
            takeFocusBack(from: event.event)
        }
        if !manager.keepsHints, !isGrab, !isUngrab { focusChange = focusChange ?? 0 }
    }
}
