import Glibc
import STCScreen

/// The facts about the window manager.
struct XWindowManager: Equatable {
    /// True if a program manages windows.
    var isRunning = false
    /// True if it supports the Extended Window Manager Hints: a list of windows, and the foreground window.
    var maintainsHints = false
    /// The window by which the manager shows that it runs.
    var check: UInt32 = 0
    var name: String?

    /// Managers that leave invisible windows mapped, to have their pictures.
    private static let maintainingManagers = [
        "gnome shell", "mutter", "muffin", "gala", "budgie", "compiz", "kwin", "deepin", "enlightenment",
    ]

    /// True if the manager leaves invisible windows mapped. Otherwise every mapped window is visible, whatever its properties say.
    var keepsHiddenMapped: Bool {
        guard let name = name?.lowercased() else { return false }
        return Self.maintainingManagers.contains { name.contains($0) }
    }

    static func read(_ connection: XConnection) -> XWindowManager {
        let atoms = connection.atoms
        var manager = XWindowManager()
        let cookie = xcb_get_window_attributes(connection.raw, connection.root)
        if let reply = xcb_get_window_attributes_reply(connection.raw, cookie, nil) {
            // Only one client at a time can redirect the windows of the root.
            manager.isRunning =
                reply.pointee.all_event_masks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue != 0
            free(reply)
        }
        guard let check = connection.property(connection.root, atoms[.managerCheck], words: 1)?.words.first,
            // A killed manager leaves the property of the root behind, but not that of its own window.
            connection.property(check, atoms[.managerCheck], words: 1)?.words.first == check
        else { return manager }
        manager.check = check
        manager.name = connection.property(check, atoms[.name], words: XProperty.textWords)?.text
        let supported = connection.property(connection.root, atoms[.supported], words: XProperty.listWords)
        let words = Set(supported?.words ?? [])
        manager.maintainsHints = words.isSuperset(of: [atoms[.activeWindow], atoms[.clientList]])
        return manager
    }
}

/// Watches the window manager and the current workspace.
final class XWindowManagerWatch {
    private(set) var current = XWindowManager()
    /// The current workspace. `nil` if the manager does not report it.
    private(set) var workspace: UInt32?
    private var wantsManager = true
    private var wantsWorkspace = true
    private let connection: XConnection

    init(_ connection: XConnection) { self.connection = connection }

    /// Returns true if the manager's own connection created the window.
    func owns(_ window: UInt32, _ connection: XConnection) -> Bool {
        current.check != 0 && window & ~connection.idMask == current.check & ~connection.idMask
    }

    var isStale: Bool { wantsManager || wantsWorkspace }

    func mark() { wantsManager = true }

    func markWorkspace() { wantsWorkspace = true }

    /// Reads the facts about the manager, if they are marked. Returns true if they changed.
    func readManager() -> Bool {
        guard wantsManager else { return false }
        wantsManager = false
        let before = current
        current = XWindowManager.read(connection)
        if current.check != 0, current.check != before.check {
            connection.select(current.check, XCB_EVENT_MASK_STRUCTURE_NOTIFY)
        }
        guard current != before else { return false }
        wantsWorkspace = true
        return true
    }

    /// Reads the current workspace, if it is marked. Returns true if it changed.
    func readWorkspace() -> Bool {
        guard wantsWorkspace else { return false }
        wantsWorkspace = false
        let words = connection.property(connection.root, connection.atoms[.currentDesktop], words: 1)?.words
        guard words?.first != workspace else { return false }
        workspace = words?.first
        return true
    }
}
