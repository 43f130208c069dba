import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STExtensions

@Suite("Life cycle of an extension")
struct LifeTests {
    private static let peer: [UInt8] = [1]
    private static let spec = ExtensionSpec(app: "a", member: "m", point: .monitor, executable: "/x")

    private static func call(_ id: String) -> ExtensionCall {
        ExtensionCall(id: id, attempt: 1, method: "m", body: .object([:]), wallMs: 0, deadlineMs: 0)
    }

    private static func frames(_ kind: ExtensionProtocol.Kind, _ body: some WireBody) throws -> [[UInt8]] {
        [kind.frame, try body.encodedBody()]
    }

    /// Returns a valid or invalid message of an extension.
    private static func message(_ random: inout SeededRandom) throws -> [[UInt8]] {
        let id = random.chance(percent: 80) ? "c" : "other"
        return switch random.number(0...9) {
        case 0, 1: try frames(.hello, ExtensionHello(point: .monitor, app: "a"))
        case 2: try frames(.hello, ExtensionHello(version: 2, point: .monitor, app: "a"))
        case 3, 4: try frames(.returned, ExtensionReturned(id: id))
        case 5, 6: try frames(.settled, ExtensionSettled(id: id))
        case 7:
            [ExtensionProtocol.Kind.request.frame, RequestHeader(id: "q", route: "r").encoded(), []]
        case 8: (0..<random.number(0...5)).map { _ in random.bytes(random.number(0...30)) }
        default:
            [
                random.pick(ExtensionProtocol.Kind.allCases)?.frame ?? [],
                random.bytes(random.number(0...30)),
            ]
        }
    }

    @Test(
        "Under random messages every call ends exactly once, and no call is sent to a leaving process",
        arguments: 0..<200
    )
    func anything(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var life = ExtensionLifecycle(Self.spec, ExtensionLimits(), isDebugged: false, now: .zero)
        var now = Duration.zero
        var calls = 0
        var ends = 0
        for _ in 0..<200 {
            now += .milliseconds(random.number(0...4_000))
            let wasLeaving = life.isEnding
            var effects: [ExtensionLifecycle.Effect]
            switch random.number(0...9) {
            case 0 where life.isFree && calls == ends:
                calls += 1
                effects = life.call(Self.call("c"), now: now)
            case 1: effects = life.tick(now: now)
            case 2 where random.chance(percent: 10): effects = life.end(now: now)
            default:
                let sender = random.chance(percent: 98) ? Self.peer : [2]
                effects = life.receive(try Self.message(&random), from: sender, now: now)
            }
            if effects.contains(.check) {
                let problem =
                    random.chance(percent: 10) ? ExtensionProblem.overMemory(bytes: 2, limit: 1) : nil
                effects += life.handleCheckResult(problem, now: now)
            }
            if wasLeaving { #expect(effects.allSatisfy { $0 != .callDidBegin && !Self.isCall($0) }) }
            ends += effects.count(where: Self.isEnd)
        }
        ends += life.processDidExit(.signaled(9)).count(where: Self.isEnd)
        // An extension that ended before its first call also reports an end, which is harmless.
        #expect([0, 1].contains(ends - calls))
        #expect(life.processDidExit(.exited(0)).isEmpty)
        #expect(
            life.receive(
                try Self.frames(.hello, ExtensionHello(point: .monitor, app: "a")),
                from: [1],
                now: .zero
            ).isEmpty
        )
        #expect(life.next == nil)
    }

    private static func isEnd(_ effect: ExtensionLifecycle.Effect) -> Bool {
        switch effect {
        case .done, .failed: true
        default: false
        }
    }

    private static func isCall(_ effect: ExtensionLifecycle.Effect) -> Bool {
        if case .send(let frames) = effect {
            frames.first == ExtensionProtocol.Kind.call.frame
        } else {
            false
        }
    }

