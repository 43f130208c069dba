import STDBus
package import STPlatform
import Synchronization

/// Counts the notifications of each app by monitoring the session bus, if the bus allows it.
///
/// The texts of notifications are never read.
actor NotificationCounter {
    /// Upper bound on sources between two events. Notifications of further sources count for an unknown app.
    static let sourcesMax = 256
    /// Time for which counts are collected into one event, so that a flood of notifications causes only one.
    private static let gatherTime = Duration.milliseconds(100)
    private static let timeout = Duration.seconds(5)
    private static let rule =
        "type='method_call',interface='org.freedesktop.Notifications',member='Notify'"
    /// The hint that notifier adds to Screen Time's own notifications.
    private static let ownHint = "x-screentime-id"

    private enum Sender: Hashable {
        case known(NotificationSource)
        case unnamed(String)
    }

    private let thread: LoopThread
    private let pidOf: @Sendable (String) async -> Int32?
    private let onEvent: @Sendable (SessionEvent) -> Void
    private let counts = Mutex<[Sender: Int]>([:])
    private(set) var status = NotificationCountStatus.notConnected

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `pidOf` returns the process of a bus name, for programs that do not name themselves.
    init(
        _ thread: LoopThread,
        pidOf: @escaping @Sendable (String) async -> Int32?,
        _ tell: @escaping @Sendable (SessionEvent) -> Void
    ) {
        self.thread = thread
        self.pidOf = pidOf
        self.onEvent = tell
    }

    /// Starts counting. The connection must be usable as a monitor.
    func connectionDidOpen(_ bus: DBusConnection) async throws {
        try await bus.becomeMonitor(rules: [Self.rule], withinMs: Self.timeout.ms) { [weak self] message in
            self?.record(message)
        }
        set(.counted)
    }

    func connectionDidClose(_ problem: Problem) {
        set(
            .notKnown(
                problem.code == "dbus.refused"
                    ? Message(
                        "agent.bus-refuses-notifications",
                        """
                        The session bus does not let Screen Time count notifications: \
                        \(problem.text, "problem")
                        """
                    )
                    : problem.text
            )
        )
    }

    private func set(_ sight: NotificationCountStatus) {
        guard sight != self.status else { return }
        self.status = sight
        onEvent(.notifications(sight))
    }

    // MARK: - On the connection's thread

    private nonisolated func record(_ message: DBusMonitoredMessage) {
        guard let sender = Self.sender(message) else { return }
        let isFirst = counts.withLock { counts in
            let isFirst = counts.isEmpty
            let known = counts[sender] != nil || counts.count < Self.sourcesMax
            counts[known ? sender : .known(.unknown), default: 0] += 1
            return isFirst
        }
        guard isFirst else { return }
        thread.post { [self, thread] in
            thread.after(milliseconds: Self.gatherTime.ms) { [weak self] in
                Task(executorPreference: thread) { [weak self] in await self?.report() }
            }
        }
    }

    /// Returns `nil` for a notification that is not counted: one of Screen Time, or one that replaces another.
    private nonisolated static func sender(_ message: DBusMonitoredMessage) -> Sender? {
        guard message.member == "Notify", message.signature == "susssasa{sv}i",
            let name = message.readText(bytesMax: 1 << 16), let replaces = message.readUInt32(),
            replaces == 0,
            message.skip("sssas"),
            let hints = message.readTexts(
                of: ["desktop-entry", ownHint],
                entriesMax: 64,
                bytesMax: ReceivedText.bytesMax
            ), hints[ownHint] == nil
        else { return nil }
        if let entry = ReceivedText.entry(hints["desktop-entry"]) { return .known(.desktopEntry(entry)) }
        if let name = ReceivedText.sanitized(name) { return .known(.named(name)) }
        return .unnamed(message.sender)
    }

    // MARK: - On the loop

    private func report() async {
        let taken = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        let now = Stopwatch.bootTime()
        var sources: [NotificationSource: Int] = [:]
        for (sender, count) in taken {
            switch sender {
            case .known(let source): sources[source, default: 0] += count
            case .unnamed(let name):
                let pid = await pidOf(name)
                sources[pid.map { .process($0) } ?? .unknown, default: 0] += count
            }
        }
        if !sources.isEmpty { onEvent(.notified(sources, at: now)) }
    }
}

/// The state of counting notifications.
package enum NotificationCountStatus: Sendable, Equatable {
    case counted
    /// Notifications are not counted, for this reason.
    case notKnown(Message)

    static let notConnected = NotificationCountStatus.notKnown(
        Message("agent.session-bus-not-connected", "Screen Time has not connected to the session bus yet.")
    )
}

/// The source of a notification, as far as it is known.
package enum NotificationSource: Sendable, Hashable {
    /// The name of the desktop entry that the program reports.
    case desktopEntry(String)
    /// The name that the program reports.
    case named(String)
    /// The process, because the program reports no name.
    case process(Int32)
    case unknown
}
