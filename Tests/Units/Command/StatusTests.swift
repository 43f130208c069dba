import STCommandCore
import STContracts
import STPlatform
import Testing

@Suite("status")
struct StatusTests {
    private let directories = Directories(run: "/run/x", state: "/state/x", config: "/config/x")
    private let plain = Terminal(isTerminal: false, isColoured: false, columns: 120)

    @Test("`status` prints conditions first, followed by the start time and the demo mark")
    func headline() throws {
        let lines = lines(of: try view(source: "none"))

        #expect(lines[0].hasPrefix("Screen Time cannot see anything on this screen. "))
        #expect(lines[1].hasPrefix("notifier: It died. It last ended by SIGKILL."))
        #expect(lines[2].contains("→ Its log: /state/x/logs/notifier.log"))
        #expect(lines[3].contains("running since 2026-11-2"))
        #expect(lines[3].contains("DEMO"))
    }

    @Test("`status` prints how a failed service ended and where its log is")
    func failure() throws {
        let text = lines(of: try view(source: "scripted")).joined(separator: "\n")

        #expect(text.contains("backing off"))
        #expect(text.contains("ended by SIGKILL"))
        #expect(text.contains("/state/x/logs/notifier.log"))
    }

    @Test("`status` prints how many events a subscriber is behind")
    func lag() throws {
        let text = lines(of: try view(source: "scripted")).joined(separator: "\n")

        #expect(text.contains("usage of activity-center"))
        #expect(text.split(separator: "\n").contains { $0.contains("report-service") && $0.contains(" 8 ") })
    }

    @Test("`status` prints that a passcode was reset or locked, but not that it was set")
    func notices() throws {
        var told = try view(source: "none")
        told.notices = [NoticeKind.passcodeSet, .passcodeReset, .passcodeLocked].map {
            AuthorizationNotice(
                id: $0.rawValue,
                at: "2026-11-20T17:00:00.000Z",
                kind: $0,
                member: "kid",
                text: Message(verbatim: "This is \($0.rawValue).")
            )
        }

        let text = lines(of: told).joined(separator: "\n")

        #expect(text.contains("This is passcode_reset.") && text.contains("This is passcode_locked."))
        #expect(!text.contains("passcode_set."))
    }

    @Test("`status --json` has the demo, running and observed values and all services")
    func json() throws {
        let view = try view(source: "none")
        let conditions = view.conditions(directories, now: now)
        let value = try StatusJSON.value(view, conditions: conditions, directories: directories)

        #expect(value["demo"] == true)
        #expect(value["running"] == true)
        #expect(value["observed"] == false)
        guard case .array(let services) = value["services"] else {
            Issue.record("no services")
            return
        }
        #expect(services.count == ServiceName.all.count)
    }

    @Test("The supervisor file is decoded, and an incomplete file is rejected")
    func file() throws {
        let file = try #require(try? SupervisorFile.decodedBody(Array(supervisor.utf8)))

        #expect(file.isDemo)
        #expect(file.service("notifier")?.lastExit?.english == "ended by SIGKILL")
        #expect((try? SupervisorFile.decodedBody(Array("{\"pid\":".utf8))) == nil)
    }

    @Test("Conditions are sorted by severity, begin after their delay, and are empty without problems")
    func conditions() throws {
        func codes(_ view: SystemView, at now: WallTime) -> [ConditionCode] {
            view.conditions(directories, now: now).map(\.code)
        }
        var found = try view(source: "none")
        #expect(codes(found, at: now) == [.desktopUnobserved, .serviceSilent])
        found.losses = [HistoryLine(.lost)]
        found.notifications = NotifyDesktop(state: .absent)
        found.uncertain = 2
        found.link = LinkShow.Reply(state: .joined, heardAt: "2026-11-20T09:00:00.000Z")
        let heard = WallTime(ms: try #require(RFC3339.wallMs("2026-11-20T09:00:00.000Z")))
        let all: [ConditionCode] = [
            .recordsMissing, .desktopUnobserved, .notificationsHidden, .notificationsUncertain,
            .householdUnreachable, .serviceSilent,
        ]
        #expect(codes(found, at: heard + .milliseconds(60_000)) == all)
        #expect(codes(found, at: heard + .milliseconds(59_999)) == all.filter { $0 != .householdUnreachable })

        var starting = try view(source: "x11")
        starting.supervisor?.services[1].state = "starting"
        #expect(codes(starting, at: heard + .milliseconds(9_999)).isEmpty)
        #expect(codes(starting, at: heard + .milliseconds(10_000)) == [.serviceSilent])
        starting.reports[.notifier] = starting.reports[.auth]
        #expect(codes(starting, at: heard + .milliseconds(10_000)).isEmpty)

        let nothing = SystemView(supervisor: nil, reports: [:], desktop: nil)
        #expect(codes(nothing, at: now) == [.notRunning])
    }

    @Test("Each condition has its own title of several words without a full stop")
    func titles() {
        let titles = ConditionCode.allCases.map(\.title.english)
        #expect(Set(titles).count == titles.count)
        #expect(titles.allSatisfy { $0.contains(" ") && !$0.hasSuffix(".") })
    }

    private let now = WallTime(ms: RFC3339.wallMs("2026-11-20T10:00:00.000Z") ?? 0)

    private func lines(of view: SystemView) -> [String] {
        StatusText.lines(view, conditions: view.conditions(directories, now: now), terminal: plain)
    }

    private let supervisor = """
        { "pid": 1, "started_at": "2026-11-20T09:00:00.000Z", "demo": true, "services": [
            { "name": "activity-center", "state": "ready", "pid": 5, "restarts": 0 },
            { "name": "notifier", "state": "backing_off", "restarts": 3, "last_exit": "ended by SIGKILL", "failure": "it died" }
        ] }
        """

    private func view(source: String) throws -> SystemView {
        var reports: [ServiceName: Result<HealthReport.Reply, Problem>] = [:]
        for service in ServiceName.all { reports[service] = .success(report(service)) }
        reports[.notifier] = .failure(Problem("service.not_running", "notifier is not running."))
        return SystemView(
            supervisor: try? SupervisorFile.decodedBody(Array(supervisor.utf8)),
            reports: reports,
            desktop: .success(
                .init(source: source, reason: Message(verbatim: "no display"), seen: 3, waiting: 0)
            )
        )
    }

    private func report(_ service: ServiceName) -> HealthReport.Reply {
        HealthReport.Reply(
            service: service.rawValue,
            pid: 5,
            version: "0.5.0",
            uptimeMs: 3_600_000,
            state: "ready",
            pssKib: 6_000,
            databaseBytes: 40_960,
            streams: service == .activity ? [.init(stream: "usage", epoch: "e", sequence: 50)] : [],
            cursors: service == .report
                ? [
                    .init(
                        source: "activity-center",
                        stream: "usage",
                        sequence: 42,
                        headSeen: 42,
                        state: "live"
                    )
                ] : [],
            counters: [:],
            routes: []
        )
    }
}
