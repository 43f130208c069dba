import Glibc
package import STContracts
import STPlatform

/// `screentime doctor`.
enum DoctorCommand {
    static let commands: [Command] = [
        Command(
            ["doctor"],
            "Shows what Screen Time can see and enforce on this desktop, and how to fix the rest",
            options: [.json],
            example: "screentime doctor"
        ) { try await run($0) }
    ]

    /// Returns exit code 1 if nothing can be observed, for scripts.
    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let visit = try await DoctorResults.collect(invocation)
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            var members: [String: JSONValue] = [
                "running": .bool(visit.isRunning),
                "asked": .string(visit.isFromAgent ? "desktop-agent" : "probe"),
            ]
            members["report"] = try JSONOutput.value(of: visit.report)
            terminal.write(JSONOutput.pretty(.object(members)))
        } else {
            terminal.write(DoctorText.lines(visit, terminal).joined(separator: "\n"))
        }
        return visit.report.isBlind ? .no : .done
    }
}

/// The findings of the doctor: the running agent's reply. If no agent runs, those of a short run of its program.
package struct DoctorResults: Sendable {
    package var report: DesktopDoctor.Reply
    package var isRunning: Bool
    /// True if the findings come from the running agent, in its own session.
    package var isFromAgent: Bool

    package init(report: DesktopDoctor.Reply, isRunning: Bool, isAgents: Bool) {
        self.report = report
        self.isRunning = isRunning
        self.isFromAgent = isAgents
    }

    /// Upper bound on the wait for displays and buses that hang.
    private static let probeTimeout: Duration = .seconds(10)

    static func collect(_ invocation: Invocation) async throws -> DoctorResults {
        let (answer, view, household) = try await ServiceClients.with(invocation.directories) { clients in
            async let answer = clients.result(
                DesktopDoctor.self,
                .desktop,
                request: Empty(),
                timeout: probeTimeout
            )
            async let view = SystemView.gather(clients)
            async let household = DoctorHousehold.findings(invocation, clients)
            return await (answer, view, household)
        }
        var visit: DoctorResults
        switch answer {
        case .success(let report): visit = DoctorResults(report: report, isRunning: true, isAgents: true)
        case .failure:
            visit = DoctorResults(report: try probe(invocation), isRunning: view.isRunning, isAgents: false)
        }
        visit.report.findings.insert(
            contentsOf: system(view, invocation, isAgents: visit.isFromAgent) + [extensions] + household,
            at: 0
        )
        if visit.isFromAgent, visit.report.isBlind, let finding = localFinding(invocation) {
            visit.report.findings.append(finding)
        }
        if !visit.report.isBlind, let finding = DoctorFonts.missing(invocation.environment) {
            visit.report.findings.append(finding)
        }
        if let finding = DoctorTranslations.finding(
            for: DisplayLanguage(of: SessionLanguage.tag(invocation.environment))
        ) {
            visit.report.findings.append(finding)
        }
        return visit
    }

    /// Returns the conditions that the findings of the agent do not describe.
    private static func system(_ view: SystemView, _ invocation: Invocation, isAgents: Bool)
        -> [DoctorFinding]
    {
        let ofDesktop: [ConditionCode] =
            isAgents ? [.desktopUnobserved, .desktopLimited, .notificationsHidden] : [.desktopLimited]
        let conditions = view.conditions(invocation.directories, now: invocation.now)
            .filter { !ofDesktop.contains($0.code) }
        // Services that were not meant to start are not in the conditions.
        let silent = ServiceName.all.filter { service in
            if case .success = view.reports[service] { return false }
            return view.supervisor != nil && view.supervisor?.service(service.rawValue) == nil
        }
        guard !silent.isEmpty else {
            return conditions.isEmpty ? [allServicesReply] : conditions.map { DoctorFinding($0) }
        }
        let names = silent.map(\.rawValue).joined(separator: ", ")
        let text = Message(
            "doctor.not-all-services-answer",
            "These services do not answer: \(names, "names")."
        )
        let condition = Condition(.serviceSilent, text, remedy: Message(verbatim: "screentime status"))
        return (conditions + [condition]).map { DoctorFinding($0) }
    }

    private static let allServicesReply = DoctorFinding(
        topic: .system,
        state: .fine,
        text: Message(
            "doctor.all-services-answer",
            "All \(ServiceName.all.count, "count") services answer."
        )
    )

    /// Reports if this kernel can restrict apps' extensions to their own files.
    private static var extensions: DoctorFinding {
        SpawnBounds.areEnforced
            ? DoctorFinding(
                topic: .system,
                state: .fine,
                text: Message(
                    "doctor.extensions-of-apps-open",
                    "Extensions of apps open only their own files, and cannot access other programs (Landlock)."
                )
            )
            : DoctorFinding(
                Condition(
                    .extensionsUnconfined,
                    Message(
                        "doctor.extensions-of-apps-can",
                        "Extensions of apps can open your files, because this kernel has no Landlock."
                    ),
                    remedy: Message(
                        "doctor.use-linux-5-13",
                        """
                        Use Linux 5.13 or later with landlock in the boot option lsm=, or install only apps \
                        that you trust.
                        """
                    )
                )
            )
    }

    /// Returns a finding if the agent was started without a desktop, but this command runs in one.
    private static func localFinding(_ invocation: Invocation) -> DoctorFinding? {
        guard let here = try? probe(invocation), !here.isBlind else { return nil }
        let command = "screentime system down; screentime system up --detach"
        return DoctorFinding(
            topic: .adapter,
            state: .limited,
            text: Message(
                "doctor.this-terminal-can-see",
                "Screen Time can see the desktop from this terminal: \(here.reason, "reason")"
            ),
            mend: Message(
                "doctor.start-screen-time-again",
                "Start Screen Time again from here: \(command, "command")"
            )
        )
    }

    /// Runs the agent's program, which checks the displays, prints its findings and ends.
    private static func probe(_ invocation: Invocation) throws -> DesktopDoctor.Reply {
        let places = try SystemPlaces(invocation)
        let program = places.executable(of: .desktop)
        guard access(program, X_OK) == 0 else {
            throw Problem(
                "doctor.no_agent",
                """
                desktop-agent is not in the same folder as this command, so `screentime doctor` cannot check \
                the desktop.
                """,
                help: "scripts/run-all.sh"
            )
        }
        var environment = invocation.environment
        environment["SCREENTIME_CONFIG"] = places.directories.config
        let run = try ProgramRun.run(program, ["--probe"], environment: environment, timeout: probeTimeout)
        guard run.status.isSuccess, let line = run.output.split(separator: "\n").last,
            let report = try? DesktopDoctor.Reply.decodedBody(Array(line.utf8))
        else {
            let last = run.output.split(separator: "\n").last.map(String.init) ?? ""
            let said = TextWrap.sentence(DisplayWidth.truncated(DisplayWidth.sanitized(last), 300))
            throw Problem(
                "doctor.no_answer",
                "desktop-agent could not check the desktop: \(run.status, "status"). \(said, "said")"
            )
        }
        return report
    }
}

