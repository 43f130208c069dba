import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ReportSuite {
    @Suite("Reports that cannot be made")
    struct TroubleTests {
        private struct Case {
            var context: String
            var code: String
            var says: String
        }

        private static let cases: [Case] = [
            Case(context: "nothing", code: "report.empty", says: "is empty"),
            Case(context: "nowhere", code: "report.unknown_context", says: "Its reports: total, nothing"),
            Case(context: "totl", code: "report.unknown_context", says: "Did you mean “total”?"),
            Case(context: "greedy", code: "extension.over_memory", says: "100 MB are allowed"),
            Case(context: "crash", code: "extension.crashed", says: "ended with SIGABRT"),
            Case(context: "exit", code: "extension.crashed", says: "exit 3"),
            Case(context: "huge", code: "extension.too_large", says: "the limit is 1 MiB"),
            Case(context: "long", code: "page.text", says: ""),
            Case(context: "deep", code: "page.nodes", says: ""),
            Case(context: "wide", code: "page.nodes", says: ""),
            Case(context: "garbage", code: "extension.garbage", says: "not a report"),
        ]

        @Test(
            "A report that cannot be made is explained by a code, a sentence and the app's log"
        )
        func refused() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_REPORT_MS": "30000"]) {
                world in
                try await world.install()
                for expected in Self.cases {
                    let problem = try await world.problem(expected.context)
                    #expect(problem.code == expected.code, "\(expected.context): \(problem)")
                    #expect(problem.message.contains(expected.says), "\(expected.context): \(problem)")
                }
                for line in [
                    "is empty", "offers no report “nowhere”", "of private memory",
                    "SIGABRT", "the report falls", "exited with status 3", "KiB; 1024 KiB are allowed",
                    "is not a report",
                ] {
                    try await world.logged(line)
                }
                // The next report is made.
                #expect(try await world.text("warm").hasPrefix("pid "))
            }
        }

        @Test("A report that takes too long is ended at its time limit, and the next one is made")
        func endless() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_REPORT_MS": "1000"]) { world in
                try await world.install()
                let startMs = Stopwatch.milliseconds()
                let problem = try await world.problem("endless")
                #expect(Stopwatch.milliseconds() - startMs < 20_000)
                #expect(problem.code == "extension.timed_out", "\(problem)")
                #expect(problem.message.contains("was not created within 1 s"), "\(problem)")
                #expect(problem.help == "screentime app log \(ReportWorld.app)")
                try await world.logged("did not return within 1 s")
                try await eventually("the next report is made") { _ = try await world.text("warm") }
            }
        }

        @Test(
            "A report of an app that is missing, has no report extension or is not allowed has its own reason"
        )
        func absent() async throws {
            try await ReportWorld.run { world in
                try await world.install()
                #expect(
                    try await world.problem("total", app: "org.example.reprt").code == "app.not_installed"
                )
                let without = ReportWorld.manifest("without", extensions: false)
                try await world.install("without", manifest: without)
                let none = try await world.problem("total", app: "without")
                #expect(none.code == "app.no_report", "\(none)")
                #expect(none.message.contains(ExtensionPoint.report.rawValue))
                try await world.logged("without", "has no report extension")
                _ = try await world.system.client.call(
                    AppInstall.self,
                    .init(bundle: try world.bundle("unasked"), programs: try ReportWorld.programs())
                )
                try await world.heard()
                let unasked = try await world.problem("total", app: "unasked")
                #expect(unasked.code == "auth.unauthorized", "\(unasked)")
                #expect(unasked.help?.contains("app access unasked on") == true)
                try await world.logged("unasked", "has not allowed unasked")
                // Another member of the household has not allowed it either.
                _ = try await world.system.client.call(
                    MemberAdd.self,
                    Member(name: "lee", role: .child)
                )
                #expect(try await world.problem("total", member: "lee").code == "auth.unauthorized")
                #expect(try await world.problem("total", member: "unknown").code == "member.not_found")
            }
        }

        @Test(
            "A report whose permission is revoked while it is made is refused, and kept reports are withdrawn"
        )
        func revoked() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_REPORT_MS": "30000"]) {
                world in
                try await world.install()
                let kept = try await world.render("markup")
                async let asked = world.problem("waits")
                try await world.logged("waiting")
                _ = try await world.system.client.call(AuthRevoke.self, .init(app: ReportWorld.app))
                try world.system.scratch.write("", to: "state/report-may-end")
                #expect(try await asked.code == "auth.unauthorized")
                #expect(try await world.piece(kept.report, 0).code == "auth.unauthorized")
                #expect(try await world.piece(kept.report, 0).code == "report.gone")
                #expect(try await world.problem("markup").code == "auth.unauthorized")
            }
        }

        @Test("A report about several people is withdrawn when one of them revokes the permission")
        func othersRevoked() async throws {
            try await ReportWorld.run { world in
                try await world.install()
                _ = try await world.system.client.call(MemberAdd.self, Member(name: "lee", role: .child))
                try await world.install(member: "lee", scope: .child)
                let wallMs = SystemTimeSource().now().wallMs
                let all = ReportFilter(
                    segment: .day,
                    fromWallMs: wallMs - 86_400_000,
                    toWallMs: wallMs,
                    users: .all,
                    applications: [],
                    categories: [],
                    webDomains: []
                )
                let kept = try await world.render("markup", filter: all)
                let own = try await world.render("markup")
                _ = try await world.page(kept)
                let switched = try await world.system.client.call(
                    AuthSwitch.self,
                    .init(
                        app: ReportWorld.app,
                        member: "lee",
                        access: false,
                        by: "guardian",
                        passcode: world.system.passcode(of: "guardian")
                    )
                )
                #expect(switched.refusal == nil)
                #expect(try await world.piece(kept.report, 0).code == "auth.unauthorized")
                #expect(try await world.piece(kept.report, 0).code == "report.gone")
                _ = try await world.page(own)
            }
        }

        @Test("A report made from usage that was deleted later is removed")
        func forgotten() async throws {
            try await ReportWorld.run { world in
                try await world.install()
                let client = world.system.client
                let member = try #require(
                    try await client.call(MemberList.self, Empty()).members.first { $0.role != .child }
                ).name
                let wallMs = SystemTimeSource().now().wallMs - 3_600_000
                let seen = (0..<3).map { number in
                    Observation(
                        sequence: Int64(number + 1),
                        bootId: "boot",
                        at: TimeReading(
                            wallMs: wallMs + Int64(number) * 60_000,
                            bootMs: Int64(number) * 60_000 + 1,
                            monotonicMs: Int64(number) * 60_000 + 1
                        ),
                        zone: "UTC",
                        member: member,
                        presence: .active,
                        app: "app.\(number)",
                        unbroken: true
                    )
                }
                try await eventually("activity-center has received the members") {
                    _ = try await client.call(
                        UsageObserve.self,
                        .init(agent: "agent", run: "run", observations: seen)
                    )
                }
                try await world.follow(.usage, of: .activity)
                let kept = try await world.render("markup")
                let range = UsageForget.Request(fromWallMs: wallMs - 1_000, toWallMs: wallMs + 90_000)
                #expect(try await client.call(UsageForget.self, range).rows > 0)
                try await eventually("the page is gone") {
                    let code = try await world.piece(kept.report, 0).code
                    if code != "report.gone" { throw NotYet(code) }
                }
                _ = try await eventually("another report is made") { try await world.text("warm") }
            }
        }

        @Test("More than a few simultaneous reports of an app are refused, and another app is served")
        func crowd() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_REPORT_MS": "30000"]) {
                world in
                try await world.install()
                try await world.install("other")
                await withTaskGroup(of: String.self) { group in
                    for _ in 0..<5 {
                        group.addTask {
                            do { return try await world.text("waits") } catch {
                                return (error as? Problem)?.code ?? "\(error)"
                            }
                        }
                    }
                    #expect(await group.next() == "report.busy")
                    let other = try? await world.text("warm", app: "other")
                    #expect(other?.hasPrefix("pid ") == true)
                    #expect(throws: Never.self) {
                        try world.system.scratch.write("", to: "state/report-may-end")
                    }
                    for await text in group { #expect(text != "report.busy") }
                }
            }
        }

        @Test("Invalid contexts, languages and filters of reports are refused before a process starts")
        func bad() async throws {
            try await ReportWorld.run { world in
                try await world.install()
                #expect(try await world.problem("").code == "report.bad_context")
                #expect(try await world.problem("a\u{1B}b").code == "report.bad_context")
                let context = String(repeating: "x", count: 201)
                #expect(try await world.problem(context).code == "report.bad_context")
                #expect(try await world.problem("total", language: "k o").code == "report.bad_language")
                var filter = ReportFilter(
                    segment: .day,
                    fromWallMs: 2_000,
                    toWallMs: 1_000,
                    applications: [],
                    categories: [],
                    webDomains: []
                )
                #expect(try await world.problem("total", filter: filter).code == "report.bad_interval")
                filter.toWallMs = filter.fromWallMs + 100 * 366 * 86_400_000
                #expect(try await world.problem("total", filter: filter).code == "report.too_long")
                filter.toWallMs = filter.fromWallMs + 86_400_000
                filter.models = [.iPhone]
                let device = try await world.problem("total", filter: filter)
                #expect(device.code == "report.no_device", "\(device)")
                #expect(device.message.contains("deviceModel"))
                filter.models = nil
                filter.users = .children
                #expect(try await world.problem("total", filter: filter).code == "report.no_children")
                filter.users = nil
                filter.applications = ["AAAA"]
                #expect(try await world.problem("total", filter: filter).code == "token.unknown")
                #expect(world.processes.isEmpty)
            }
        }

        @Test(
            "A report extension has no network and reads only its own app's data, and its log shows attempts"
        )
        func closedIn() async throws {
            try await ReportWorld.run { world in
                try await world.install()
                // EACCES, ENOSYS for the ring, and EPERM for other processes.
                #expect(
                    try await world.text("net")
                        == "inet 13 inet6 13 netlink 13 unix 0 ring 38 look 1 trace 1 take 1 kill 1 own 0 "
                        + "keys 1 bpf 1 faults 1 rooms 1 shared 1 file 1 segment 1"
                )
                try await world.logged("It tried to open a network socket (IPv4), which was refused")
                try await world.logged("It tried to open a network socket (IPv6), which was refused")
                #expect(try await world.text("other") == "denied")
                try await world.logged("may not call settings.list")
            }
        }
    }
}
