import Glibc
import STCScreen
import STDesktop

/// Which windows there are, and what they say of themselves.
extension XDesk {
    /// Questions that are under way at the same time: for so many windows.
    private static let batch = 64
    /// Windows between one of an app's and the root; nobody nests them deeper.
    private static let depthMax = 8

    func readClients() {
        wantsClients = false
        let listed = (manager.keepsHints ? listedClients() : foundClients()).prefix(DesktopScene.windowsMax)
        let now = Set(listed)
        for (id, window) in windows where !now.contains(id) && !window.isExtra { forget(id) }
        for id in listed {
            if windows[id] == nil { adopt(id) } else { windows[id]?.isExtra = false }
        }
    }

    func adopt(_ id: UInt32, isExtra: Bool = false) {
        guard paneOfWindow[id] == nil, id != connection.root, id != 0 else { return }
        // First told of changes, then asked how it is: nothing is missed in between.
        connection.select(
            id,
            XCB_EVENT_MASK_PROPERTY_CHANGE,
            XCB_EVENT_MASK_STRUCTURE_NOTIFY,
            XCB_EVENT_MASK_FOCUS_CHANGE
        )
        var window = XWindow(id: id)
        window.isExtra = isExtra
        window.wasApp = formerApps.contains(id)
        windows[id] = window
        dirty[id] = .all
    }

    func forget(_ id: UInt32) {
        guard let window = windows.removeValue(forKey: id) else { return }
        if frames[window.frame] == id { frames[window.frame] = nil }
        // It may only have been taken off the screen, and come back with another name.
        if window.wasApp, formerApps.count < DesktopScene.windowsMax { formerApps.insert(id) }
        dirty[id] = nil
        leaving[id] = nil
        if window.told != nil { heard(.windowGone(window.now.id)) }
        markPanes(over: id)
        // Whether it was in front or not: a window that takes its number is another one.
        if focus == id {
            focusIsGone = true
            focusChange = focusChange ?? 0
        }
    }

    func refreshWindows() {
        while !dirty.isEmpty, !connection.hasEnded {
            let part = Array(dirty.prefix(Self.batch))
            for (id, _) in part { dirty[id] = nil }
            for (id, parts) in part where parts.contains(.parents) { findFrame(id) }
            let inquiries = part.map { XInquiry(connection, $0.key, $0.value, hasOwners: hasOwners) }
            for inquiry in inquiries {
                // All answers have to be taken, also those about windows that are forgotten meanwhile.
                var window = windows[inquiry.id] ?? XWindow(id: inquiry.id)
                let isAlive = inquiry.take(into: &window)
                guard windows[inquiry.id] != nil else { continue }
                // Nobody else would tell that one that is in no list has been taken off the screen.
                if isAlive, window.isViewable || !window.isExtra {
                    windows[inquiry.id] = window
                    tell(inquiry.id)
                } else if !connection.hasEnded {
                    forget(inquiry.id)
                }
            }
        }
    }

    func tell(_ id: UInt32) {
        guard var window = windows[id] else { return }
        window.conclude(currentDesktop: currentDesktop, manager: manager, isInFront: id == focus)
        let isNew = window.told != window.now
        window.told = window.now
        windows[id] = window
        guard isNew else { return }
        heard(.window(window.now))
        markPanes(over: id)
    }

    private func findFrame(_ id: UInt32) {
        guard let window = windows[id] else { return }
        var frame = id
        for _ in 0..<Self.depthMax {
            guard let parent = parent(frame), parent != 0, parent != connection.root else { break }
            frame = parent
        }
        if frames[window.frame] == id { frames[window.frame] = nil }
        windows[id]?.frame = frame
        frames[frame] = id
        if frame != window.frame { restackPanes(over: id) }
    }

    private func parent(_ id: UInt32) -> UInt32? {
        let cookie = xcb_query_tree(connection.raw, id)
        guard let reply = xcb_query_tree_reply(connection.raw, cookie, nil) else { return nil }
        defer { free(reply) }
        return reply.pointee.parent
    }

    func children(_ id: UInt32) -> [UInt32] {
        let cookie = xcb_query_tree(connection.raw, id)
        guard let reply = xcb_query_tree_reply(connection.raw, cookie, nil) else { return [] }
        defer { free(reply) }
        let count = Int(xcb_query_tree_children_length(reply))
        return Array(UnsafeBufferPointer(start: xcb_query_tree_children(reply), count: count))
    }

    private func listedClients() -> [UInt32] {
        connection.property(
            connection.root,
            connection.atoms[.clientList],
            words: UInt32(DesktopScene.windowsMax)
        )?.words ?? []
    }

    /// Without hints: what carries a WM_STATE, at most two levels below the root, and what is bare and mapped.
    private func foundClients() -> [UInt32] {
        let tops = children(connection.root).prefix(DesktopScene.windowsMax)
        return tops.compactMap { top in
            guard paneOfWindow[top] == nil else { return nil }
            let cookie = xcb_get_window_attributes(connection.raw, top)
            guard let reply = xcb_get_window_attributes_reply(connection.raw, cookie, nil) else { return nil }
            defer { free(reply) }
            if hasState(top) { return top }
            let inside = manager.isThere ? children(top) : []
            if let found = inside.first(where: hasState) { return found }
            for child in inside {
                if let found = children(child).first(where: hasState) { return found }
            }
            let isBare =
                reply.pointee.override_redirect == 0
                && reply.pointee._class == UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue)
            let isMapped = reply.pointee.map_state == UInt8(XCB_MAP_STATE_VIEWABLE.rawValue)
            return isBare && isMapped && !manager.isThere ? top : nil
        }
    }

    private func hasState(_ id: UInt32) -> Bool {
        connection.property(id, connection.atoms[.wmState], words: 1) != nil
    }
}