/// Findings about rules that cannot work: names that no app has, and children who can remove their rules.
enum DoctorHousehold {
    static func findings(_ invocation: Invocation, _ clients: ServiceClients) async -> [DoctorFinding] {
        guard !Banner.isDemo(invocation.directories) else { return [] }
        async let rules = try? RuleListCommand.all(clients, timeout: SystemView.timeout)
        async let finder = AppFinder.load(invocation, clients, namesOfRules: false)
        let members = try? await clients.call(MemberList.self, Empty(), timeout: SystemView.timeout)
            .members
        let (made, known) = (await rules ?? [], await finder)
        var findings =
            known.map { rulesWithoutEffect(made, $0) }?.map { DoctorFinding($0, topic: .apps) } ?? []
        for child in members ?? [] where child.role == .child {
            findings += await MemberHints.ruleWarnings(child, members: members ?? [], clients: clients).map {
                DoctorFinding(Condition(.rulesAvoidable, Message(verbatim: $0)))
            }
        }
        return findings
    }

    static func rulesWithoutEffect(_ rules: [RuleView], _ finder: AppFinder) -> [Condition] {
        guard finder.hasInstalledApps else { return [] }
        return rules.flatMap { view in
            let rule = view.rule
            let names = (rule.targets + (rule.opens ?? [])).filter { $0.kind == .application }.map(\.id)
            return names.filter { finder.find($0) != .one($0) }.map { name in
                let meant: String? =
                    switch finder.find(name) {
                    case .one(let id): id
                    case .several(let ids), .none(let ids): ids.first
                    }
                let title = rule.name ?? view.id
                let text = Message(
                    "doctor.the-rule-names-which",
                    """
                    The rule \(title, "title") has no effect on \(name, "name"), which is not installed here \
                    and was not used in the last 90 days.
                    """
                )
                let question = meant.map {
                    Message(
                        "doctor.may-be-meant",
                        "\(text, "finding") Did you mean \(finder.titled($0), "title")?"
                    )
                }
                return Condition(
                    .ruleWithoutApp,
                    question ?? text,
                    remedy: Message(verbatim: "screentime rule show \(title)")
                )
            }
        }
    }
}

/// Checks that the computer has fonts for shields. Without a font for its script, text is a row of boxes.
enum DoctorFonts {
    private static let timeout: Duration = .seconds(5)
    private static let program = "/usr/bin/fc-list"

    /// Returns `nil` if there is a font for the language of this session, or if fontconfig is missing.
    static func missing(_ environment: [String: String]) -> DoctorFinding? {
        guard let language = language(environment), access(program, X_OK) == 0,
            let run = try? ProgramRun.run(
                program,
                [":lang=\(language)", "family"],
                environment: environment,
                timeout: timeout
            ), run.status.isSuccess, !run.output.contains(where: \.isLetter)
        else { return nil }
        let package = ["ko", "ja", "zh"].contains(language) ? "fonts-noto-cjk" : "fonts-noto-core"
        let condition = Condition(
            .fontMissing,
            Message(
                "doctor.no-font-has-the",
                """
                No installed font supports this session's language (\(language, "language")), so shields \
                show boxes instead of text.
                """
            ),
            remedy: Message(verbatim: "sudo apt-get install \(package)")
        )
        return DoctorFinding(condition, topic: .shields)
    }

