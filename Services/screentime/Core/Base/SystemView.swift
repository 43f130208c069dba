import Glibc
package import STContracts
package import STPlatform

/// The data of `status`: the supervisor's file and each service's reply.
package struct SystemView: Sendable {
    package var supervisor: SupervisorFile?
    package var reports: [ServiceName: Result<HealthReport.Reply, Problem>]
    package var desktop: Result<DesktopStatus.Reply, Problem>?
    /// The missing records that no person has acknowledged yet.
    package var losses: [HistoryLine] = []
    /// The passcode events that this account may see.
    package var notices: [AuthorizationNotice] = []
    /// The program that shows notifications. `nil` if notifier does not report it.
    package var notifications: NotifyDesktop?
    /// The connection of this machine to its household. `nil` if it belongs to no household.
    package var link: LinkShow.Reply?
    /// The number of notifications that may not have been seen.
    package var uncertain: Int64 = 0

    package init(
        supervisor: SupervisorFile?,
        reports: [ServiceName: Result<HealthReport.Reply, Problem>],
        desktop: Result<DesktopStatus.Reply, Problem>?
    ) {
        self.supervisor = supervisor
        self.reports = reports
        self.desktop = desktop
    }

    /// Upper bound on the wait for a reply. A command that shows a list seems to hang after a longer wait.
    static let timeout: Duration = .milliseconds(1_500)

    static func gather(_ clients: ServiceClients) async -> SystemView {
        async let desktop = clients.result(
            DesktopStatus.self,
            .desktop,
            request: Empty(),
            timeout: timeout
        )
        async let notices = clients.result(AuthNotices.self, .auth, request: Empty(), timeout: timeout)
        async let told = clients.result(
            NotifyList.self,
            .notifier,
            request: .init(limit: 1),
            timeout: timeout
        )
        async let history = clients.result(
            HistoryList.self,
            .activity,
            request: .init(limit: 1),
            timeout: timeout
        )
        async let reports = clients.results(HealthReport.self, Empty(), timeout: timeout)
        async let link =
            clients.isWanted(.link)
            ? clients.result(LinkShow.self, .link, request: Empty(), timeout: timeout) : nil
        var view = await SystemView(
            supervisor: RemoteMachine.current == nil ? SupervisorFile.read(clients.directories) : nil,
            reports: reports,
            desktop: desktop
        )
        view.losses = (try? await history.get())?.losses ?? []
        view.link = try? await link?.get()
        view.notices = (try? await notices.get())?.notices ?? []
        let list = try? await told.get()
        view.notifications = list?.desktop
        view.uncertain = list?.uncertain ?? 0
        return view
    }

    /// The length by which the clock is ahead of the time that Screen Time uses. `nil` or 0 if they agree.
    package var clockOffset: Duration? {
        guard case .success(let report) = reports[.activity] else { return nil }
        return report.clockAsideMs.map { .milliseconds($0) }
    }

    package var isDemo: Bool { supervisor?.isDemo ?? false }

    /// The services of this machine, including services that do not reply.
    package var services: [ServiceName] {
        ServiceName.all + ServiceName.ofHousehold.filter { reports[$0] != nil }
    }

    package var answers: [HealthReport.Reply] {
        services.compactMap { service in
            guard case .success(let report) = reports[service] else { return nil }
            return report
        }
    }

    package var isRunning: Bool { supervisor != nil || !answers.isEmpty }

    package var isDesktopObserved: Bool { (try? desktop?.get()).map { !$0.observesNothing } ?? false }

    /// The source of the observations and their number. `nil` while nothing is observed.
    package var source: String? {
        guard let status = try? desktop?.get(), isDesktopObserved else { return nil }
        let said = Speech.say(status.reason).sanitized
        let why = said.hasSuffix(".") ? String(said.dropLast()) : said
        let kind =
            status.source == "scripted" ? Speech.say("command.source-is-script", "scripted") : status.source
        let source = kind + (why.isEmpty ? "" : " (\(why))")
        let seen = Int(status.seen)
        return status.waiting > 0
            ? Speech.say(
                "command.observed-by-waiting",
                count: seen,
                one: """
                    Observed by: \(source, "source"). \(seen, "count") observation so far, \
                    \(status.waiting, "waiting") not yet accepted.
                    """,
                other: """
                    Observed by: \(source, "source"). \(seen, "count") observations so far, \
                    \(status.waiting, "waiting") not yet accepted.
                    """
            )
            : Speech.say(
                "command.observed-by",
                count: seen,
                one: "Observed by: \(source, "source"). \(seen, "count") observation so far.",
                other: "Observed by: \(source, "source"). \(seen, "count") observations so far."
            )
    }
}

/// The file in which the supervisor describes itself and its services.
package struct SupervisorFile: WireBody, Codable {
    package struct Service: Codable, Sendable {
        package var name: String
        package var state: String
        package var pid: Int64?
        package var restarts: Int64?
        package var lastExit: Message?
        package var failure: Message?
        package var status: String?

        package var isStarting: Bool { state == "starting" || state == "waiting" }
    }

    /// The supervisor's process id with the integer type of the bus.
    private var process: Int64
    package var startedAt: String
    package var isDemo: Bool
    package var services: [Service]

    private enum CodingKeys: String, CodingKey {
        case services
        case process = "pid"
        case startedAt = "started_at"
        case isDemo = "demo"
    }

    package var pid: Int32 { Int32(clamping: process) }

    private static let bytesMax = 256 * 1024

    /// Returns `nil` if no supervisor runs. The file of a supervisor that was killed is ignored.
    package static func read(_ directories: Directories) -> SupervisorFile? {
        guard let bytes = try? AtomicFile.read(directories.run + "/supervisor.json", limitBytes: bytesMax),
            let file = try? decodedBody(bytes), isAlive(file.pid)
        else { return nil }
        return file
    }

    package func service(_ name: String) -> Service? { services.first { $0.name == name } }

    private static func isAlive(_ pid: Int32) -> Bool { pid > 0 && (kill(pid, 0) == 0 || errno == EPERM) }
}

/// The banner on every screen of a demonstration, so that people do not take the data for their own.
enum Banner {
    private static var demoText: String { Speech.say("command.demo-not-your-own", "DEMO: not your own data") }

    static func demo(_ terminal: Terminal) -> String { terminal.styled(demoText, .magenta) }

    static func isDemo(_ directories: Directories) -> Bool {
        RemoteMachine.current == nil && SupervisorFile.read(directories)?.isDemo == true
    }

    /// Returns a title. In a demonstration, the banner follows it.
    static func titled(_ title: String, isDemo: Bool, _ terminal: Terminal) -> String {
        let lines = TextWrap.lines(title, terminal)
        let text = lines.map { terminal.styled($0, .bold) }.joined(separator: "\n")
        guard isDemo else { return text }
        let fits = DisplayWidth.columns((lines.last ?? "") + "  " + demoText) <= terminal.columns
        return text + (fits ? "  " : "\n") + demo(terminal)
    }
}