    @Test(
        "A call without faults needs only its messages, and an idle extension is ended, terminated and killed in turn"
    )
    func well() throws {
        var life = ExtensionLifecycle(Self.spec, ExtensionLimits(), isDebugged: false, now: .zero)
        #expect(life.next == .milliseconds(10_000))
        #expect(life.call(Self.call("c"), now: .milliseconds(1)).isEmpty)
        let hello = try Self.frames(.hello, ExtensionHello(point: .monitor, app: "a"))
        #expect(life.receive(hello, from: Self.peer, now: .milliseconds(5)).first == .callDidBegin)
        #expect(life.next == .milliseconds(30_005))
        let returned = try Self.frames(.returned, ExtensionReturned(id: "c", result: "yes"))
        #expect(life.receive(returned, from: Self.peer, now: .milliseconds(6)).isEmpty)
        let settled = try Self.frames(.settled, ExtensionSettled(id: "c"))
        #expect(life.receive(settled, from: Self.peer, now: .milliseconds(7)) == [.check])
        #expect(life.handleCheckResult(nil, now: .milliseconds(8)) == [.done("yes")])
        // Kept warm, then asked to end, then terminated, then killed.
        #expect(life.next == .milliseconds(5_008))
        #expect(life.tick(now: .milliseconds(5_007)).isEmpty)
        #expect(life.tick(now: .milliseconds(5_008)) == [.send([Array("end".utf8), Array("{}".utf8)])])
        #expect(life.tick(now: .milliseconds(5_508)) == [.terminate])
        #expect(life.tick(now: .milliseconds(6_008)).last == .kill)
        #expect(life.processDidExit(.signaled(9)).isEmpty)
    }

    @Test(
        "A call may have less time than its host's limit, but never more",
        arguments: [(300, 300), (0, 30_000), (90_000, 30_000)]
    )
    func ownDeadline(_ wanted: Int64, _ given: Int64) throws {
        var life = ExtensionLifecycle(Self.spec, ExtensionLimits(), isDebugged: false, now: .zero)
        var call = Self.call("c")
        call.deadlineMs = wanted
        _ = life.call(call, now: .milliseconds(1))
        let hello = try Self.frames(.hello, ExtensionHello(point: .monitor, app: "a"))
        let effects = life.receive(hello, from: Self.peer, now: .milliseconds(5))
        #expect(life.next == .milliseconds(5 + given))
        guard case .send(let frames) = effects.last else {
            throw Problem("test.no_call", verbatim: "\(effects)")
        }
        #expect(try ExtensionCall.decodedBody(frames[1]).deadlineMs == given)
        #expect(life.tick(now: .milliseconds(5 + given)) == [.kill])
        #expect(
            life.processDidExit(.signaled(9)) == [
                .failed(ExtensionProblem.timedOut(limit: .milliseconds(given), hasReturned: false))
            ]
        )
    }

    @Test("A callback's reply beyond the size limit ends the extension, and a report may be larger")
    func size() throws {
        func answer(_ bytes: Int, _ point: ExtensionPoint = .monitor) throws -> [ExtensionLifecycle.Effect] {
            let spec = ExtensionSpec(app: "a", member: "m", point: point, executable: "/x")
            var life = ExtensionLifecycle(spec, ExtensionLimits(), isDebugged: false, now: .zero)
            _ = life.call(Self.call("c"), now: .milliseconds(1))
            _ = life.receive(
                try Self.frames(.hello, ExtensionHello(point: point, app: "a")),
                from: Self.peer,
                now: .milliseconds(5)
            )
            let text = String(repeating: "x", count: bytes)
            let returned = try Self.frames(.returned, ExtensionReturned(id: "c", result: .string(text)))
            return life.receive(returned, from: Self.peer, now: .milliseconds(6))
                + life.processDidExit(.signaled(9))
        }
        #expect(try !answer(ExtensionProtocol.returnedBytes - 100).contains(.kill))
        let effects = try answer(ExtensionProtocol.returnedBytes)
        guard case .failed(let problem) = effects.last else {
            throw Problem("test.kept", verbatim: "\(effects.count)")
        }
        #expect(problem.code == "extension.too_large")
        // The page of a report may be larger.
        #expect(try !answer(PageLimits.bytes - 100, .report).contains(.kill))
        #expect(try answer(PageLimits.bytes, .report).contains(.kill))
    }
}