    /// Returns the language code, for example `ko` for `ko_KR.UTF-8`.
    private static func language(_ environment: [String: String]) -> String? {
        let code = (SessionLanguage.tag(environment) ?? "").prefix { $0.isASCII && $0.isLowercase }
        return (2...3).contains(code.count) ? String(code) : nil
    }
}

/// Checks that all translations in this language can be used.
enum DoctorTranslations {
    static func finding(for language: DisplayLanguage) -> DoctorFinding? {
        guard language != .english, let path = Translations.path(language.code) else { return nil }
        guard let translations = Translations.load(language) else {
            let text = Message(
                "doctor.translations-unreadable",
                """
                The translations in \(path, "file") cannot be read, so Screen Time is in English. Install \
                Screen Time again.
                """
            )
            return DoctorFinding(Condition(.translationsUnusable, text))
        }
        let count = translations.unusable
        guard count > 0 else { return nil }
        let text = Message(
            "doctor.translations-unusable",
            count: count,
            one:
                "\(count, "count") message in \(path, "file") has no usable translation, so it is in English.",
            other: """
                \(count, "count") messages in \(path, "file") have no usable translation, so they are in \
                English.
                """
        )
        return DoctorFinding(Condition(.translationsUnusable, text))
    }
}

/// The screen of `doctor`: first the reasons why nothing can be observed, then the findings by topic.
package enum DoctorText {
    package static func lines(_ visit: DoctorResults, _ terminal: Terminal) -> [String] {
        let report = visit.report
        var lines: [String] = []
        if report.isBlind {
            lines += ConditionText.lines([.unobserved(report.reason, remedy: report.wayOut)], terminal)
        } else {
            let adapter = name(report.adapter)
            let way = Speech.say(
                "doctor.screen-time-sees-this",
                "Screen Time sees this desktop through \(adapter, "adapter")."
            )
            lines += TextWrap.lines(way, terminal)
        }
        if !visit.isFromAgent {
            let silence =
                visit.isRunning
                ? Speech.say(
                    "doctor.desktop-agent-does-not",
                    """
                    desktop-agent does not report what it sees: it is set to observe no desktop, or it does \
                    not answer. 
                    """
                )
                : Speech.say("doctor.desktop-agent-is-not", "desktop-agent is not running. ")
            let instead = Speech.say(
                "doctor.this-is-what-it",
                "If desktop-agent were started from this terminal, it would report:"
            )
            lines += TextWrap.lines(silence + instead, terminal)
        }
        for topic in DoctorTopic.allCases {
            let findings = report.findings.filter { $0.topic == topic }
            guard !findings.isEmpty else { continue }
            lines += ["", terminal.styled(title(topic), .bold)]
            for finding in findings { lines += self.lines(finding, terminal) }
        }
        return lines
    }

    private static func lines(_ finding: DoctorFinding, _ terminal: Terminal) -> [String] {
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - 4)
        let text = TextWrap.lines(Speech.say(finding.text).sanitized, narrow)
        let lines = text.enumerated().map { index, line in
            (index == 0 ? "  \(mark(finding.state, terminal)) " : "    ") + line
        }
        return lines + (finding.mend.map { ConditionText.remedy($0, indent: 4, terminal) } ?? [])
    }

    private static func mark(_ state: DoctorState, _ terminal: Terminal) -> String {
        switch state {
        case .fine: terminal.styled("✓", .green)
        case .limited: terminal.styled("~", .yellow)
        case .missing: terminal.styled("✗", .red)
        case .unknown: "?"
        }
    }

    private static func title(_ topic: DoctorTopic) -> String {
        switch topic {
        case .system: Speech.say("doctor.screen-time", "Screen Time")
        case .session: Speech.say("doctor.session", "Session")
        case .adapter: Speech.say("doctor.how-the-desktop-is", "Desktop observation")
        case .sight: Speech.say("doctor.what-is-in-front", "Foreground app and site")
        case .presence: Speech.say("doctor.presence", "Presence")
        case .apps: Speech.say("doctor.apps", "Apps")
        case .notifications: Speech.say("doctor.notifications", "Notifications")
        case .shields: Speech.say("doctor.shields", "Shields")
        case .pausing: Speech.say("doctor.pausing", "Pausing")
        case .never: Speech.say("doctor.covered-but-never-paused", "Covered, but never paused")
        case .unknown: Speech.say("doctor.other", "Other")
        }
    }

    private static func name(_ adapter: AdapterKind) -> String {
        switch adapter {
        case .x11: "X11"
        case .wlroots: "Wayland (wlroots)"
        case .gnome: "Wayland (GNOME)"
        case .kwin: "Wayland (KDE)"
        case .scripted: Speech.say("doctor.a-script", "a script")
        case .none, .unknown: Speech.say("doctor.nothing", "nothing")
        }
    }
}
