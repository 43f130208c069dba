import Glibc
import STCScreen
package import STContracts
package import STDesktop
package import STPlatform
import Synchronization

/// The desktop of an X server.
package final class X11Screen: DesktopScreen {
    private enum Stage {
        case made
        case running(LoopThread, XEventLoop, descriptor: Int32)
        case closed
    }

    /// Time limit for removing the panes, after which the connection is cut.
    private static let closeTimeout = Duration.seconds(2)
    /// Time limit for a probe.
    private static let probeTimeout = Duration.seconds(2)
    private static let extensionsMax = 128

    private let environment: [String: String]
    private let usesCounters: Bool
    private let stage = Mutex(Stage.made)

    package let kind = AdapterKind.x11

    /// If `usesCounters` is false, idleness is polled, as for a server without idle counters.
    package init(environment: [String: String], usesCounters: Bool = true) {
        self.environment = environment
        self.usesCounters = usesCounters
    }

    package func start(idleAfterMs: Int64, _ heard: @escaping @Sendable (DesktopEvent) -> Void) throws {
        let connection = try XConnection(environment: environment)
        let loop = try LoopThread(name: "x11") { XWaiter() }
        let desk = XEventLoop(
            connection,
            loop,
            environment: environment,
            usesCounters: usesCounters,
            heard: heard
        )
        let isFirst = stage.withLock { stage in
            guard case .made = stage else { return false }
            stage = .running(loop, desk, descriptor: connection.descriptor)
            return true
        }
        guard isFirst else {
            loop.stop()
            loop.join()
            throw Problem(
                "internal",
                "An X11Screen can be started only once. Create another one.",
                key: "internal.an-x11screen-starts"
            )
        }
        loop.post { desk.start(idleAfter: .milliseconds(idleAfterMs)) }
    }

    package func perform(_ acts: [DesktopAction]) {
        stage.withLock { stage in
            guard case .running(let loop, let desk, _) = stage else { return }
            loop.post { desk.perform(acts) }
        }
    }

    package func lastInputBootMs() async -> Int64? {
        await withCheckedContinuation { continuation in
            let isAsked = stage.withLock { stage in
                guard case .running(let loop, let desk, _) = stage else { return false }
                loop.post { continuation.resume(returning: desk.lastInput()?.ms) }
                return true
            }
            if !isAsked { continuation.resume(returning: nil) }
        }
    }

    package func waitUntilResponsive() async {
        await withCheckedContinuation { continuation in
            let isAsked = stage.withLock { stage in
                guard case .running(let loop, let desk, _) = stage else { return false }
                loop.post {
                    desk.ping()
                    continuation.resume()
                }
                return true
            }
            if !isAsked { continuation.resume() }
        }
    }

    package func close() {
        let before = stage.withLock { stage in
            defer { stage = .closed }
            return stage
        }
        guard case .running(let loop, let desk, let descriptor) = before else { return }
        // Prevents that a hanging server blocks a program that wants to exit.
        let watchdog = Watchdog(descriptor, after: Self.closeTimeout)
        loop.post { desk.end() }
        loop.stop()
        // The loop is current only if one of its own jobs held the last reference to this object.
        if !loop.isCurrent { loop.join() }
        watchdog.stop()
    }

    deinit { close() }

    // MARK: - Probe

    /// Probes the display of an environment once, within about two seconds. Reports every failure as a fact.
    package static func probe(environment: [String: String]) -> X11Facts {
        var facts = X11Facts()
        facts.display = environment["DISPLAY"].flatMap { $0.isEmpty ? nil : DisplayWidth.sanitized($0) }
        let started = Stopwatch.reading()
        do {
            let connection = try XConnection(environment: environment)
            let left = max(.milliseconds(1), probeTimeout - (Stopwatch.reading() - started))
            let watchdog = Watchdog(connection.descriptor, after: left)
            look(connection, environment: environment, facts: &facts)
            watchdog.stop()
            facts.isReachable = !connection.hasEnded
            if !facts.isReachable {
                facts.problem = Message("agent.x-display-stopped", "The X display stopped answering.")
            }
        } catch {
            facts.problem = error.text
        }
        return facts
    }

    private static func look(
        _ connection: XConnection,
        environment: [String: String],
        facts: inout X11Facts
    ) {
        facts.serverPid = connection.server
        if let setup = xcb_get_setup(connection.raw) {
            let vendor = UnsafeRawBufferPointer(
                start: xcb_setup_vendor(setup),
                count: Int(xcb_setup_vendor_length(setup))
            )
            facts.vendor = XProperty.safe(Array(vendor)[...], isLatin: false)
        }
        facts.extensions = extensions(connection)
        let manager = XWindowManager.read(connection)
        facts.maintainsHints = manager.maintainsHints
        facts.windowManager = manager.name
        facts.reportsProcesses = connection.reportsOwners()
        if manager.check != 0, facts.reportsProcesses {
            facts.windowManagerPid = owner(of: manager.check, connection)
        }
        let idle = XIdle.means(of: connection)
        facts.hasIdleTime = idle != .none
        if case .counter = idle { facts.reportsIdle = true }
        facts.outputs = XOutputs.read(connection, environment: environment)
        facts.xWaylandEvidence = xWaylandEvidence(facts)
        facts.isXWayland = facts.xWaylandEvidence != nil
    }

    private static func owner(of window: UInt32, _ connection: XConnection) -> Int32? {
        let cookie = st_ask_client_pid(connection.raw, window)
        guard let reply = xcb_res_query_client_ids_reply(connection.raw, cookie, nil) else { return nil }
        defer { free(reply) }
        let number = st_client_pid(reply)
        return number > 0 ? number : nil
    }

    /// Returns the evidence for XWayland. New versions have an extension for recognition, old ones name their outputs XWAYLAND.
    private static func xWaylandEvidence(_ facts: X11Facts) -> String? {
        if facts.extensions.contains("XWAYLAND") { return "The X server has the extension XWAYLAND." }
        if let output = facts.outputs.first(where: { $0.name.hasPrefix("XWAYLAND") }) {
            return "The X server calls a monitor \(output.name)."
        }
        if let vendor = facts.vendor, vendor.lowercased().contains("wayland") {
            return "The X server calls itself \(vendor)."
        }
        return nil
    }

    private static func extensions(_ connection: XConnection) -> [String] {
        let cookie = xcb_list_extensions(connection.raw)
        guard let reply = xcb_list_extensions_reply(connection.raw, cookie, nil) else { return [] }
        defer { free(reply) }
        var each = xcb_list_extensions_names_iterator(reply)
        var names: [String] = []
        while each.rem > 0, names.count < extensionsMax, let data = each.data {
            let bytes = UnsafeRawBufferPointer(
                start: xcb_str_name(data),
                count: Int(xcb_str_name_length(data))
            )
            if let name = XProperty.safe(Array(bytes)[...], isLatin: false) { names.append(name) }
            xcb_str_next(&each)
        }
        return names.sorted()
    }
}

/// Facts about an X display from one probe. The probe never throws.
package struct X11Facts: Sendable, Equatable {
    /// The display that the environment names. `nil` if it names none.
    package var display: String?
    package var isReachable = false
    /// The reason that the display is not reachable.
    package var problem: Message?
    package var vendor: String?
    /// True if the display shows X11 windows on a Wayland desktop, and is not a desktop itself.
    package var isXWayland = false
    /// The evidence for `isXWayland`, as a sentence.
    package var xWaylandEvidence: String?
    /// The name that the manager reports.
    package var windowManager: String?
    /// True if the manager reports the list of windows and the foreground window.
    package var maintainsHints = false
    package var extensions: [String] = []
    /// True if the server reports the process of a window.
    package var reportsProcesses = false
    /// True if the server reports idleness by itself. Otherwise it can at most be polled.
    package var reportsIdle = false
    package var hasIdleTime = false
    package var outputs: [DesktopOutput] = []
    /// The process that listens at the display.
    package var serverPid: Int32?
    /// The process of the window by which the manager shows that it runs.
    package var windowManagerPid: Int32?

    package init() {}
}
