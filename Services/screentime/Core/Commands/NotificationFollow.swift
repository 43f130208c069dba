import STContracts
import STPlatform

/// Prints notifications as they are posted.
///
/// Where a number is missing among those heard live, it asks the history. So neither a restart of the notifier nor the
/// moment before the connection stands loses one.
struct NotificationFollow {
    private static let firstCount: Int64 = 10
    /// How many pages it catches up with; after a longer absence the list is the place to read.
    private static let pagesMax = 20

    /// How many printed ones wait to be marked as seen here; further ones stay as they are.
    private static let pendingMax = 500

    private let invocation: Invocation
    private let clients: ServiceClients

    init(_ invocation: Invocation, _ clients: ServiceClients) {
        self.invocation = invocation
        self.clients = clients
    }

    func run(count: Int?, forMs: Int64?) async throws {
        // The head comes once the subscription stands: from then on every notification is heard.
        let topics = [ServiceName.notifier: [Topic.subscription(.notification), Topic.head(.notification)]]
        try await BusListener.with(clients, topics, forMs: forMs, invocation) { events in
            try await follow(events, count: count)
        }
    }

    private func follow(_ events: AsyncStream<BusListener.Event>, count: Int?) async throws {
        var request = NotificationCommand.request(invocation)
        request.limit = Self.firstCount
        let first = try await clients.call(NotifyList.self, request).notifications.filter(Self.hasCome)
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
                let heard = await hear(frames, after: sequence, since: last)
                sequence = heard.sequence
                // Of another machine that is away; a service here comes back by itself.
                if OtherMachine.current != nil, let text = heard.problem, text != problem {
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
            case .timeUp, .interrupted: return
            }
        }
    }

    /// Whether it has been posted: neither still to come nor taken back.
    private static func hasCome(_ posted: PostedNotification) -> Bool {
        posted.state != .scheduled && posted.state != .withdrawn
    }

    private static func waits(_ posted: PostedNotification) -> Bool { posted.state == .waiting }

    /// Says that a person has seen these here. A desktop shows them itself, and then none is marked.
    private func mark(_ printed: inout [Int64]) async {
        // What a guardian reads on another machine has not been seen there.
        guard invocation.terminal.isTerminal, !invocation.wantsJSON, !printed.isEmpty,
            OtherMachine.current == nil
        else { return }
        printed = printed.suffix(Self.pendingMax)
        let request = NotifyShown.Request(numbers: printed, via: .terminal)
        // Another message comes, and with it another try.
        guard let reply = try? await clients.call(NotifyShown.self, request) else { return }
        if reply.marked == printed.count { printed = [] }
    }

    /// What is new, and how far the stream has come; without a number when that must be asked again.
    private func hear(_ frames: [[UInt8]], after sequence: Int64?, since last: Int64) async
        -> Heard
    {
        if frames.isEmpty { return await catchUp(since: last, to: nil) }
        guard frames.count == 3 else { return Heard(sequence: sequence) }
        if let event = WireEvent(frames: frames) {
            guard sequence.map({ $0 + 1 }) == event.header.sequence,
                let posted = try? PostedNotification.decodedBody(event.body)
            else { return await catchUp(since: last, to: event.header.sequence) }
            var heard = Heard(sequence: event.header.sequence)
            guard isWanted(posted) else { return heard }
            switch event.header.type {
            case NotificationPosted.type: heard.posted = [posted]
            case NotificationChanged.type: heard.changed = posted
            default: break
            }
            return heard
        }
        guard let head = StreamPoint.read(frames[2]), head.sequence != sequence else {
            return Heard(sequence: sequence)
        }
        return await catchUp(since: last, to: head.sequence)
    }

    private struct Heard {
        var posted: [PostedNotification] = []
        var changed: PostedNotification?
        /// How far the stream has come.
        var sequence: Int64?
        /// Why it cannot be said what is new.
        var problem: String?
    }

    private func catchUp(since last: Int64, to sequence: Int64?) async -> Heard {
        do {
            return Heard(posted: try await missed(since: last), sequence: sequence)
        } catch {
            return Heard(problem: ProblemText.text(ProblemText.problem(error)))
        }
    }

    /// All after a number, oldest first.
    private func missed(since last: Int64) async throws -> [PostedNotification] {
        var request = NotificationCommand.request(invocation)
        var rows: [PostedNotification] = []
        for _ in 0..<Self.pagesMax {
            let page = try await clients.call(NotifyList.self, request)
            rows += page.notifications.filter { $0.number > last && Self.hasCome($0) }
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
            let lines = NotificationText.lines(posted, apps, invocation.terminal, isLive: true)
            lines.forEach(invocation.terminal.write)
        }
    }
}
