import STBus
import STContracts
import STPlatform
import Testing

@Suite("Table of pending requests")
struct CallTableTests {
    private var table = CallTable(peer: .auth, limit: 3)

    private static let frames: [[UInt8]] = [[1, 2], [3]]

    private func reply(_ id: String, _ problem: Problem? = nil) -> [[UInt8]] {
        problem.map { ReplyFrames.failure(id: id, envelope: [], $0) }
            ?? ReplyFrames.success(id: id, envelope: [], body: Array("{}".utf8))
    }

    /// The effects as text: `>id` for a send, `id=code` or `id=ok` for an end.
    private func text(_ effects: [CallTable.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .send(let id, let frames): frames == Self.frames ? ">\(id)" : ">\(id)?"
            case .finish(let id, .reply(_, let repeated)): repeated ? "\(id)=repeated" : "\(id)=ok"
            case .finish(let id, .failed(let problem)): "\(id)=\(problem.code)"
            }
        }
    }

    private mutating func start(_ id: String, deadline: Int64 = 5_000, now: Int64 = 0) -> [String] {
        text(
            table.start(
                id: id,
                route: "r",
                frames: Self.frames,
                deadline: BootTime(ms: deadline),
                now: BootTime(ms: now)
            )
        )
    }

    @Test("A request is sent once and ends with its reply, and later replies are counted and dropped")
    mutating func answer() {
        #expect(start("a") == [">a"])
        #expect(text(table.receive(reply("a"), now: BootTime(ms: 3))) == ["a=ok"])
        #expect(table.next == nil, "nothing is under way: there is nothing to wake up for")
        #expect(text(table.receive(reply("a"), now: BootTime(ms: 4))) == [])
        #expect(text(table.receive([[1]], now: BootTime(ms: 4))) == [])
        #expect(text(table.receive([], now: BootTime(ms: 4))) == [])

        #expect(table.unmatchedReplies == 3)
        #expect(text(table.tick(now: BootTime(ms: 100_000))) == [])
        #expect(table.next == nil)
    }

    @Test("A pending request is sent again, unchanged, after a reconnect and after silence")
    mutating func again() {
        _ = start("b")
        _ = start("a")

        #expect(text(table.connectionDidReturn(now: BootTime(ms: 10))) == [">a", ">b"])
        #expect(text(table.tick(now: BootTime(ms: 1_000))) == [])
        #expect(text(table.tick(now: BootTime(ms: 2_010))) == [">a", ">b"])
        #expect(table.resends == 4)
    }

    @Test("A request that could not be sent waits for room, and is not resent before that")
    mutating func unsent() {
        _ = start("a")
        table.markUnsent(id: "a")

        #expect(text(table.connectionDidReturn(now: BootTime(ms: 1))) == [])
        #expect(text(table.tick(now: BootTime(ms: 4_999))) == [])
        #expect(text(table.socketDidBecomeWritable()) == [">a"])
        #expect(text(table.socketDidBecomeWritable()) == [])
    }

    @Test("A request that first waited for room is sent again after a silence")
    mutating func unsentThenSilent() throws {
        _ = start("a", deadline: 30_000)
        table.markUnsent(id: "a")
        #expect(text(table.tick(now: BootTime(ms: 20))) == [])
        _ = table.tick(now: BootTime(ms: 2_000))
        _ = table.socketDidBecomeWritable(now: BootTime(ms: 2_000))

        let next = try #require(table.next)
        #expect(next == BootTime(ms: 3_000))
        #expect(text(table.tick(now: next)) == [">a"])
    }

    @Test("A deadline distinguishes a request without a reply from one that could not be sent")
    mutating func deadlines() {
        _ = start("a", deadline: 50)
        _ = start("b", deadline: 60)
        table.markUnsent(id: "b")

        #expect(table.next == BootTime(ms: 50))
        #expect(text(table.tick(now: BootTime(ms: 49))) == [])
        #expect(text(table.tick(now: BootTime(ms: 50))) == ["a=deadline.exceeded"])
        #expect(text(table.tick(now: BootTime(ms: 60))) == ["b=service.not_running"])
    }

    @Test("A request to an unavailable service is retried until its deadline leaves no time")
    mutating func unavailable() throws {
        _ = start("a", deadline: 400)
        let busy = reply("a", Problem("unavailable", "soon", retryable: true))
        var now = BootTime(ms: 0)
        var sends = 0
        while text(table.receive(busy, now: now)) == [] {
            let next = try #require(table.next)
            now = next
            #expect(text(table.tick(now: now)) == [">a"])
            sends += 1
            guard sends < 50 else { break }
        }

        #expect(sends > 1 && sends < 20)
        #expect(now < BootTime(ms: 400))
        #expect(table.next == nil)
    }

    @Test("An unavailable reply that is not retryable ends the request")
    mutating func unavailableForGood() {
        _ = start("a", deadline: 400)

        #expect(
            text(table.receive(reply("a", Problem("unavailable", "never")), now: BootTime(ms: 1))) == [
                "a=unavailable"
            ]
        )
    }

    @Test("A cancelled request, a closed table and a full table each end with their own code")
    mutating func ends() {
        for id in ["a", "b", "c"] { _ = start(id) }

        #expect(start("d") == ["d=client.too_many_calls"])
        #expect(text(table.cancel(id: "b")) == ["b=request.cancelled"])
        #expect(text(table.cancel(id: "b")) == [])
        #expect(text(table.close()) == ["a=request.cancelled", "c=request.cancelled"])
    }

    @Test("Any other refusal reaches the caller, even if it cannot be read")
    mutating func refusals() {
        _ = start("a")
        _ = start("b")

        #expect(
            text(table.receive(reply("a", Problem("member.unknown", "no")), now: BootTime(ms: 1))) == [
                "a=member.unknown"
            ]
        )
        #expect(
            text(table.receive([ReplyHeader(id: "b", ok: false).encoded(), [0]], now: BootTime(ms: 1))) == [
                "b=reply.invalid"
            ]
        )
    }

    @Test("A request that waited for room is not sent again right after its first send")
    mutating func lateRoom() {
        _ = start("a", deadline: 30_000)
        table.markUnsent(id: "a")
        _ = table.tick(now: BootTime(ms: 9_000))

        #expect(text(table.socketDidBecomeWritable(now: BootTime(ms: 9_000))) == [">a"])
        #expect(text(table.tick(now: BootTime(ms: 9_001))) == [])
        #expect(text(table.tick(now: BootTime(ms: 10_000))) == [">a"])
    }
}

@Suite("Backoff delays")
struct BackoffTests {
    private let backoff = Backoff(firstMs: 50, limitMs: 2_000)

    @Test("A backoff doubles up to its limit, after any number of attempts")
    func doubles() {
        #expect(
            (0...7).map { backoff.delayMs(attempt: $0, noise: 1) } == [
                50, 100, 200, 400, 800, 1_600, 2_000, 2_000,
            ]
        )
        #expect(backoff.delayMs(attempt: .max, noise: 1) == 2_000)
        #expect(backoff.delayMs(attempt: -3, noise: 1) == 50)
    }

    @Test("A backoff spreads callers over the second half of the delay")
    func spreads() {
        #expect(backoff.delayMs(attempt: 1, noise: 0) == 50)
        #expect(backoff.delayMs(attempt: 1, noise: 0.5) == 75)
    }
}
