import Glibc
import STDBus
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Counting notifications")
struct NotificationCountTests {
    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private func run(
        rules: String = "",
        _ body: (SessionBench, DBusConnection, DBusPair) async throws -> Void
    )
        async throws
    {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch, rules: rules)
        defer { buses.stop() }
        let daemon = try DBusConnection(address: buses.session.address)
        try await daemon.serve(path: Self.path) { call in
            call.member == "Notify"
                ? .success([.uint32(1)]) : .failure(Problem("test.unknown", verbatim: call.member))
        }
        try await daemon.requestName(Self.name, withinMs: 20_000)
        let app = try DBusConnection(address: buses.session.address)
        let bench = try SessionBench(scratch, buses.environment)
        await bench.watch.start()
        do {
            try await body(bench, app, buses)
        } catch {
            await bench.stop()
            app.close()
            daemon.close()
            throw error
        }
        await bench.stop()
        app.close()
        daemon.close()
    }

    private func notify(
        _ app: DBusConnection,
        name: String,
        replaces: UInt32 = 0,
        hints: [(key: String, value: DBusValue)] = []
    ) async throws {
        let arguments: [DBusValue] = [
            .string(name), .uint32(replaces), .string("icon"), .string("Summary"), .string("Body"),
            .strings(["default", "Open"]),
            .dictionary(value: "v", hints.map { (key: $0.key, value: .variant($0.value)) }), .int32(-1),
        ]
        _ = try await app.call(
            .init(Self.name, path: Self.path, interface: Self.name, member: "Notify", arguments: arguments),
            withinMs: 20_000
        )
    }

    private func counts(_ bench: SessionBench, _ wanted: [NotificationSource: Int]) async throws {
        try await eventually("\(wanted)") {
            guard bench.notified == wanted else { throw NotYet("\(bench.notified)") }
        }
    }

    @Test("Notifications are counted by app, except replacements and those of Screen Time")
    func counted() async throws {
        try await run { bench, app, _ in
            try await notify(
                app,
                name: "Chat",
                hints: [("desktop-entry", .string("org.example.chat.desktop"))]
            )
            let picture = DBusValue.structure([
                .int32(64), .int32(64), .array(element: "y", .init(repeating: .byte(7), count: 16_384)),
            ])
            try await notify(
                app,
                name: "Chat",
                hints: [
                    ("image-data", picture), ("urgency", .byte(1)),
                    ("desktop-entry", .string("org.example.chat")),
                ]
            )
            try await notify(app, name: "Mail\u{1b}[2J")
            try await notify(app, name: "Mail\u{1b}[2J", replaces: 1)
            try await notify(app, name: "Screen Time", hints: [("x-screentime-id", .string("a"))])
            try await notify(app, name: "", hints: [("desktop-entry", .int32(7))])
            try await notify(app, name: "Path", hints: [("desktop-entry", .string("/etc/passwd"))])
            try await counts(
                bench,
                [
                    .desktopEntry("org.example.chat"): 2, .named("Mail·[2J"): 1, .process(getpid()): 1,
                    .named("Path"): 1,
                ]
            )
            #expect(await bench.watch.facts().notifications == .counted)
        }
    }

    @Test("A notification sent by gdbus is counted", .enabled(if: access("/usr/bin/gdbus", X_OK) == 0))
    func otherProgram() async throws {
        try await run { bench, _, buses in
            let sender = try SpawnedProcess(
                SpawnPlan(
                    executable: "/usr/bin/gdbus",
                    arguments: [
                        "call", "--session", "--dest", Self.name, "--object-path", Self.path, "--method",
                        "\(Self.name).Notify", "Clock", "uint32 0", "", "Ring", "", "@as []", "@a{sv} {}",
                        "int32 5000",
                    ],
                    environment: buses.environment
                )
            )
            #expect(sender.wait(deadlineMs: 20_000) == .exited(0))
            try await counts(bench, [.named("Clock"): 1])
        }
    }

    @Test("Malformed notifications are not counted, and counting continues")
    func malformed() async throws {
        try await run { bench, app, _ in
            for arguments: [DBusValue] in [
                [], [.string("x")], [.uint32(1)], [.string("x"), .uint32(0)],
                .init(repeating: .string("x"), count: 8),
                [.string(String(repeating: "x", count: 1 << 20)), .uint32(0)],
            ] {
                _ = try await app.call(
                    .init(
                        Self.name,
                        path: Self.path,
                        interface: Self.name,
                        member: "Notify",
                        arguments: arguments
                    ),
                    withinMs: 20_000
                )
            }
            try await notify(app, name: String(repeating: "n", count: 100_000))
            try await notify(app, name: "Good")
            try await counts(bench, [.named("Good"): 1])
            let facts = await bench.watch.facts()
            #expect(facts.notifications == .counted && facts.sessionBusProblem == nil)
            try await notify(app, name: "Good")
            try await counts(bench, [.named("Good"): 2])
            #expect(bench.notified.count == 1)
        }
    }

    @Test("All of 1,000 notifications are counted, with at most 257 apps in one event")
    func flood() async throws {
        try await run { bench, app, _ in
            for number in 0..<1_000 {
                try await notify(app, name: number.isMultiple(of: 2) ? "Loud" : "App \(number)")
            }
            try await eventually("all of them") {
                let sum = bench.notified.values.reduce(0, +)
                guard sum == 1_000 else { throw NotYet("\(sum)") }
            }
            #expect(bench.notified[.named("Loud")] == 500)
            let events = bench.heard.filter { if case .notified = $0 { true } else { false } }
            for case .notified(let counts, _) in events { #expect(counts.count <= 257) }
            print("1000 notifications came in \(events.count) events")
        }
    }

    @Test("If the bus refuses monitoring, notifications are reported as not counted, and the session works")
    func refused() async throws {
        let deny =
            "<deny send_destination=\"org.freedesktop.DBus\" send_interface=\"org.freedesktop.DBus.Monitoring\"/>"
        try await run(rules: deny) { bench, app, _ in
            guard case .notKnown(let why) = await bench.watch.facts().notifications else {
                Issue.record("they are counted")
                return
            }
            let start = "The session bus does not let Screen Time count notifications: "
            #expect(why.english.hasPrefix(start))
            try await notify(app, name: "Chat")
            #expect(bench.notified.isEmpty)
            #expect(await bench.watch.facts().sessionBusProblem == nil)
            #expect(bench.heard.contains(.notifications(.notKnown(why))))
        }
    }
}
