import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization

/// Requests that several tests send.
extension TestSystem {
    /// Returns every row of the ledger, page by page.
    func ledger() async throws -> [Segment] {
        var rows: [Segment] = []
        var next: String?
        repeat {
            let page = try await client.call(UsageList.self, UsageList.Request(next: next))
            rows += page.rows
            next = page.next
        } while next != nil
        return rows
    }

    /// Returns every event of a stream that is still stored, page by page.
    func events(_ stream: StreamName, of service: ServiceName) async throws -> [WireEvent] {
        var events: [WireEvent] = []
        var request = EventsSince.Request(stream: stream.rawValue)
        while true {
            do {
                let page = try await client.call(EventsSince.self, to: service, request)
                events += page.events
                if page.next == nil { return events }
                let last = events.last?.header
                request.epoch = last?.epoch
                request.sequence = last?.sequence
                request.id = last?.id
            } catch let problem as Problem where problem.code == "cursor.too_old" && request.epoch == nil {
                let streams = try await client.call(HealthReport.self, to: service, Empty()).streams
                request.epoch = streams.first { $0.stream == stream.rawValue }?.epoch
                request.sequence = problem.details["trimmed"].flatMap(Int64.init)
            }
        }
    }

    func head(_ stream: StreamName, of service: ServiceName) async throws -> Int64 {
        let report = try await client.call(HealthReport.self, to: service, Empty())
        guard let found = report.streams.first(where: { $0.stream == stream.rawValue }) else {
            throw NotYet("\(service) has no stream \(stream)")
        }
        return found.sequence
    }

    /// Waits until a follower has applied the whole stream.
    func waitUntilFollowed(_ stream: StreamName, of source: ServiceName, by follower: ServiceName)
        async throws
    {
        try await eventually(within: .seconds(60), "\(follower) has followed \(stream) to its head") {
            let head = try await head(stream, of: source)
            let report = try await client.call(HealthReport.self, to: follower, Empty())
            guard let cursor = report.cursors.first(where: { $0.stream == stream.rawValue }) else {
                throw NotYet("\(follower) does not follow \(stream)")
            }
            guard cursor.sequence == head, cursor.state == "live" else {
                throw NotYet("cursor \(cursor), head \(head)")
            }
        }
    }

    /// Adds a second member. Returns the members once activity-center has received them.
    func makeMembers() async throws -> [String] {
        _ = try await client.call(MemberAdd.self, Member(name: "member-2", role: .child))
        let members = try await client.call(MemberList.self, Empty()).members.map(\.name)
        try await waitUntilFollowed(.authorization, of: .auth, by: .activity)
        return members
    }
}

/// Sends requests to a service as fast as it replies, on its own thread, until it is stopped.
final class RequestLoad: Sendable {
    private struct State {
        var isStopped = false
        var answered = 0
    }

    private static let window = 64
    private let state = Mutex(State())
    private let thread: LoopThread

    init(endpoint: String) throws {
        thread = try LoopThread(name: "load")
        let peer = try RawPeer(.dealer, endpoint, queuesWithoutPeer: false)
        thread.post { [self] in
            run(peer)
            peer.close()
        }
    }

    var answered: Int { state.withLock { $0.answered } }

    func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        thread.stop()
        thread.join()
    }

    private func run(_ peer: RawPeer) {
        var underWay = 0
        while !state.withLock({ $0.isStopped }) {
            while underWay < Self.window {
                let route = underWay % 2 == 0 ? HealthReport.name : HealthPing.name
                guard peer.send([RequestHeader(id: "1", route: route).encoded()], withinMs: 20) else { break }
                underWay += 1
            }
            if peer.receive(withinMs: 20) != nil {
                underWay -= 1
                state.withLock { $0.answered += 1 }
            } else if state.withLock({ $0.isStopped }) {
                return
            }
        }
    }
}
