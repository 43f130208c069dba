import Glibc
import STCScreen
import STDesktop

/// The keys of windows beneath panes.
extension XDesk {
    private static let anyModifier = UInt16(XCB_MOD_MASK_ANY.rawValue)

    /// All keys of the window beneath come to us, whenever it has the keyboard.
    ///
    /// It stays in front for the window manager, whose own keys go before ours, and nobody is fought with. Modifiers are
    /// left to the window: whoever grabs one gets all that is pressed together with it, so the manager would never
    /// hear of its own combinations; alone they are no text.
    func grabKeys(_ id: PaneID) {
        guard !hasEnded, let pane = panes[id], pane.isMapped, pane.wantsKeys, !pane.hasKeyGrab,
            !pane.isGrabRefused, let target = pane.target
        else { return }
        let modifiers = modifierKeys()
        let setup = xcb_get_setup(connection.raw).pointee
        let isAsync = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let cookies = (setup.min_keycode...max(setup.min_keycode, setup.max_keycode)).filter {
            !modifiers.contains($0)
        }
        .map { key in
            xcb_grab_key_checked(connection.raw, 0, target, Self.anyModifier, key, isAsync, isAsync)
        }
        var isRefused = false
        for cookie in cookies {
            guard let refusal = xcb_request_check(connection.raw, cookie) else { continue }
            isRefused = true
            free(refusal)
        }
        if isRefused { xcb_ungrab_key(connection.raw, 0, target, Self.anyModifier) }
        panes[id]?.hasKeyGrab = !isRefused
        panes[id]?.isGrabRefused = isRefused
    }

    func letKeysGo(of pane: XPane) {
        guard pane.hasKeyGrab, let target = pane.target else { return }
        // 0 is every key.
        xcb_ungrab_key(connection.raw, 0, target, Self.anyModifier)
    }

    private func modifierKeys() -> Set<UInt8> {
        let cookie = xcb_get_modifier_mapping(connection.raw)
        guard let reply = xcb_get_modifier_mapping_reply(connection.raw, cookie, nil) else { return [] }
        defer { free(reply) }
        let count = Int(xcb_get_modifier_mapping_keycodes_length(reply))
        let keys = UnsafeBufferPointer(start: xcb_get_modifier_mapping_keycodes(reply), count: count)
        return Set(keys).subtracting([0])
    }
}
