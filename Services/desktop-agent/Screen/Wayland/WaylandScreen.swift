import Glibc
package import STContracts
import STDBus
package import STDesktop
package import STPlatform
import Synchronization

/// A desktop of a wlroots compositor, such as sway, or of KWin.
///
/// Some facts are not in the protocols: processes, positions of windows, visible workspaces. They come from sway's IPC socket, if
/// there is one, or from a script within KWin.
package final class WaylandScreen: DesktopScreen {
    /// The protocols that a compositor must offer.
    package static let needed = ["zwlr_foreign_toplevel_manager_v1"]
    /// Time limit for the compositor to report its globals.
    private static let answerTimeout = Duration.seconds(5)
    /// Time limit for a probe.
    private static let probeTimeout = Duration.seconds(2)

    package let kind: AdapterKind
    private let environment: [String: String]
    private let state = Mutex<Running?>(nil)

    private struct Running {
        let loop: LoopThread
        let eventLoop: WaylandEventLoopBox
    }

    /// `kind` is `wlroots` or `kwin`.
    package init(environment: [String: String], kind: AdapterKind = .wlroots) {
        self.environment = environment
        self.kind = kind
    }

    package func start(idleAfterMs: Int64, _ heard: @escaping @Sendable (DesktopEvent) -> Void) throws {
        guard let socket = WaylandSocket(environment) else {
            throw Problem(
                "desktop.no_display",
                """
                There is no Wayland display here: WAYLAND_DISPLAY is not set, or XDG_RUNTIME_DIR is \
                missing. Start Screen Time from within the desktop.
                """,
                key: "desktop.no_display.there-is-no",
                field: "WAYLAND_DISPLAY"
            )
        }
        let connection = try WaylandConnection(socket.path, within: Self.answerTimeout)
        let missing = (kind == .kwin ? ["xdg_wm_base"] : Self.needed).filter { connection.global($0) == nil }
        guard missing.isEmpty else { throw Self.missingProtocolsProblem(missing, connection) }
        let loop = try LoopThread(name: "wayland")
        let box = WaylandEventLoopBox()
        let isFirst = state.withLock { state in
            guard state == nil else { return false }
            state = Running(loop: loop, eventLoop: box)
            return true
        }
        guard isFirst else {
            loop.stop()
            loop.join()
            throw Problem("desktop.started_already", "This screen is already being observed. Close it first.")
        }
        let makeLink = try linkMaker()
        loop.post {
            let desk = WaylandEventLoop(connection, loop: loop, heard: heard)
            box.eventLoop = desk
            desk.begin(idleAfter: .milliseconds(idleAfterMs), makeLink)
        }
    }

    private func linkMaker() throws -> @Sendable (LoopThread) -> (any CompositorLink)? {
        if kind == .kwin {
            let address = try DBusAddress.session(environment)
            // On a protected computer, the agent cannot write to the parent of its own folder.
            let run = try Directories.from(environment: environment).run
            let folder = "\(run)/\(ServiceName.desktop.rawValue)"
            try Directories.prepare(folder)
            return { KwinLink(address, folder: folder, loop: $0) }
        }
        let path = environment["SWAYSOCK"] ?? ""
        return { path.isEmpty ? nil : SwayLink(path, $0) }
    }

    package func perform(_ acts: [DesktopAction]) {
        guard let running = state.withLock({ $0 }) else { return }
        running.loop.post { running.eventLoop.eventLoop?.perform(acts) }
    }

    package func lastInputBootMs() async -> Int64? {
        guard let running = state.withLock({ $0 }) else { return nil }
        return await withCheckedContinuation { continuation in
            running.loop.post { continuation.resume(returning: running.eventLoop.eventLoop?.lastInput?.ms) }
        }
    }

    package func close() {
        let running = state.withLock { state in
            defer { state = nil }
            return state
        }
        guard let running else { return }
        running.loop.post {
            running.eventLoop.eventLoop?.end()
            running.eventLoop.eventLoop = nil
        }
        running.loop.stop()
        running.loop.join()
    }

    /// Returns the problem of a compositor that lacks necessary protocols.
    static func missingProtocolsProblem(_ missing: [String], _ connection: WaylandConnection) -> Problem {
        let list = missing.joined(separator: ", ")
        return Problem(
            "desktop.protocol_missing",
            text: connection.compositor?.program.map {
                Message(
                    "desktop.protocol_missing",
                    """
                    \($0, "program") does not report the foreground window, because it does not offer \
                    \(list, "missing"). Use sway or another wlroots desktop, or a session on X11.
                    """
                )
            }
                ?? Message(
                    "desktop.protocol_missing.this-compositor",
                    """
                    This compositor does not report the foreground window, because it does not offer \
                    \(list, "missing"). Use sway or another wlroots desktop, or a session on X11.
                    """
                ),
            details: ["missing": missing.joined(separator: ",")]
        )
    }

    // MARK: - Probe

    /// Reads what a display offers, without using it.
    package static func probe(environment: [String: String]) -> WaylandFacts {
        var facts = WaylandFacts()
        facts.hasSwaySocket = environment["SWAYSOCK"].map { !$0.isEmpty } ?? false
        guard let socket = WaylandSocket(environment) else {
            facts.problem = Message(
                "agent.no-wayland-display",
                "WAYLAND_DISPLAY is not set, or XDG_RUNTIME_DIR is missing."
            )
            return facts
        }
        facts.socket = TextSanitizer.sanitized(socket.path)
        switch WaylandSocket.connect(socket.path) {
        case .failure(let problem):
            facts.problem = problem.text
            return facts
        case .success(let descriptor):
            facts.isReachable = true
            let peer = WaylandSocket.peer(descriptor.number)
            facts.compositorPid = peer?.pid
            facts.compositorProgram = peer?.program
        }
        do {
            facts.globals = try WaylandConnection(socket.path, within: probeTimeout).globals
            facts.hasAnswered = true
        } catch {
            facts.problem = error.text
        }
        return facts
    }
}

/// Objects of the loop's thread, boxed so that sendable closures can capture them.
private final class WaylandEventLoopBox: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.
    var eventLoop: WaylandEventLoop?
}

/// Facts about a Wayland display, determined without using it. A missing display is a fact, not an error.
package struct WaylandFacts: Sendable, Equatable {
    /// The socket that the environment names. `nil` if it names none.
    package var socket: String?
    /// True if a program listens there.
    package var isReachable = false
    /// True if the compositor also reported its globals.
    package var hasAnswered = false
    package var globals: [WaylandGlobal] = []
    package var compositorPid: Int32?
    /// The name of the compositor's executable.
    package var compositorProgram: String?
    /// True if `SWAYSOCK` is set. Sway's socket reports the positions of windows.
    package var hasSwaySocket = false
    /// The reason that the display is not reachable or has not answered, as a sentence.
    package var problem: Message?

    package init() {}
}
