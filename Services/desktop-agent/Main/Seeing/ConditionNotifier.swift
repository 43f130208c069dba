import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STScreen
import STServiceKit
import STZeroMQ

/// Notifies the person and a child's guardians, at most once a day, if Screen Time does not observe what it needs.
///
/// One case is a desktop that reports nothing, for example GNOME without our extension. Another is a browser that does not report
/// its foreground site although a rule applies to a site. Runs on the bus thread.
actor ConditionNotifier: DesktopModelObserver {
    private struct Notice {
        var id: String
        var condition: Condition
        var isForGuardians = false
    }

    private let loop: BusLoop
    private let client: BusClient
    private let names: AppNames
    private let hub: DesktopHub
    private let language: DisplayLanguage
    private let time: any TimeSource
    private let log: Log
    private var timer: LoopTimer?
    private var isWaiting = false
    /// The day of the last notification, by notice id.
    private var sentDays: [String: Int64] = [:]
    /// The notices about unknown programs that guardians have received. The number is limited, because a child can create any
    /// number of programs.
    private var programs: [String]
    private let programsFile: String
    private static let programsMax = 100
    private static let programsBytesMax = 10_000
    private static let pathWidthMax = 200

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(
        _ surroundings: ServiceEnvironment,
        client: BusClient,
        names: AppNames,
        hub: DesktopHub,
        language: String
    ) {
        loop = surroundings.loop
        time = surroundings.time
        log = surroundings.log
        self.client = client
        self.names = names
        self.hub = hub
        self.language = DisplayLanguage(of: language)
        programsFile = "\(surroundings.directories.state)/unknown-programs"
        let known = try? AtomicFile.read(programsFile, limitBytes: Self.programsBytesMax)
        programs = String(decoding: known ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    nonisolated func desktopDidChange(_ scene: DesktopModel, _ event: DesktopEvent) {
        if case .focus = event { assumeIsolated { $0.scheduleCheck() } }
    }

    nonisolated func probeDidFinish() { assumeIsolated { $0.scheduleCheck() } }

    private func scheduleCheck() {
        guard !isWaiting,
            isNeeded(desktop) || isNeeded(silentBrowser.map(browser)) || isNeeded(unknownProgram)
        else { return }
        isWaiting = true
        timer = timer ?? LoopTimer(loop.thread) { [weak self] in self?.assumeIsolated { $0.check() } }
        timer?.fire(afterMs: ConditionCode.desktopLimited.shownAfterMs)
    }

    private func check() {
        isWaiting = false
        guard let member else { return }
        let notices = (desktop, silentBrowser.map(browser), unknownProgram)
        Task(executorPreference: loop.thread) {
            for (index, notice) in [notices.0, notices.1, notices.2].enumerated() {
                guard let notice else { continue }
                do {
                    if index == 1, try await !self.isSiteLimitReached(member) { continue }
                    try await self.send(notice, to: member)
                } catch {
                    self.log.problem("sight_not_told", Problem(error))
                }
            }
        }
    }

    // MARK: - Missing observations

    private var member: String? { hub.assumeIsolated { $0.member } }

    private var desktop: Notice? {
        guard let choice = hub.assumeIsolated({ $0.choice?.choice }), let remedy = choice.remedy else {
            return nil
        }
        return Notice(
            id: "desktop/\(member ?? "")",
            condition: choice.hasNoAdapter
                ? .unobserved(choice.reason, remedy: remedy) : .desktopLimited(choice.reason, remedy: remedy)
        )
    }

    private var silentBrowser: AppIdentity? {
        let app = hub.assumeIsolated { $0.unreportingBrowser }
        return app.flatMap { app in names.assumeIsolated { $0.isBrowser(app.id) } ? app : nil }
    }

    private func browser(_ app: AppIdentity) -> Notice {
        let name = app.name ?? app.id
        return Notice(
            id: "browser/\(app.id)/\(member ?? "")",
            condition: Condition(
                .sitesUnreported,
                Message(
                    "condition.sites-of-browser",
                    """
                    \(name, "name") does not report the foreground site, so rules for sites are not enforced \
                    there.
                    """
                ),
                remedy: Message(
                    "condition.list-browsers",
                    "To find out what to do, run `screentime browser list`."
                )
            )
        )
    }

    /// The notice about the unknown program in the foreground. Only guardians receive it, once for each program.
    private var unknownProgram: Notice? {
        guard let member, let program = hub.assumeIsolated({ $0.unknownProgram }) else { return nil }
        let id = "program/\(Fingerprint(program).hex)/\(member)"
        guard !programs.contains(id), programs.count < Self.programsMax else { return nil }
        let path = DisplayWidth.truncated(DisplayWidth.sanitized(program), Self.pathWidthMax)
        let unreadable = Message(
            "condition.program-unreadable",
            """
            \(member, "member") uses a program whose file Screen Time cannot determine. Only limits on all \
            apps include it.
            """
        )
        let writable = Message(
            "condition.program-writable",
            """
            \(member, "member") can change the file \(path, "path"), so Screen Time counts its usage as an \
            unknown program, and only limits on all apps include it.
            """
        )
        let accept = Message(
            "condition.accept-program",
            "To allow separate limits for it, run: sudo screentime protect accept \(path, "path")"
        )
        return Notice(
            id: id,
            condition: program.isEmpty
                ? Condition(.programUnknown, unreadable)
                : Condition(.programUnknown, writable, remedy: accept),
            isForGuardians: true
        )
    }

    private func recordSent(_ id: String) throws {
        programs.append(id)
        let text = programs.joined(separator: "\n")
        try AtomicFile.write(Array(text.utf8), to: programsFile, mode: 0o600, durable: false)
    }

    private func isSiteLimitReached(_ member: String) async throws -> Bool {
        try await client.call(RuleList.self, .init(member: member)).rules.contains { view in
            (view.rule.targets + (view.rule.opens ?? [])).contains { $0.kind == .domain }
        }
    }

    // MARK: - Notifications

    private var today: Int64 { time.now().wallMs / 86_400_000 }

    private func isNeeded(_ notice: Notice?) -> Bool { notice.map { sentDays[$0.id] != today } ?? false }

    private func send(_ notice: Notice, to member: String) async throws {
        let people = try await client.call(MemberList.self, Empty()).members
        let isChild = people.contains { $0.name == member && $0.role == .child }
        let guardians = people.filter { isChild && $0.role == .guardian }.map(\.name)
        for person in notice.isForGuardians ? guardians : [member] + guardians {
            let request = NotifyPost.Request(
                app: BuiltInRules.app,
                member: person,
                id: notice.isForGuardians ? "sight/\(notice.id)" : "sight/\(notice.id)/\(today)",
                title: notice.condition.title.text(in: language),
                body: TextFormat.truncated(
                    DisplayWidth.sanitized(notice.condition.fullText(in: language)),
                    bytes: NotifyPost.bodyBytesMax
                )
            )
            _ = try await client.call(NotifyPost.self, request)
        }
        sentDays[notice.id] = today
        if notice.isForGuardians { try recordSent(notice.id) }
    }
}
