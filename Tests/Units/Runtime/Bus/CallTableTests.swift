import STBus
import STContracts
import STPlatform
import Testing

@Suite("The table of requests under way")
struct CallTableTests {
    private var table = CallTable(peer: .auth, limit: 3)

    private static let frames: [[UInt8]] = [[1, 2], [3]]

    private func reply(_ id: String, _ problem: Problem? = nil) -> [[UInt8]] {
        problem.map { ReplyFrames.failure(id: id, envelope: [], $0) }
            ?? ReplyFrames.success(id: id, envelope: [], body: Array("{}".utf8))
    }

    /// Effects as text: `>id` for a send, `id=code` or `id=ok` for an end.
    private func text(_ effects: [CallTable.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .send(let id, let frames): frames == Self.frames ? ">\(id)" : ">\(id)?"
            case .finish(let id, .reply(_, let repeated)): repeated ? "\(id)=repeated" : "\(id)=ok"
            case .finish(let id, .failed(let problem)): "\(id)=\(problem.code)"
            }
        }
    }

    private mutating func start(_ id: String, deadlineMs: Int64 = 5_000, nowMs: Int64 = 0) -> [String] {
        text(table.start(id: id, route: "r", frames: Self.frames, deadlineMs: deadlineMs, nowMs: nowMs))
    }

    @Test("sends once and ends with the reply; what comes later is counted and dropped")
    mutating func answer() {
        #expect(start("a") == [">a"])
        #expect(text(table.received(reply("a"), nowMs: 3)) == ["a=ok"])
        #expect(table.nextMs == nil, "nothing is under way: there is nothing to wake up for")
        #expect(text(table.received(reply("a"), nowMs: 4)) == [])
        #expect(text(table.received([[1]], nowMs: 4)) == [])
        #expect(text(table.received([], nowMs: 4)) == [])

        #expect(table.strays == 3)
        #expect(text(table.tick(nowMs: 100_000)) == [])
        #expect(table.nextMs == nil)
    }

    @Test("sends the same bytes again after a reconnect and after silence")
    mutating func again() {
        _ = start("b")
        _ = start("a")

        #expect(text(table.reconnected(nowMs: 10)) == [">a", ">b"])
        #expect(text(table.tick(nowMs: 1_000)) == [])
        #expect(text(table.tick(nowMs: 2_010)) == [">a", ">b"])
        #expect(table.resends == 4)
    }

    @Test("keeps what could not be sent until there is room, and does not count it as lost")
    mutating func unsent() {
        _ = start("a")
        table.refused(id: "a")

        #expect(text(table.reconnected(nowMs: 1)) == [])
        #expect(text(table.tick(nowMs: 4_999)) == [])
        #expect(text(table.writable()) == [">a"])
        #expect(text(table.writable()) == [])
    }

    @Test("repeats into silence a request that waited for room first")
    mutating func unsentThenSilent() throws {
        _ = start("a", deadlineMs: 30_000)
        table.refused(id: "a")
        #expect(text(table.tick(nowMs: 20)) == [])
        _ = table.tick(nowMs: 2_000)
        _ = table.writable(nowMs: 2_000)

        let next = try #require(table.nextMs)
        #expect(next == 3_000)
        #expect(text(table.tick(nowMs: next)) == [">a"])
    }

    @Test("tells a peer that never took the request from one that never answered")
    mutating func deadlines() {
        _ = start("a", deadlineMs: 50)
        _ = start("b", deadlineMs: 60)
        table.refused(id: "b")

        #expect(table.nextMs == 50)
        #expect(text(table.tick(nowMs: 49)) == [])
        #expect(text(table.tick(nowMs: 50)) == ["a=deadline.exceeded"])
        #expect(text(table.tick(nowMs: 60)) == ["b=service.not_running"])
    }

    @Test("asks an unavailable service again, until the deadline leaves no room for it")
    mutating func unavailable() throws {
        _ = start("a", deadlineMs: 400)
        let busy = reply("a", Problem("unavailable", "soon", retryable: true))
        var now: Int64 = 0
        var sends = 0
        while text(table.received(busy, nowMs: now)) == [] {
            let next = try #require(table.nextMs)
            now = next
            #expect(text(table.tick(nowMs: now)) == [">a"])
            sends += 1
            guard sends < 50 else { break }
        }

        #expect(sends > 1 && sends < 20)
        #expect(now < 400)
        #expect(table.nextMs == nil)
    }

    @Test("asks a service that is unavailable for good only once")
    mutating func unavailableForGood() {
        _ = start("a", deadlineMs: 400)

        #expect(
            text(table.received(reply("a", Problem("unavailable", "never")), nowMs: 1)) == ["a=unavailable"]
        )
    }

    @Test("ends at once when cancelled, when closed, and when there are too many")
    mutating func ends() {
        for id in ["a", "b", "c"] { _ = start(id) }

        #expect(start("d") == ["d=client.too_many_calls"])
        #expect(text(table.cancel(id: "b")) == ["b=request.cancelled"])
        #expect(text(table.cancel(id: "b")) == [])
        #expect(text(table.close()) == ["a=request.cancelled", "c=request.cancelled"])
    }

    @Test("gives the caller any other refusal, even one that cannot be read")
    mutating func refusals() {
        _ = start("a")
        _ = start("b")

        #expect(
            text(table.received(reply("a", Problem("member.unknown", "no")), nowMs: 1)) == [
                "a=member.unknown"
            ]
        )
        #expect(
            text(table.received([ReplyHeader(id: "b", ok: false).encoded(), [0]], nowMs: 1)) == [
                "b=reply.invalid"
            ]
        )
    }

    @Test("does not repeat a request the moment it is first sent, however long it waited for room")
    mutating func lateRoom() {
        _ = start("a", deadlineMs: 30_000)
        table.refused(id: "a")
        _ = table.tick(nowMs: 9_000)

        #expect(text(table.writable(nowMs: 9_000)) == [">a"])
        #expect(text(table.tick(nowMs: 9_001)) == [])
        #expect(text(table.tick(nowMs: 10_000)) == [">a"])
    }
}

@Suite("A backoff")
struct BackoffTests {
    private let backoff = Backoff(firstMs: 50, limitMs: 2_000)

    @Test("doubles up to its limit and stays there, however often it failed")
    func doubles() {
        #expect(
            (0...7).map { backoff.delayMs(attempt: $0, noise: 1) } == [
                50, 100, 200, 400, 800, 1_600, 2_000, 2_000,
            ]
        )
        #expect(backoff.delayMs(attempt: .max, noise: 1) == 2_000)
        #expect(backoff.delayMs(attempt: -3, noise: 1) == 50)
    }

    @Test("spreads callers over the second half of the delay")
    func spreads() {
        #expect(backoff.delayMs(attempt: 1, noise: 0) == 50)
        #expect(backoff.delayMs(attempt: 1, noise: 0.5) == 75)
    }
}
