import Glibc
import STCScreen
import STDesktop

/// Whether a window manager tells which windows there are, or whether we have to find out ourselves.
extension XDesk {
    func readManager() {
        wantsManager = false
        let before = manager
        manager = Self.manager(connection)
        if manager.check != 0, manager.check != before.check {
            connection.select(manager.check, XCB_EVENT_MASK_STRUCTURE_NOTIFY)
        }
        guard manager != before || !isReady else { return }
        wantsClients = true
        wantsDesktop = true
        focusChange = focusChange ?? 0
        // Who comes later can do what could not be done before.
        if isReady { heard(.ready(abilities)) }
    }

    static func manager(_ connection: XConnection) -> XManager {
        let atoms = connection.atoms
        var manager = XManager()
        let cookie = xcb_get_window_attributes(connection.raw, connection.root)
        if let reply = xcb_get_window_attributes_reply(connection.raw, cookie, nil) {
            // Only one client at a time may redirect the windows of the root.
            manager.isThere =
                reply.pointee.all_event_masks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue != 0
            free(reply)
        }
        guard let check = connection.property(connection.root, atoms[.managerCheck], words: 1)?.words.first,
            // One that was killed leaves the first of these behind, and not the second.
            connection.property(check, atoms[.managerCheck], words: 1)?.words.first == check
        else { return manager }
        manager.check = check
        manager.name = connection.property(check, atoms[.name], words: XProperty.textWords)?.text
        let supported = connection.property(connection.root, atoms[.supported], words: XProperty.listWords)
        let words = Set(supported?.words ?? [])
        manager.keepsHints = words.isSuperset(of: [atoms[.activeWindow], atoms[.clientList]])
        return manager
    }

    func readDesktop() {
        wantsDesktop = false
        let words = connection.property(connection.root, connection.atoms[.currentDesktop], words: 1)?.words
        guard words?.first != currentDesktop else { return }
        currentDesktop = words?.first
        // Mapped or not, they may be on another workspace now.
        for id in windows.keys { mark(id, [.mapping, .desktop]) }
    }
}
