import STContracts
import STExtensions
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("Calling an extension")
struct CallTests {
    @Test("An extension is started once and receives one call at a time, in order")
    func order() async throws {
        let desk = try Desk { $0.keepWarm = .seconds(60) }
        let first = try await desk.call("note", id: "1")
        async let second = desk.call("note", id: "2")
        async let third = desk.call("note", id: "3", attempt: 2)
        let later = try await [second, third]

        #expect(first.problem == nil)
        #expect(first.isCold)
        #expect(later.map(\.isCold) == [false, false])
        #expect(ScratchDirectory.text(desk.notes).split(separator: "\n").first == "1 1")
        #expect(ScratchDirectory.text(desk.notes).contains("3 2\n"))
        #expect(desk.texts == [])
        await desk.stop()
    }

    @Test("The outcome of a call contains its memory use and each line that the extension wrote")
    func output() async throws {
        let desk = try Desk()
        let outcome = try await desk.call("log", id: "7", attempt: 3)

        #expect(outcome.problem == nil)
        #expect(outcome.peakBytes > 0)
        #expect(outcome.peakBytes < 6 << 20)
        let lines = desk.lines
        #expect(lines.allSatisfy { $0.delivery == "7" && $0.attempt == 3 && $0.wallMs == 1_000 })
        #expect(lines.filter { $0.source == .output }.map(\.text) == ["a printed line", "unfinished"])
        #expect(lines.filter { $0.source == .error }.map(\.text) == ["an error line"])
        let log = try #require(lines.first { $0.source == .log })
        #expect(log.level == "notice" && log.category == "own:test" && log.text == "a log line")
        #expect(outcome.lastLines.count == lines.count)
        await desk.stop()
    }

    @Test("A call whose caller has stopped waiting is not begun, and the next call is")
    func abandoned() async throws {
        let desk = try Desk { $0.keepWarm = .seconds(60) }
        let soon = Stopwatch.bootMilliseconds() + 50
        async let slow = desk.call("async", id: "1")
        async let late = desk.call("note", id: "2", startByBootMs: Stopwatch.bootMilliseconds())
        let after = try await desk.call("note", id: "3", startByBootMs: soon + 60_000)

        #expect(try await slow.problem == nil)
        #expect(try await late.problem?.code == "extension.abandoned")
        #expect(after.problem == nil)
        #expect(ScratchDirectory.text(desk.notes) == "3 1\n")
        await desk.stop()
    }

    @Test("A call ends when the work that it started has ended")
    func settled() async throws {
        let desk = try Desk()
        let outcome = try await desk.call("async")

        #expect(outcome.problem == nil)
        #expect(outcome.durationMs >= 100)
        await desk.stop()
    }

