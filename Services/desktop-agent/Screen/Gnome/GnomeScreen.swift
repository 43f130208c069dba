package import STContracts
import STDBus
package import STDesktop
import STPlatform
import Synchronization

/// GNOME Shell on Wayland, through the Screen Time extension in the Shell (`Services/desktop-agent/gnome`).
///
/// The extension obeys only the program that owns the name of this service on the session bus. This class accepts signals only from
/// the Shell's connection.
package final class GnomeScreen: DesktopScreen {
    private static let ownName = "dev.screentime.DesktopAgent"
    private static let shellName = "org.gnome.Shell"
    private static let path = "/dev/screentime/Screen"
    private static let interface = "dev.screentime.Screen1"
    private static let timeout = Duration.seconds(5)
    private static let probeTimeout = Duration.seconds(2)

    package let kind = AdapterKind.gnome
    private let environment: [String: String]
    private let state = Mutex<Running?>(nil)

    private struct Running: Sendable {
        let bus: DBusConnection
        let shell: String
    }

    package init(environment: [String: String]) { self.environment = environment }

    package func start(idleAfterMs: Int64, _ heard: @escaping @Sendable (DesktopEvent) -> Void) throws {
        let gate = EventForwarder(heard)
        let bus = try DBusConnection(address: try DBusAddress.session(environment)) { _ in
            gate.reportLoss(
                Message("desktop.lost.the-sessions-bus", "The connection to the session bus has ended.")
            )
        }
        let answer = PendingReply<Result<Running, Problem>>()
        Task.detached {
            do {
                answer.fulfill(
                    .success(try await Self.begin(bus, idleAfter: .milliseconds(idleAfterMs), gate: gate))
                )
            } catch {
                answer.fulfill(.failure(Problem(error)))
            }
        }
        do {
            // Several calls, each with its own deadline.
            guard let result = answer.wait(within: Self.timeout * 4) else { throw Self.noReplyProblem }
            let running = try result.get()
            state.withLock { $0 = running }
        } catch {
            bus.close()
            throw error
        }
    }

    private static func begin(_ bus: DBusConnection, idleAfter: Duration, gate: EventForwarder) async throws
        -> Running
    {
        try await bus.requestName(ownName, withinMs: timeout.ms)
        let reply = try await bus.call(owner(of: shellName), withinMs: timeout.ms)
        guard let shell = reply.first?.text else { throw noReplyProblem }
        let signal = "type='signal',sender='\(shell)',path='\(path)',interface='\(interface)',member='Heard'"
        try await bus.match(signal, withinMs: timeout.ms) { message in
            guard message.sender == shell, let text = message.arguments.first?.text else { return }
            do {
                for event in try GnomeMessages.events(text) { gate.forward(event) }
            } catch {
                gate.reportLoss(
                    Message(
                        "desktop.lost.the-extension-in",
                        """
                        The extension in GNOME Shell sent data that Screen Time cannot read. Run `screentime \
                        desktop enable gnome`, and log out and in again.
                        """
                    )
                )
            }
        }
        let end = "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(shellName)'"
        try await bus.match(end, withinMs: timeout.ms) { _ in
            gate.reportLoss(Message("desktop.lost.gnome-shell-has", "GNOME Shell has exited."))
        }
        let idleMs = max(50, idleAfter.ms)
        let quietMs = min(DesktopEvent.quietMs, idleMs)
        let order = DBusCall(
            shell,
            path: path,
            interface: interface,
            member: "Begin",
            arguments: [.uint32(UInt32(clamping: quietMs)), .uint32(UInt32(clamping: idleMs))]
        )
        _ = try await bus.call(order, withinMs: timeout.ms)
        return Running(bus: bus, shell: shell)
    }

    package func perform(_ acts: [DesktopAction]) {
        guard let running = state.withLock({ $0 }), !acts.isEmpty else { return }
        let text = String(decoding: JSONValue.array(acts.map(GnomeMessages.encode)).text, as: UTF8.self)
        let call = DBusCall(
            running.shell,
            path: Self.path,
            interface: Self.interface,
            member: "Perform",
            arguments: [.string(text)]
        )
        running.bus.call(call, withinMs: Self.timeout.ms) { _ in }
    }

    package func lastInputBootMs() async -> Int64? {
        guard let idleMs = await request("Idle")?.number else { return nil }
        return Stopwatch.bootMilliseconds() - idleMs
    }

    package func waitUntilResponsive() async { _ = await request("Look") }

    private func request(_ member: String) async -> DBusValue? {
        guard let running = state.withLock({ $0 }) else { return nil }
        let call = DBusCall(running.shell, path: Self.path, interface: Self.interface, member: member)
        return try? await running.bus.call(call, withinMs: Self.timeout.ms).first
    }

    /// Closes the connection. The bus then releases the name, and the extension removes everything that it showed.
    package func close() {
        let running = state.withLock { state in
            defer { state = nil }
            return state
        }
        running?.bus.close()
    }

    private static func owner(of name: String) -> DBusCall {
        let bus = "org.freedesktop.DBus"
        return DBusCall(
            bus,
            path: "/org/freedesktop/DBus",
            interface: bus,
            member: "GetNameOwner",
            arguments: [.string(name)]
        )
    }

    private static var noReplyProblem: Problem {
        Problem(
            "desktop.no_answer",
            """
            The extension in GNOME Shell does not answer. Run `screentime desktop enable gnome`, and log \
            out and in again.
            """,
            retryable: true
        )
    }

    // MARK: - Probe

    /// Returns the version and abilities of the extension in GNOME Shell, or `nil` if it does not answer.
    package static func probe(environment: [String: String]) -> GnomeFacts? {
        guard let address = try? DBusAddress.session(environment),
            let bus = try? DBusConnection(address: address)
        else { return nil }
        defer { bus.close() }
        let answer = PendingReply<GnomeFacts?>()
        bus.call(
            DBusCall(shellName, path: path, interface: interface, member: "Look"),
            withinMs: probeTimeout.ms
        ) {
            result in
            answer.fulfill((try? result.get())?.first?.text.flatMap(GnomeMessages.facts))
        }
        return answer.wait(within: probeTimeout * 2).flatMap(\.self)
    }
}

/// Facts that the extension reports about itself.
package struct GnomeFacts: Sendable, Equatable {
    package var version: String
    package var shell: String
    /// False on an unsupported version of the Shell, where the extension only observes.
    package var covers: Bool

    package init(version: String, shell: String, covers: Bool) {
        self.version = version
        self.shell = shell
        self.covers = covers
    }
}

/// Passes events on until the screen is lost. No event follows `lost`.
private final class EventForwarder: Sendable {
    private let onEvent: @Sendable (DesktopEvent) -> Void
    private let isOpen = Mutex(true)

    init(_ heard: @escaping @Sendable (DesktopEvent) -> Void) { self.onEvent = heard }

    func forward(_ event: DesktopEvent) {
        let passes = isOpen.withLock { isOpen in
            defer { if case .lost = event { isOpen = false } }
            return isOpen
        }
        if passes { onEvent(event) }
    }

    func reportLoss(_ why: Message) { forward(.lost(Problem("desktop.lost", text: why, retryable: true))) }
}
