import Glibc
import STContracts
import STExtensions
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("An extension that misbehaves")
struct MisbehaviourTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var how: String
        var code: String
        var says: String
        var retryable = false
        var testDescription: String { how }
    }

    static let starts: [Case] = [
        Case(how: "silent", code: "extension.not_ready", says: "sent nothing for 1 s", retryable: true),
        Case(
            how: "exit",
            code: "extension.crashed",
            says: "ended unexpectedly before it was ready (exited with status 3)",
            retryable: true
        ),
        Case(how: "version", code: "extension.bad_protocol", says: "uses version 99"),
        Case(how: "otherapp", code: "extension.bad_protocol", says: "somebody.else"),
        Case(how: "garbage", code: "extension.garbage", says: "a kind that does not exist"),
        Case(how: "badjson", code: "extension.garbage", says: "`hello`"),
        Case(how: "memory", code: "extension.over_memory", says: "; 6 MB are allowed"),
        Case(how: "early", code: "extension.bad_protocol", says: "before it sent `hello`"),
    ]

    @Test("An extension that misbehaves at its start is ended with the reason", arguments: starts)
    func start(_ expected: Case) async throws {
        let desk = try Desk { $0.startTimeout = .seconds(expected.how == "silent" ? 1 : 10) }
        let outcome = try await desk.call("ok", desk.spec(start: expected.how))

        check(outcome, expected)
        // The kernel's own limit applies if measuring is too late.
        #expect(outcome.peakBytes < 600 << 20)
        // With so little time for its start, it may be late itself.
        if expected.how != "silent" { #expect(try await desk.call("ok").problem == nil) }
        if expected.how == "exit" {
            #expect(outcome.lastLines.contains { $0.text == "no luck today" && $0.source == .error })
        }
        await desk.stop()
    }

    static let calls: [Case] = [
        Case(how: "crash", code: "extension.crashed", says: "ended by SIGABRT", retryable: true),
        Case(how: "exit", code: "extension.crashed", says: "exited with status 7", retryable: true),
        Case(how: "hang", code: "extension.timed_out", says: "did not return within 3 s", retryable: true),
        Case(how: "unsettled", code: "extension.timed_out", says: "work that it started", retryable: true),
        Case(how: "garbage", code: "extension.garbage", says: "this host cannot read"),
        Case(how: "badjson", code: "extension.garbage", says: "`returned`"),
        Case(how: "twice", code: "extension.bad_protocol", says: "`hello` out of turn"),
        Case(how: "settled-first", code: "extension.bad_protocol", says: "has not returned"),
        Case(how: "other-call", code: "extension.bad_protocol", says: "not under way"),
        Case(how: "output", code: "extension.over_output", says: "more than 256 KiB"),
        Case(how: "hold20", code: "extension.over_memory", says: "; 6 MB are allowed"),
        Case(how: "spike20", code: "extension.over_memory", says: "; 6 MB are allowed"),
    ]

    @Test(
        "An extension that misbehaves in a call is ended with the reason, and the next call is served",
        arguments: calls
    )
    func call(_ expected: Case) async throws {
        let desk = try Desk { $0.callTimeout = .seconds(expected.code == "extension.timed_out" ? 3 : 20) }
        let outcome = try await desk.call(expected.how, id: "1")
        let next = try await desk.call("note", id: "2")

        check(outcome, expected)
        #expect(next.problem == nil)
        #expect(next.isCold)
        #expect(desk.lines.contains { $0.source == .host && $0.delivery == "1" })
        if expected.how == "crash" {
            #expect(
                outcome.lastLines.contains { $0.text == "about to fall" },
                "\(outcome.lastLines.map(\.text))"
            )
        }
        if expected.code == "extension.over_memory" {
            #expect(outcome.peakBytes > 6 << 20)
            #expect(outcome.peakBytes < 30 << 20)
        }
        await desk.stop()
    }

    private func check(_ outcome: ExtensionOutcome, _ expected: Case) {
        #expect(outcome.problem?.code == expected.code)
        #expect(outcome.problem?.message.contains(expected.says) == true, "\(outcome.problem?.message ?? "")")
        #expect(outcome.problem?.retryable == expected.retryable)
    }

    @Test(
        "Memory mapped from files does not count against an extension's limit",
        arguments: ["file20", "small"]
    )
    func allowed(_ how: String) async throws {
        let desk = try Desk()
        let outcome = try await desk.call(how)

        #expect(outcome.problem == nil, "\(outcome.peakBytes)")
        #expect(outcome.peakBytes < 6 << 20)
        await desk.stop()
    }

    @Test("An excess of private memory between two samples is detected after the call")
    func unseen() async throws {
        let desk = try Desk { $0.sampleInterval = .seconds(60) }
        let spike = try await desk.call("spike20", id: "1")
        let file = try await desk.call("file20-short", id: "2")

        #expect(spike.problem?.code == "extension.over_memory")
        #expect(spike.peakBytes > 20 << 20)
        #expect(spike.peakBytes < 30 << 20)
        #expect(file.problem == nil, "\(file.peakBytes)")
        await desk.stop()
    }

    @Test("A missing program of an extension and one that cannot be executed are refused with separate codes")
    func programs() async throws {
        let desk = try Desk()
        try desk.scratch.write("text", to: "not-executable", mode: 0o600)
        try desk.scratch.write("text", to: "no-program", mode: 0o700)
        let missing = try await desk.call("ok", desk.spec(executable: desk.scratch.file("missing")))
        let closed = try await desk.call("ok", desk.spec(executable: desk.scratch.file("not-executable")))
        let text = try await desk.call("ok", desk.spec(executable: desk.scratch.file("no-program")))

        #expect(missing.problem?.code == "extension.missing")
        #expect(closed.problem?.code == "extension.not_executable")
        #expect(closed.problem?.help?.hasPrefix("chmod +x") == true)
        #expect(text.problem?.code == "extension.not_executable")
        #expect([missing, closed, text].allSatisfy { $0.problem?.retryable == false })
        #expect(try await desk.call("ok").problem == nil)
        await desk.stop()
    }

    @Test("Another process cannot speak for an extension, and its attempt is logged")
    func pretender() async throws {
        let desk = try Desk()
        let outcome = try await desk.call("note", desk.spec(start: "pretended"))

        #expect(outcome.problem == nil)
        #expect(desk.texts.contains { $0.contains("It tried to open a socket of another program") })
        await desk.stop()
    }

    @Test("A child process that an extension leaves behind is ended with the extension")
    func child() async throws {
        let desk = try Desk { $0.keepWarm = .milliseconds(50) }
        let outcome = try await desk.call("fork")
        try await eventually { if desk.leftBehind.isEmpty { throw NotYet("\(desk.texts)") } }
        let pid = try #require(desk.leftBehind.first)

        #expect(outcome.problem == nil)
        try await eventually { if Desk.exists(pid) { throw NotYet("\(pid) is there") } }
        await desk.stop()
    }

    @Test("Requests of an extension after its call are refused")
    func late() async throws {
        let desk = try Desk()
        let outcome = try await desk.call("ask-late")
        try await eventually {
            if !desk.texts.contains(where: { $0.contains("extension.no_call") }) {
                throw NotYet("\(desk.texts)")
            }
        }

        #expect(outcome.problem == nil)
        #expect(desk.requests.isEmpty)
        await desk.stop()
    }

    @Test("A hanging call is interrupted when its host stops")
    func stop() async throws {
        let desk = try Desk()
        async let outcome = desk.call("hang")
        try await eventually { if try desk.endpoints() == 0 { throw NotYet("not started") } }
        await desk.host.stop()

        #expect(try await outcome.problem?.code == "extension.interrupted")
        #expect(try desk.endpoints() == 0)
        await desk.stop()
    }
}

extension Desk {
    func endpoints() throws -> Int {
        try DirectoryTree.names(in: scratch.directories.run + "/extensions").count
    }
}
