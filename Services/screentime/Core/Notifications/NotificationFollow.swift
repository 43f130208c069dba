import STContracts
import STPlatform

/// Prints notifications as they are posted.
///
/// What is heard live says only that there is something new when a number is missing: the history is then asked, so
/// that neither a restart of the notifier nor the moment before the connection stands loses one.
struct NotificationFollow {
    private static let firstCount: Int64 = 10
    /// So many pages are caught up with; whoever was away for longer reads the list.
    private static let pagesMax = 20

    private let invocation: Invocation
    private let clients: ServiceClients

    init(_ invocation: Invocation, _ clients: ServiceClients) {
        self.invocation = invocation
        self.clients = clients
    }

    func run(count: Int?, forMs: Int64?) async throws {
        let listener = Listener(clients.loop)
        do {
            // The head is told once the subscription stands: from then on nothing that is posted goes unheard.
            let topics = [
                ServiceName.notifier: [Topic.subscription(.notification), Topic.head(.notification)]
            ]
            try await listener.open(topics, invocation.directories, tickMs: nil, forMs: forMs)
            try await follow(listener.events, count: count)
            await listener.tellLoss(invocation.terminal)
            await listener.close()
        } catch {
            await listener.close()
            throw error
        }
    }

    private func follow(_ events: AsyncStream<Listener.Event>, count: Int?) async throws {
        var request = NotificationCommands.request(invocation)
        request.limit = Self.firstCount
        let first = try await clients.call(NotifyList.self, request).notifications
        first.reversed().forEach(show)
        var last = first.first?.number ?? 0
        var sequence: Int64?
        var shown = 0
        for await event in events {
            switch event {
            case .message(_, let frames):
                let heard = await hear(frames, after: sequence, since: last)
                sequence = heard.sequence
                for one in heard.posted where one.number > last {
                    show(one)
                    last = one.number
                    shown += 1
                    if shown == count { return }
                }
            case .tick: continue
            case .timeUp, .interrupted: return
            }
        }
    }

    /// What is new, and how far the stream has come; nil when that could not be found out, and must be asked again.
    private func hear(_ frames: [[UInt8]], after sequence: Int64?, since last: Int64) async
        -> (posted: [PostedNotification], sequence: Int64?)
    {
        guard frames.count == 3 else { return ([], sequence) }
        if let event = WireEvent(frames: frames) {
            if sequence.map({ $0 + 1 }) == event.header.sequence,
                let posted = try? event.decoded(NotificationPosted.self)
            {
                return (wanted(posted), event.header.sequence)
            }
            return await catchUp(since: last, to: event.header.sequence)
        }
        guard let head = StreamPoint.read(frames[2]), head.sequence != sequence else {
            return ([], sequence)
        }
        return await catchUp(since: last, to: head.sequence)
    }

    private func catchUp(since last: Int64, to sequence: Int64) async -> (
        posted: [PostedNotification], sequence: Int64?
    ) {
        do {
            return (try await missed(since: last), sequence)
        } catch {
            return ([], nil)
        }
    }

    /// All after a number, oldest first.
    private func missed(since last: Int64) async throws -> [PostedNotification] {
        var request = NotificationCommands.request(invocation)
        var rows: [PostedNotification] = []
        for _ in 0..<Self.pagesMax {
            let page = try await clients.call(NotifyList.self, request)
            rows += page.notifications.filter { $0.number > last }
            guard let next = page.next, page.notifications.last.map({ $0.number > last }) ?? false else {
                break
            }
            request.next = next
        }
        return rows.reversed()
    }

    private func wanted(_ posted: PostedNotification) -> [PostedNotification] {
        let request = NotificationCommands.request(invocation)
        let isWanted =
            (request.app == nil || request.app == posted.app)
            && (request.member == nil || request.member == posted.member)
        return isWanted ? [posted] : []
    }

    private func show(_ posted: PostedNotification) {
        if invocation.wantsJSON {
            guard let value = try? JSONOutput.value(of: posted) else { return }
            invocation.terminal.write(String(decoding: JSONOutput.compact(value), as: UTF8.self))
        } else {
            NotificationText.lines(posted, invocation.terminal).forEach(invocation.terminal.write)
        }
    }
}
