import STContracts
import STExtensions
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization
import Testing

@Suite("Monitors as processes")
struct MonitorTests {
    @Test(
        "Each callback calls its method in order, and its output is complete when it ends"
    )
    func methods() async throws {
        let desk = try MonitorDesk()
        let outcomes = [
            await desk.call("print"),
            await desk.call("a", method: "intervalDidEnd"),
            await desk.call("a", method: "intervalWillStartWarning"),
            await desk.call("a", method: "intervalWillEndWarning"),
            await desk.call("a", method: "eventDidReachThreshold", event: "limit"),
            await desk.call("a", method: "eventWillReachThresholdWarning", event: "limit"),
        ]
        await desk.stop()

        #expect(outcomes.compactMap(\.problem) == [])
        #expect(
            desk.texts == [
                "started print", "ended a", "will start", "will end", "limit of a reached", "limit of a soon",
            ]
        )
        #expect(outcomes.map(\.isCold) == [true] + Array(repeating: false, count: 5))
    }

    @Test(
        "A callback ends when its tasks have ended",
        arguments: [
            ("task.sleep", "slept"), ("task.waits", "resumed"), ("task.chain", "chain done"),
            ("task.fails", "after"),
            ("task.main", "on main true"), ("task.blocks", "unblocked"), ("task.many", "many"),
        ]
    )
    func tasks(_ name: String, _ expected: String) async throws {
        let desk = try MonitorDesk()
        for _ in 0..<3 {
            let before = desk.texts.count
            let outcome = await desk.call(name)
            #expect(outcome.problem == nil)
            #expect(Array(desk.texts.dropFirst(before)) == [expected])
        }
        await desk.stop()
    }

    @Test("A callback that never ends times out, and the next callback is handled")
    func endless() async throws {
        let desk = try MonitorDesk { $0.callTimeout = .seconds(3) }
        let outcome = await desk.call("endless")
        let next = await desk.call("print")
        await desk.stop()

        #expect(outcome.problem?.code == "extension.timed_out")
        #expect(next.problem == nil)
    }

    @Test("A callback receives its delivery id and attempt number")
    func attempt() async throws {
        let desk = try MonitorDesk()
        _ = await desk.call("attempt", id: "D1")
        _ = await desk.call("attempt", id: "D2", attempt: 3)
        await desk.stop()

        #expect(desk.texts == ["D1 1", "D2 3"])
    }

    @Test("Log messages of a monitor reach the host with level and category")
    func log() async throws {
        let desk = try MonitorDesk()
        _ = await desk.call("log")
        await desk.stop()

        #expect(desk.texts == ["for <private> 7"])
        let line = try #require(desk.lines.first)
        #expect("\(line)".contains("error") && "\(line)".contains("monitor"))
    }

    @Test("A call with an unknown method or without an event name fails with a reason")
    func unknown() async throws {
        let desk = try MonitorDesk()
        let outcomes = [
            await desk.call("a", method: "intervalDidPause"),
            await desk.call("a", method: "eventDidReachThreshold"),
        ]
        await desk.stop()

        #expect(outcomes.map { $0.problem?.code } == ["extension.failed", "extension.failed"])
        #expect(
            outcomes.map { $0.problem?.details["code"] } == [
                "extension.unknown_method", "extension.no_event",
            ]
        )
    }

    @Test("A monitor starts and stops monitoring through its host, and a second attempt repeats the keys")
    func center() async throws {
        let desk = try MonitorDesk(answer: { request in
            switch request.route {
            case "activity.list": Array(#"{"activities":[]}"#.utf8)
            case "activity.stop": Array(#"{"stopped":["rearm"]}"#.utf8)
            default: throw Problem("activity.interval_too_short", "It is too short.")
            }
        })
        let first = await desk.call("rearm", attempt: 1)
        let second = await desk.call("rearm", attempt: 2)
        await desk.stop()

        #expect([first, second].map(\.problem) == [nil, nil])
        let writes = desk.requests.filter { $0.route != "activity.list" }
        #expect(
            writes.map(\.route) == ["activity.start", "activity.stop", "activity.start", "activity.stop"]
        )
        #expect(writes.map(\.idempotencyKey)[0...1] == writes.map(\.idempotencyKey)[2...3])
        #expect(desk.texts.contains("refused intervalTooShort"))
        #expect(desk.texts.contains { $0.contains("It is too short.") })
        let body = try JSONValue(text: try #require(writes.first).body)
        #expect(body["schedule"]?["start"]?["hour"] == 8)
        #expect(body["app"]?.string == "org.example.sample")
    }

    @Test("The requests of a task are sent within the task's callback")
    func taskAsks() async throws {
        let desk = try MonitorDesk(answer: { _ in
            try await Task.sleep(for: .milliseconds(50))
            return Array(#"{"activities":[]}"#.utf8)
        })
        let outcome = await desk.call("rearm.async")
        await desk.stop()

        #expect(outcome.problem == nil)
        #expect(desk.requests.count == 1)
        #expect(desk.texts == ["watched 0"])
    }

    @Test("A monitor reads the permission in each callback and cannot request it")
    func permission() async throws {
        let word =
            #"{"app":"a","member":"owner","scope":"individual","access":true,"enforce":true,"generation":0,"status":"#
        let answers = Answers(["approved", "approved", "denied"])
        let desk = try MonitorDesk(answer: { _ in Array((word + "\"\(answers.next())\"}").utf8) })
        _ = await desk.call("status")
        _ = await desk.call("nothing")
        _ = await desk.call("nothing")
        _ = await desk.call("status")
        _ = await desk.call("ask")
        await desk.stop()

        #expect(desk.texts.filter { $0.hasPrefix("status") } == ["status Approved", "status Denied"])
        #expect(desk.texts.contains("error restricted"))
    }

    @Test("A rejected setting appears in the output of a monitor")
    func refused() async throws {
        let desk = try MonitorDesk(answer: { request in
            if request.route == "settings.set" { throw Problem("auth.unauthorized", "It may not.") }
            return SettingsGet.Reply(app: "a", member: "owner", store: "gaming", version: 0, settings: [:])
                .encodedBody()
        })
        let outcome = await desk.call("shield")
        await desk.stop()

        #expect(outcome.problem == nil)
        let line = try #require(desk.lines.first)
        #expect(line.text.contains("shield.applicationCategories was not changed: It may not."))
        #expect("\(line)".contains("fault"))
        #expect(desk.requests.map(\.route) == ["settings.get", "settings.set"])
    }

    @Test("A monitor keeps shared defaults between callbacks")
    func defaults() async throws {
        let desk = try MonitorDesk()
        for _ in 0..<3 { _ = await desk.call("defaults") }
        await desk.stop()

        #expect(desk.texts == ["count 1", "count 2", "count 3"])
    }

    @Test(
        "A monitor uses less than 5 MB of memory",
        arguments: ["print", "rearm", "defaults", "use", "task.chain"]
    )
    func memory(_ name: String) async throws {
        let desk = try MonitorDesk()
        let first = await desk.call(name)
        let second = await desk.call(name)
        await desk.stop()

        #expect(first.problem == nil && second.problem == nil)
        #expect(first.peakBytes < 5 << 20)
    }

    @Test("A monitor introduces itself to its host and ends with it")
    func orphan() async throws {
        let scratch = try ScratchDirectory()
        let loop = try BusLoop()
        let path = scratch.file("host.sock")
        let host = LoneHost(loop)
        try await host.open(path)
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: Program.monitor,
                environment: Program.environment.merging([
                    ExtensionEnvironment.host: "ipc://" + path,
                    ExtensionEnvironment.app: "org.example.sample",
                    ExtensionEnvironment.state: scratch.path,
                ]) { $1 }
            )
        )
        let hello = try await eventually("the extension sends hello") {
            guard let first = await host.messages.first else { throw NotYet("it is silent") }
            return first
        }
        #expect(hello.first == ExtensionProtocol.Kind.hello.frame)
        #expect(try ExtensionHello.decodedBody(hello[1]).app == "org.example.sample")
        #expect(process.reap() == nil)

        await host.close()

        #expect(process.wait(deadlineMs: 10_000) == .exited(0))
        loop.stop()
    }

    @Test("A monitor that is started by hand explains how to install it")
    func byHand() throws {
        let pipe = try DescriptorPipe()
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: Program.monitor,
                environment: Program.environment,
                standardError: pipe.writeEnd.number
            )
        )

        #expect(process.wait(deadlineMs: 20_000) == .exited(64))
        #expect(Program.read(pipe).contains("screentime app install"))
    }
}

/// Returns the answers in order and then repeats the last one.
private final class Answers: Sendable {
    private let left: Mutex<[String]>

    init(_ all: [String]) { left = Mutex(all) }

    func next() -> String { left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
}
