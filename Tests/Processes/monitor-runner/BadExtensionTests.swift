import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension MonitorSuite {
    @Suite("Misbehaving extensions of monitor-runner")
    struct BadExtensionTests {
        private struct Case {
            /// The behaviour at its start, and in the call.
            var start = "well"
            var activity = "note"
            var code: String
            /// A part of the message.
            var says: String
            var figure: String?
            var attempts: Int64 = 1
        }

        private static let cases: [Case] = [
            Case(start: "missing", code: "extension.missing", says: "does not exist"),
            Case(start: "closed", code: "extension.not_executable", says: "not permitted to run"),
            Case(start: "text", code: "extension.not_executable", says: "not a program for this machine"),
            Case(start: "version", code: "extension.bad_protocol", says: "uses version 99"),
            Case(start: "otherapp", code: "extension.bad_protocol", says: "identifies itself as"),
            Case(start: "garbage", code: "extension.garbage", says: "this host cannot read"),
            Case(activity: "garbage", code: "extension.garbage", says: "this host cannot read"),
            Case(activity: "twice", code: "extension.bad_protocol", says: "out of turn"),
            Case(activity: "output", code: "extension.over_output", says: "more than 256 KiB"),
            Case(activity: "hold20", code: "extension.over_memory", says: "6 MB are allowed"),
            Case(activity: "spike20", code: "extension.over_memory", says: "6 MB are allowed"),
            Case(
                activity: "crash",
                code: "extension.crashed",
                says: "ended unexpectedly during the callback (ended by SIGABRT)",
                figure: "SIGABRT",
                attempts: 3
            ),
        ]

        @Test(
            "Callbacks of a faulty extension are parked with the reason, and the app's next callback is served"
        )
        func parked() async throws {
            try await MonitorWorld.run { world in
                try world.system.scratch.write("text", to: "monitor.closed", mode: 0o600)
                try world.system.scratch.write("text", to: "monitor.text", mode: 0o700)
                for (index, bad) in Self.cases.enumerated() {
                    let isThere = bad.start != "missing"
                    let path = world.system.scratch.file("monitor.\(bad.start)")
                    try await world.allow("app-\(index)", isThere ? try world.program(bad.start) : path)
                    try await world.happen([("app-\(index)", bad.activity), ("app-\(index)", "note")])
                }
                let all = try await world.finished(Self.cases.count * 2)

                for (index, bad) in Self.cases.enumerated() {
                    let own = all.filter { $0.app == "app-\(index)" }
                    try #require(own.count == 2)
                    Self.check(own[0], bad)
                    // A fault at the start also affects the next call, which is tried anyway.
                    let isWrongFromStart = bad.start != "well"
                    #expect(own[1].state == (isWrongFromStart ? .parked : .done), "\(own[1])")
                    #expect(own[1].reason == (isWrongFromStart ? bad.code : nil))
                    let told = try await world.log("app-\(index)").filter { $0.source == "host" }
                    #expect(
                        bad.code.contains("_executable") || bad.code == "extension.missing" || !told.isEmpty
                    )
                }
            }
        }

        @Test("A hanging callback is tried three times, then parked, and delays only its own app")
        func hang() async throws {
            try await MonitorWorld.run(environment: ["SCREENTIME_MONITOR_RUNNER_CALL_MS": "2000"]) { world in
                for app in ["hangs", "other"] { try await world.allow(app, try world.program()) }
                try await world.happen([("hangs", "hang"), ("hangs", "note"), ("other", "note")])
                let other = try await world.finished(1, app: "other")
                #expect(other.first?.state == .done)
                #expect(try await world.deliveries(app: "hangs").map(\.state).contains(.done) == false)
                let own = try await world.finished(2, app: "hangs")

                Self.check(
                    own[0],
                    Case(
                        activity: "hang",
                        code: "extension.timed_out",
                        says: "did not return within 2 s",
                        figure: "2 s",
                        attempts: 3
                    )
                )
                #expect(own[1].state == .done, "\(own[1])")
            }
        }

        private static func check(_ view: DeliveryView, _ bad: Case) {
            #expect(view.state == .parked)
            #expect(view.reason == bad.code, "\(view)")
            #expect(view.message?.english.contains(bad.says) == true, "\(view)")
            #expect(view.attempt == bad.attempts, "\(view)")
            if let figure = bad.figure { #expect(view.figure == figure) }
            if bad.code == "extension.over_memory" {
                #expect(view.figure?.hasSuffix(" MB of 6 MB") == true)
                #expect((view.privateKib ?? 0) > 6 * 1024)
            }
            if bad.activity == "crash" {
                #expect(view.lastOutput.contains("about to fall"))
            }
        }

        @Test(
            "An extension cannot open sockets of services or networks, and its app's log reports each attempt"
        )
        func sockets() async throws {
            try await MonitorWorld.run { world in
                try await world.allow("curious", try world.program())
                try await world.happen([("curious", "sockets"), ("curious", "ask")])
                // Requests through its host are answered.
                #expect(try await world.finished(2).allSatisfy { $0.state == .done })
                let lines = try await eventually {
                    let lines = try await world.log("curious").map(\.text)
                    guard lines.contains(where: { $0.hasPrefix("families") }) else {
                        throw NotYet("\(lines)")
                    }
                    return lines
                }
                #expect(lines.contains("families 13 13 13 13 services 13 13 13 13"), "\(lines)")
                #expect(
                    lines.contains {
                        $0.hasPrefix("It tried to open a network socket (IPv4), which was refused")
                    }
                )
                #expect(
                    lines.contains {
                        $0.hasPrefix("It tried to open a socket of another program (")
                            && $0.contains("/auth-service/rpc), which was refused")
                    },
                    "\(lines)"
                )
            }
        }

        @Test("Children that an extension leaves in other sessions are ended with the extension")
        func orphans() async throws {
            try await MonitorWorld.run(environment: ["SCREENTIME_MONITOR_RUNNER_KEEP_WARM_MS": "200"]) {
                world in
                try await world.allow("forks", try world.program())
                try await world.happen([("forks", "fork"), ("forks", "setsid"), ("forks", "daemon")])
                let all = try await world.finished(3)
                #expect(all.allSatisfy { $0.state == .done })
                let pids = try await eventually {
                    let pids = try await world.log("forks").compactMap { line in
                        line.text.hasPrefix("left behind ") ? Int32(line.text.dropFirst(12)) : nil
                    }
                    guard pids.count == 3 else { throw NotYet("\(pids)") }
                    return pids
                }
                try await eventually {
                    for pid in pids where kill(pid, 0) == 0 { throw NotYet("\(pid) is there") }
                }
            }
        }

        @Test("An extension that ignores SIGTERM or is impersonated does not affect other callbacks")
        func others() async throws {
            try await MonitorWorld.run(environment: ["SCREENTIME_MONITOR_RUNNER_KEEP_WARM_MS": "100"]) {
                world in
                try await world.allow("deaf", try world.program("deaf"))
                try await world.allow("pretended", try world.program("pretended"))
                try await world.happen([("deaf", "note"), ("pretended", "note")])
                #expect(try await world.finished(2).allSatisfy { $0.state == .done })
                try await eventually {
                    let deaf = try await world.log("deaf").map(\.text)
                    if !deaf.contains("It ignored SIGTERM and was killed.") { throw NotYet("\(deaf)") }
                    let pretended = try await world.log("pretended").map(\.text)
                    // Only a process that the host started is traced to it.
                    if !pretended.contains(where: { $0.hasPrefix("It tried to open a socket of another") }) {
                        throw NotYet("\(pretended)")
                    }
                }
                try await world.happen([("deaf", "note"), ("pretended", "note")])
                #expect(try await world.finished(4).allSatisfy { $0.state == .done && $0.attempt == 1 })
            }
        }

        @Test(
            "Callbacks of an app without permission or extension are parked until it is allowed and they are retried"
        )
        func notAllowed() async throws {
            try await MonitorWorld.run { world in
                try await world.allow("denied", try world.program(), status: .denied)
                try await world.allow("none", nil)
                try await world.happen([("unknown", "note"), ("denied", "note"), ("none", "note")])
                let all = try await world.finished(3)
                #expect(all.map(\.reason) == ["app.not_installed", "auth.not_approved", "app.no_monitor"])
                #expect(all.allSatisfy { $0.state == .parked && $0.attempt == 0 })

                try await world.allow("denied", try world.program())
                _ = try await world.system.client.call(MonitorRetry.self, .init(delivery: "D2"))
                try await eventually {
                    let view = try await world.deliveries(app: "denied").first
                    if view?.state != .done { throw NotYet("\(String(describing: view))") }
                }
            }
        }

        @Test("Callbacks are not parked while auth-service's event has not arrived yet")
        func late() async throws {
            try await MonitorWorld.run { world in
                try await world.allow("late", try world.program(), isLate: true)
                try await world.happen([("late", "note")])
                try await eventually {
                    let view = try await world.deliveries().first
                    guard view?.state == .queued else { throw NotYet("\(String(describing: view))") }
                }
                try await world.allow("late", try world.program())

                #expect(try await world.finished(1).map(\.state) == [.done])
            }
        }
    }
}
