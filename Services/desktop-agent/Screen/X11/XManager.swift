import Glibc
import STCScreen

/// What is known of the window manager.
struct XManager: Equatable {
    /// There is a program that manages windows.
    var isThere = false
    /// It keeps to the Extended Window Manager Hints: a list of windows, and the one in front.
    var keepsHints = false
    /// The window by which it shows that it is alive.
    var check: UInt32 = 0
    var name: String?

    /// Managers that leave windows mapped although they cannot be seen, to have pictures of them.
    private static let keepers = [
        "gnome shell", "mutter", "muffin", "gala", "budgie", "compiz", "kwin", "deepin", "enlightenment",
    ]

    /// Otherwise a window that is mapped can be seen, no matter what it says of itself.
    var keepsHiddenMapped: Bool {
        guard let name = name?.lowercased() else { return false }
        return Self.keepers.contains { name.contains($0) }
    }

    static func read(_ connection: XConnection) -> XManager {
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
            // A manager that was killed leaves the first of these behind, and not the second.
            connection.property(check, atoms[.managerCheck], words: 1)?.words.first == check
        else { return manager }
        manager.check = check
        manager.name = connection.property(check, atoms[.name], words: XProperty.textWords)?.text
        let supported = connection.property(connection.root, atoms[.supported], words: XProperty.listWords)
        let words = Set(supported?.words ?? [])
        manager.keepsHints = words.isSuperset(of: [atoms[.activeWindow], atoms[.clientList]])
        return manager
    }
}

/// What the window manager says of itself, and which workspace it shows.
final class XManagerWatch {
    private(set) var now = XManager()
    /// The workspace that is shown; nil: the manager does not say.
    private(set) var workspace: UInt32?
    private var wantsManager = true
    private var wantsWorkspace = true
    private let connection: XConnection

    init(_ connection: XConnection) { self.connection = connection }

    /// Whether a window was made by the manager's own connection.
    func owns(_ window: UInt32, _ connection: XConnection) -> Bool {
        now.check != 0 && window & ~connection.idMask == now.check & ~connection.idMask
    }

    var isStale: Bool { wantsManager || wantsWorkspace }

    func mark() { wantsManager = true }

    func markWorkspace() { wantsWorkspace = true }

    /// Asks which manager there is, if that was marked; true when it is another one, or says something else.
    func readManager() -> Bool {
        guard wantsManager else { return false }
        wantsManager = false
        let before = now
        now = XManager.read(connection)
        if now.check != 0, now.check != before.check {
            connection.select(now.check, XCB_EVENT_MASK_STRUCTURE_NOTIFY)
        }
        guard now != before else { return false }
        wantsWorkspace = true
        return true
    }

    /// Asks which workspace is shown, if that was marked; true when it is another one.
    func readWorkspace() -> Bool {
        guard wantsWorkspace else { return false }
        wantsWorkspace = false
        let words = connection.property(connection.root, connection.atoms[.currentDesktop], words: 1)?.words
        guard words?.first != workspace else { return false }
        workspace = words?.first
        return true
    }
}
