import STDBus
package import STDesktop
package import STPlatform
import Synchronization

/// Presents the panes to assistive technology over AT-SPI, and receives button presses from it.
///
/// Without a pane, no connection is open. With one, there is a connection to the session bus, and a second one if assistive
/// technology is enabled.
package actor AccessiblePanes {
    private static let timeout = Duration.seconds(5)
    private static let retryDelay = Duration.seconds(2)
    private static let retryDelayMax = Duration.seconds(60)
    private static let registry = "org.a11y.atspi.Registry"

    private let thread: LoopThread
    private let address: String
    private let onPress: @Sendable (PaneID, String) -> Void
    private let responder = Mutex(AccessibleResponder(tree: AccessibleTree(), name: ""))
    private var session: DBusConnection?
    private var bus: DBusConnection?
    private var isConnecting = false
    /// True if another connection was requested while the current attempt may find that none is necessary.
    private var needsReconnect = false
    /// True if the last pane closed during a connection attempt. The end of the attempt then does not count as a failure.
    private var isDropped = false
    /// Consecutive failures. Each one doubles the delay of the next attempt.
    private var failures = 0
    /// The timer of the next attempt.
    private var retry: UInt64?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `onPress` is called with a pane and its spot, on a thread of the connection.
    package init(
        thread: LoopThread,
        sessionBus address: String,
        onPress: @escaping @Sendable (PaneID, String) -> Void
    ) {
        self.thread = thread
        self.address = address
        self.onPress = onPress
    }

    // MARK: - Changes of panes. All return immediately and keep their order.

    package nonisolated func show(_ pane: AccessiblePane) { perform { $0.applyShow(pane) } }

    /// Sets the button that has the keyboard focus. `nil` means none of the pane's buttons.
    package nonisolated func focus(_ pane: PaneID, _ spot: String?) { perform { $0.applyFocus(pane, spot) } }

    package nonisolated func close(_ pane: PaneID) { perform { $0.applyClose(pane) } }

    package func closeAll() {
        responder.withLock { $0.tree = AccessibleTree() }
        disconnect()
    }

    private nonisolated func perform(_ work: @escaping @Sendable (isolated AccessiblePanes) -> Void) {
        thread.post { self.assumeIsolated { work($0) } }
    }

    private func applyShow(_ pane: AccessiblePane) {
        let isNew = responder.withLock { answers in
            let isNew = !answers.tree.panes.contains(pane.id)
            answers.tree.show(pane)
            return isNew
        }
        guard bus == nil else { return announce(pane.id, isNew: isNew) }
        // An update needs no new check for assistive technology, because the bus reports when it is enabled.
        if isNew { connect() }
    }

    private func applyFocus(_ pane: PaneID, _ spot: String?) {
        let (before, after, here) = responder.withLock { answers in
            let before = answers.tree.focusPath
            answers.tree.focus(pane, spot)
            return (before, answers.tree.focusPath, answers.tree.path(of: pane))
        }
        guard before != after else { return }
        if let before { state(before, name: "focused", isOn: false) }
        if let here { tell(here, kind: "Window", member: "Activate") }
        if let after { state(after, name: "focused", isOn: true) }
    }

    private func applyClose(_ pane: PaneID) {
        let (path, index, isEmpty) = responder.withLock { answers in
            let path = answers.tree.path(of: pane)
            let index = answers.tree.panes.firstIndex(of: pane) ?? 0
            answers.tree.close(pane)
            return (path, index, answers.tree.isEmpty)
        }
        guard let path else { return }
        tell(path, kind: "Window", member: "Deactivate")
        tell(
            AccessibleTree.root,
            kind: "Object",
            member: "ChildrenChanged",
            detail: "remove",
            number: Int32(clamping: index),
            value: responder.withLock { $0.reference(path) }
        )
        if isEmpty { disconnect() }
    }

    // MARK: - Events

    private func announce(_ pane: PaneID, isNew: Bool) {
        let (path, index, child, focus, name) = responder.withLock { answers in
            let path = answers.tree.path(of: pane)
            let name = answers.tree.objects.first { $0.path == path }?.name ?? ""
            return (
                path, answers.tree.panes.firstIndex(of: pane) ?? 0, answers.reference(path),
                answers.tree.focusPath, name
            )
        }
        guard let path else { return }
        if isNew {
            tell(
                AccessibleTree.root,
                kind: "Object",
                member: "ChildrenChanged",
                detail: "add",
                number: Int32(clamping: index),
                value: child
            )
            tell(path, kind: "Window", member: "Activate", detail: "", number: 0, value: .string(name))
        } else {
            tell(
                path,
                kind: "Object",
                member: "PropertyChange",
                detail: "accessible-name",
                number: 0,
                value: .string(name)
            )
        }
        if let focus, focus.hasPrefix(path + "/") { state(focus, name: "focused", isOn: true) }
    }

    private func state(_ path: String, name: String, isOn: Bool) {
        tell(path, kind: "Object", member: "StateChanged", detail: name, number: isOn ? 1 : 0)
    }

    private func tell(
        _ path: String,
        kind: String,
        member: String,
        detail: String = "",
        number: Int32 = 0,
        value: DBusValue = .int32(0)
    ) {
        guard let bus else { return }
        let arguments: [DBusValue] = [
            .string(detail), .int32(number), .int32(0), .variant(value), .dictionary(value: "v", []),
        ]
        Task(executorPreference: thread) {
            try? await bus.emit(
                path: path,
                "org.a11y.atspi.Event.\(kind)",
                member: member,
                arguments: arguments
            )
        }
    }

    // MARK: - The connections

    /// Connects in a task on the loop's own thread. The pool of tasks would start a thread that keeps waking up.
    private func connect() {
        guard bus == nil else { return }
        guard !isConnecting else {
            needsReconnect = true
            return
        }
        isConnecting = true
        Task(executorPreference: thread) { await self.attemptConnection() }
    }

    private func attemptConnection() async {
        var hasFailed = false
        do { try await establishConnection() } catch { hasFailed = true }
        let (isWanted, wasDropped) = (needsReconnect, isDropped)
        (isConnecting, needsReconnect, isDropped) = (false, false, false)
        failures = hasFailed && !wasDropped ? failures + 1 : 0
        guard !responder.withLock({ $0.tree.isEmpty }) else { return disconnect() }
        guard bus != nil else {
            if hasFailed, !(wasDropped && isWanted) { return scheduleRetry() }
            return isWanted ? connect() : ()
        }
        for pane in responder.withLock({ $0.tree.panes }) { announce(pane, isNew: true) }
    }

    /// Retries while a pane is shown, because a person who cannot see it has no other access to it.
    private func scheduleRetry() {
        guard retry == nil else { return }
        let wait = min(Self.retryDelay * (1 << min(max(failures - 1, 0), 10)), Self.retryDelayMax)
        retry = thread.after(milliseconds: wait.ms) { [weak self] in
            self?.assumeIsolated {
                $0.retry = nil
                if !$0.responder.withLock({ $0.tree.isEmpty }) { $0.connect() }
            }
        }
    }

    private func establishConnection() async throws {
        let session = try await sessionBus()
        guard let found = try await accessibilityBus(session) else { return }
        let thread = thread
        let made = try DBusConnection(address: found) { [weak self] _ in
            thread.post { [weak self] in self?.assumeIsolated { $0.connectionDidEnd() } }
        }
        do {
            try await embed(made)
        } catch {
            made.closeWithoutFlush()
            throw error
        }
        bus = made
    }

    /// Connects to the session bus, which also reports when assistive technology is enabled later.
    private func sessionBus() async throws -> DBusConnection {
        if let session { return session }
        let thread = thread
        let made = try DBusConnection(address: address) { [weak self] _ in
            thread.post { [weak self] in self?.assumeIsolated { $0.disconnect() } }
        }
        session = made
        do {
            for rule in [
                "type='signal',interface='org.freedesktop.DBus.Properties',path='/org/a11y/bus'",
                // The accessibility service may start later.
                "type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.a11y.Bus'",
            ] {
                try await made.match(rule, withinMs: Self.timeout.ms) { [weak self] _ in
                    thread.post { [weak self] in self?.assumeIsolated { $0.connect() } }
                }
            }
        } catch {
            // If the connection ended first, it was already dropped there.
            if session === made {
                session = nil
                made.closeWithoutFlush()
            }
            throw error
        }
        return made
    }

    /// Returns `nil` if assistive technology is disabled. Does not start any service for it.
    private func accessibilityBus(_ session: DBusConnection) async throws -> String? {
        let dbus = "org.freedesktop.DBus"
        let name = "org.a11y.Bus"
        let path = "/org/a11y/bus"
        let owned = try await session.call(
            .init(
                dbus,
                path: "/org/freedesktop/DBus",
                interface: dbus,
                member: "NameHasOwner",
                arguments: [.string(name)]
            ),
            withinMs: Self.timeout.ms
        )
        guard owned.first?.flag == true else { return nil }
        let status = try await session.call(
            .init(
                name,
                path: path,
                interface: "\(dbus).Properties",
                member: "GetAll",
                arguments: [.string("org.a11y.Status")]
            ),
            withinMs: Self.timeout.ms
        )
        guard status.first?["IsEnabled"]?.flag == true || status.first?["ScreenReaderEnabled"]?.flag == true
        else { return nil }
        let found = try await session.call(
            .init(name, path: path, interface: name, member: "GetAddress"),
            withinMs: Self.timeout.ms
        )
        return found.first?.text
    }

    /// Registers this program as an accessible application.
    private func embed(_ made: DBusConnection) async throws {
        try await made.serve(path: AccessibleTree.prefix, andBelow: true) { [weak self] in self?.answer($0) }
        let name = try await made.uniqueName()
        let plug = responder.withLock { answers in
            answers.name = name
            return answers.reference(AccessibleTree.root)
        }
        let reply = try await made.call(
            .init(
                Self.registry,
                path: AccessibleTree.root,
                interface: "org.a11y.atspi.Socket",
                member: "Embed",
                arguments: [plug]
            ),
            withinMs: Self.timeout.ms
        )
        guard let desktop = reply.first, desktop.signature == "(so)" else { return }
        responder.withLock { $0.desktop = desktop }
    }

    /// Runs on the connection's own thread.
    private nonisolated func answer(_ call: DBusMessage) -> Result<[DBusValue], Problem>? {
        let (result, press) = responder.withLock { $0.respond(call) }
        if let press { onPress(press.pane, press.spot) }
        return result
    }

    private func connectionDidEnd() {
        bus?.closeWithoutFlush()
        bus = nil
        // The bus's successor may have announced itself before this connection ended.
        if !responder.withLock({ $0.tree.isEmpty }) { scheduleRetry() }
    }

    private func disconnect() {
        isDropped = isConnecting && responder.withLock { $0.tree.isEmpty }
        let (old, other) = (bus, session)
        bus = nil
        session = nil
        guard old != nil || other != nil else { return }
        Task(executorPreference: thread) {
            // A round trip, so that the last events are sent before the connection closes.
            if let old { _ = try? await old.uniqueName() }
            old?.closeWithoutFlush()
            other?.closeWithoutFlush()
        }
    }
}