    @Test("An extension that ended after its last call is started again for the next call")
    func exitAfter() async throws {
        let desk = try Desk()
        let first = try await desk.call("exit-at-once", id: "1")
        // A call that arrives while it is ending would be lost, and repeated.
        try await eventually { if desk.texts.count < 1 { throw NotYet("\(desk.texts)") } }
        let second = try await desk.call("exit-after", id: "2")
        try await eventually { if desk.texts.count < 2 { throw NotYet("\(desk.texts)") } }
        let third = try await desk.call("ok", id: "3")

        #expect([first, second, third].map(\.problem) == [nil, nil, nil])
        #expect(third.isCold)
        #expect(
            desk.texts.allSatisfy {
                $0.contains("ended unexpectedly between callbacks (exited with status 5)")
            }
        )
        await desk.stop()
    }

    @Test("An unused extension is ended after a while, by SIGKILL if it ignores SIGTERM")
    func keepWarm() async throws {
        let patient = try Desk {
            $0.keepWarm = .milliseconds(20)
            $0.endTimeout = .seconds(20)
        }
        let polite = try await patient.call("note", id: "1")
        try await eventually { try patient.expectNoEndpoint() }
        #expect(patient.texts == [])
        await patient.stop()

        let desk = try Desk {
            $0.keepWarm = .milliseconds(20)
            $0.endTimeout = .milliseconds(20)
        }
        let deaf = try await desk.call("note", id: "2", desk.spec(start: "deaf"))
        try await eventually { try desk.expectNoEndpoint() }
        let after = try await desk.call("note", id: "3")

        #expect([polite, deaf, after].map(\.isCold) == [true, true, true])
        #expect([polite, deaf, after].map(\.problem) == [nil, nil, nil])
        #expect(desk.texts.contains("It ignored SIGTERM and was killed."))
        await desk.stop()
    }

    @Test(
        "Requests of an extension are forwarded in its app's name, with a key that a second attempt repeats"
    )
    func requests() async throws {
        let desk = try Desk(answer: { request in
            guard request.route == "settings.set" else {
                throw Problem("app.unknown", "There is no such app.")
            }
            return Array("{\"version\":1}".utf8)
        })
        for attempt in 1...2 {
            let outcome = try await desk.call("ask", id: "01J", attempt: Int64(attempt))
            #expect(outcome.problem == nil)
        }

        let forwarded = desk.requests
        #expect(forwarded.map(\.route) == ["settings.set", "activity.list", "settings.set", "activity.list"])
        let first = try #require(forwarded.first)
        let body = try JSONValue(text: first.body)
        #expect(body["app"] == "org.example.app")
        #expect(body["member"] == "owner")
        #expect(body["store"] == "main")
        #expect(first.cause == "the-event")
        #expect(first.idempotencyKey.hasPrefix("01J/1/"))
        #expect(forwarded.map(\.idempotencyKey)[0...1] == forwarded.map(\.idempotencyKey)[2...3])
        // Reads have no number.
        #expect(forwarded[1].idempotencyKey.hasPrefix("01J/0/"))
        let answers = desk.lines.filter { $0.attempt == 1 }.map(\.text)
        try #require(answers.count == 3)
        #expect(answers[0].contains("reply {\"v\":1,\"id\":\"q1\",\"ok\":true} {\"version\":1}"))
        #expect(answers[1].contains("access.denied") && answers[1].contains("usage.list"))
        #expect(answers[2].contains("app.unknown"))
        await desk.stop()
    }

    @Test("An extension receives only its own environment variables and file descriptors")
    func environment() async throws {
        let desk = try Desk()
        let script = desk.scratch.file("print-environment")
        try desk.scratch.write(
            "#!/bin/sh\nenv >&2\nls /proc/$$/fd\nexit 1\n",
            to: "print-environment",
            mode: 0o700
        )
        let outcome = try await desk.call("ok", desk.spec(executable: script))

        #expect(outcome.problem?.code == "extension.crashed")
        // Standard input, output and error, the log, and the files that a shell opens for its script. None of this process.
        let descriptors = Set(desk.lines.filter { $0.source == .output }.map(\.text))
        #expect(descriptors.isSuperset(of: ["0", "1", "2", "3"]))
        #expect(descriptors.isSubset(of: ["0", "1", "2", "3", "10", "255"]))
        let names = Set(desk.texts.compactMap { $0.split(separator: "=").first.map(String.init) })
        #expect(names.isSuperset(of: ["SCREENTIME_HOST", "SCREENTIME_APP", "SCREENTIME_MEMBER"]))
        #expect(names.isSuperset(of: ["SCREENTIME_POINT", "SCREENTIME_STATE", "SCREENTIME_LOG_FD", "PATH"]))
        #expect(!names.contains("SCREENTIME_SECRET"))
        await desk.stop()
    }
}

extension Desk {
    func expectNoEndpoint() throws {
        let names = try DirectoryTree.names(in: scratch.directories.run + "/extensions")
        if !names.isEmpty { throw NotYet("\(names)") }
    }
}
