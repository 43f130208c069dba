import Glibc
import STCScreen
import STDesktop
import STPlatform

/// Determines the foreground window, and the moment since which it is in the foreground.
final class XFocus {
    private static let depthMax = 8
    private static let unfocusedGrace = Duration.milliseconds(40)
    private static let unmanagedSideMin = 32

    private let connection: XConnection
    private let manager: XWindowManagerWatch
    private let windows: XWindows
    private let panes: XPanes
    private let onEvent: (DesktopEvent) -> Void
    /// The server time of the marked change. 0 if it is unknown, `nil` if there is no change.
    private var changeServerMs: UInt32? = 0
    /// True if the reported foreground window is gone, and no other one was reported since.
    private var isForegroundGone = false
    /// The moment since which no window is in the foreground, while this may be temporary.
    private var unfocusedSince: BootTime?
    private var hasRead = false

    init(_ panes: XPanes, _ manager: XWindowManagerWatch, heard: @escaping (DesktopEvent) -> Void) {
        self.panes = panes
        self.manager = manager
        self.onEvent = heard
        connection = panes.connection
        windows = panes.windows
        windows.onForegroundGone = { [weak self] in
            self?.isForegroundGone = true
            self?.mark()
        }
    }

    var isStale: Bool { changeServerMs != nil }

    /// Marks a change at this server time.
    func mark(serverMs: UInt32) { changeServerMs = serverMs }

    /// Marks a change at an unknown time. A known time of an earlier mark stays.
    func mark() { changeServerMs = changeServerMs ?? 0 }

    /// Determines the foreground window, if a change is marked, and reports it.
    func read() {
        guard let serverMs = changeServerMs else { return }
        changeServerMs = nil
        let isFirst = !hasRead
        let age = connection.age(ofServerMs: serverMs)
        let moment = Stopwatch.bootTime() - age
        let found = foregroundWindow()
        // The window may be new to this adapter.
        windows.refresh()
        hasRead = true
        let before = windows.foreground
        let now = found.flatMap { windows[$0] == nil ? nil : $0 }
        guard now != before || isForegroundGone || isFirst else { return unfocusedSince = nil }
        guard now != nil || isFirst || isUnfocused(since: moment) else { return }
        let since = now == nil ? unfocusedSince ?? moment : moment
        windows.setForeground(now, serverMs: serverMs)
        if let now { promoteToApp(now) }
        isForegroundGone = false
        unfocusedSince = nil
        onEvent(.focus(now.map(XWindow.name), atBootMs: since.ms))
        // The foreground window is visible, whatever its properties say.
        for id in [before, now].compactMap({ $0 }) { windows.resend(id) }
        for id in [before, now].compactMap({ $0 }) { panes.mark(over: id) }
        panes.releaseKeys()
    }

    /// Treats a panel or menu in the foreground as an app, because people do not work in real ones. The desktop itself is an
    /// exception, because people click on it occasionally.
    private func promoteToApp(_ id: UInt32) {
        guard let window = windows[id], window.current.isChrome else { return }
        let isDesktop =
            window.isDesktopBackground
            && window.current.frame.map { frame in
                panes.outputs.outputs.contains {
                    frame.width >= $0.frame.width && frame.height >= $0.frame.height
                }
            } ?? false
        if !isDesktop { windows.markAsApp(id) }
    }

    /// Returns true after `unfocusedGrace` without a foreground window. Some managers briefly have none between two windows.
    private func isUnfocused(since moment: BootTime) -> Bool {
        if let unfocusedSince {
            return Stopwatch.bootTime() - unfocusedSince >= Self.unfocusedGrace
        }
        unfocusedSince = moment
        panes.loop.after(milliseconds: Self.unfocusedGrace.ms + 1) { [weak self] in
            if self?.unfocusedSince != nil { self?.mark() }
        }
        return false
    }

    private func foregroundWindow() -> UInt32? {
        guard manager.current.maintainsHints else { return windowWithInput() }
        let words = connection.property(connection.root, connection.atoms[.activeWindow], words: 1)?.words
        // Any client can write this property. The input focus is state of the server.
        if let keyed = windowWithInput() { return keyed }
        guard let active = words?.first, active != 0, active != connection.root, panes[active] == nil else {
            return windowBehindPane()
        }
        // Some managers make a window active before they list it, and some never list it.
        if windows[active] == nil { windows.adopt(active, isExtra: true) }
        return active
    }

    /// Adopts a focused window that the window manager does not manage.
    ///
    /// Window managers focus a small window of their own if no app has the focus, and have frames that are not listed yet. The
    /// focused window and its top-level window must belong to one client. A compositor's top-level window belongs to the server.
    private func adoptUnmanaged(_ id: UInt32, keyed: UInt32) -> Bool {
        let client = ~connection.idMask
        guard id & client == keyed & client, !manager.owns(id, connection),
            connection.isShown(id, atLeast: Self.unmanagedSideMin)
        else { return false }
        windows.adopt(id, isExtra: true)
        return true
    }

    /// Returns the window beneath the pane with the keyboard. The manager does not count panes as windows, so the window beneath
    /// stays in the foreground.
    private func windowBehindPane() -> UInt32? {
        guard !panes.isEmpty, let pane = panes[connection.inputFocus()] else { return nil }
        return pane.target ?? windows.foreground
    }

    /// Returns the app's window that has the input focus, or `nil` if none has.
    private func windowWithInput() -> UInt32? {
        let keyed = connection.inputFocus()
        if let pane = panes[keyed] { return pane.target ?? windows.foreground }
        var id = keyed
        for _ in 0..<Self.depthMax {
            // 1 means the window beneath the pointer.
            guard id > 1, id != connection.root else { return nil }
            if windows[id] != nil { return id }
            if let client = windows.client(ofFrame: id) { return client }
            guard let parent = connection.parent(of: id) else { return nil }
            // A client can focus a window that the window manager does not manage.
            if parent == connection.root { return adoptUnmanaged(id, keyed: keyed) ? id : nil }
            id = parent
        }
        return nil
    }
}
