import STContracts
import STPlatform

/// Prints notifications as they are posted.
///
/// If the numbers of received notifications have a gap, it requests the history. So no notification is lost by a restart of
/// notifier or before the connection exists.
struct NotificationFollow {
    private static let firstCount: Int64 = 10
    /// Upper bound on the pages of missed notifications. After a longer absence, use the list.
    private static let pagesMax = 20

    /// Upper bound on the printed notifications that wait to be marked as seen. Older ones stay unmarked.
    private static let pendingMax = 500

    private let invocation: Invocation
    private let clients: ServiceClients

    init(_ invocation: Invocation, _ clients: ServiceClients) {
        self.invocation = invocation
        self.clients = clients
    }

    func run(count: Int?, for length: Duration?) async throws {
        // The stream's head arrives when the subscription is active. From then on, every notification is received.
        let topics = [ServiceName.notifier: [Topic.subscription(.notification), Topic.head(.notification)]]
        try await BusListener.with(clients, topics: topics, for: length, invocation: invocation) { events in
            try await follow(events, count: count)
        }
    }

    private func follow(_ events: AsyncStream<BusListener.Event>, count: Int?) async throws {
        var request = NotificationCommand.request(invocation)
        request.limit = Self.firstCount
        let first = try await clients.call(NotifyList.self, request).notifications.filter(Self.isDelivered)
        let apps = invocation.wantsJSON ? DisplayNames() : await DisplayNames.installed(clients)
        for posted in first.reversed() { show(posted, apps) }
        var printed = first.filter(Self.waits).map(\.number)
        var last = first.first?.number ?? 0
        var sequence: Int64?
        var shown = 0
        var problem: String?
        await mark(&printed)
        for await event in events {
            switch event {
            case .message(_, let frames):
                let heard = await handle(frames, after: sequence, since: last)
                sequence = heard.sequence
                // Another machine may be offline, so a note is written. A service on this machine restarts by itself.
                if RemoteMachine.current != nil, let text = heard.problem, text != problem {
                    invocation.terminal.note(text)
                }
                problem = heard.problem
                if let changed = heard.changed, changed.answer != nil { showAnswer(changed) }
                if let changed = heard.changed { printed.removeAll { $0 == changed.number } }
                for one in heard.posted where one.number > last {
                    show(one, apps)
                    last = one.number
                    if Self.waits(one) { printed.append(one.number) }
                    shown += 1
                }
                await mark(&printed)
                if let count, shown >= count { return }
            case .tick: continue
            case .timedOut, .interrupted: return
            }
        }
    }

    /// Returns true if the notification was posted: neither still scheduled nor withdrawn.
    private static func isDelivered(_ posted: PostedNotification) -> Bool {
        posted.state != .scheduled && posted.state != .withdrawn
    }

    private static func waits(_ posted: PostedNotification) -> Bool { posted.state == .waiting }

    /// Reports that a person has seen these notifications here. If a desktop shows them, none is marked.
    private func mark(_ printed: inout [Int64]) async {
        // Notifications that this command reads from another machine have not been seen on that machine.
        guard invocation.terminal.isTerminal, !invocation.wantsJSON, !printed.isEmpty,
            RemoteMachine.current == nil
        else { return }
        printed = printed.suffix(Self.pendingMax)
        let request = NotifyShown.Request(numbers: printed, via: .terminal)
        // If this fails, the next message triggers another attempt.
        guard let reply = try? await clients.call(NotifyShown.self, request) else { return }
        if reply.marked == printed.count { printed = [] }
    }

    /// Returns new notifications and the stream's sequence number. The number is `nil` if the next call must request the history.
    private func handle(_ frames: [[UInt8]], after sequence: Int64?, since last: Int64) async
        -> Update
    {
        if frames.isEmpty { return await catchUp(since: last, to: nil) }
        guard frames.count == 3 else { return Update(sequence: sequence) }
        if let event = WireEvent(frames: frames) {
            guard sequence.map({ $0 + 1 }) == event.header.sequence,
                let posted = try? PostedNotification.decodedBody(event.body)
            else { return await catchUp(since: last, to: event.header.sequence) }
            var heard = Update(sequence: event.header.sequence)
            guard isWanted(posted) else { return heard }
            switch event.header.type {
            case NotificationPosted.type: heard.posted = [posted]
            case NotificationChanged.type: heard.changed = posted
            default: break
            }
            return heard
        }
        guard let head = StreamPoint.read(frames[2]), head.sequence != sequence else {
            return Update(sequence: sequence)
        }
        return await catchUp(since: last, to: head.sequence)
    }

    private struct Update {
        var posted: [PostedNotification] = []
        var changed: PostedNotification?
        /// The stream's sequence number after the message.
        var sequence: Int64?
        /// The reason why new notifications could not be loaded.
        var problem: String?
    }

    private func catchUp(since last: Int64, to sequence: Int64?) async -> Update {
        do {
            return Update(posted: try await missed(since: last), sequence: sequence)
        } catch {
            return Update(problem: ProblemText.text(ProblemText.problem(error)))
        }
    }

    /// Returns all notifications after a number, oldest first.
    private func missed(since last: Int64) async throws -> [PostedNotification] {
        var request = NotificationCommand.request(invocation)
        var rows: [PostedNotification] = []
        for _ in 0..<Self.pagesMax {
            let page = try await clients.call(NotifyList.self, request)
            rows += page.notifications.filter { $0.number > last && Self.isDelivered($0) }
            guard let next = page.next, page.notifications.last.map({ $0.number > last }) ?? false else {
                break
            }
            request.next = next
        }
        return rows.reversed()
    }

    private func isWanted(_ posted: PostedNotification) -> Bool {
        let request = NotificationCommand.request(invocation)
        return (request.app == nil || request.app == posted.app)
            && (request.member == nil || request.member == posted.member)
            && (request.state == nil || request.state == posted.state)
    }

    private func showAnswer(_ posted: PostedNotification) {
        guard !invocation.wantsJSON else { return }
        let text = NotificationText.answer(posted, invocation.terminal)
        invocation.terminal.write(text)
    }

    private func show(_ posted: PostedNotification, _ apps: DisplayNames) {
        if invocation.wantsJSON {
            guard let value = try? JSONOutput.value(of: posted) else { return }
            invocation.terminal.write(JSONOutput.line(value))
        } else {
            let lines = NotificationText.lines(
                posted,
                apps: apps,
                terminal: invocation.terminal,
                isLive: true
            )
            lines.forEach(invocation.terminal.write)
        }
    }
}
