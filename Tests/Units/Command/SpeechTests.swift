import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("What a command says, in Korean")
struct SpeechTests {
    private static let app = TokenItem(kind: .application, id: "org.mozilla.firefox")
    private static let moments = MomentFormatter(fromMs: 1_795_176_000_000, zone: "UTC", in: .korean)

    private static func everyRule() -> [RuleSpec] {
        let kinds: [RuleKind] = [.limit, .downtime, .window, .goal, .break, .allow, .session]
        return kinds.flatMap { kind in
            [RuleConsequence.notify, .shield].map { then in
                RuleSpec(
                    kind: kind,
                    name: "rule",
                    member: "kim",
                    targets: [app],
                    durationMs: 3_600_000,
                    weekendMs: 7_200_000,
                    restMs: 300_000,
                    window: RuleWindow(from: "21:30", to: "07:00"),
                    days: [2, 3, 4, 5, 6],
                    except: ["2026-12-24", "2026-12-25", "2026-12-26"],
                    opens: [TokenItem(kind: .category, id: "games")],
                    then: then,
                    warnMs: 300_000,
                    say: "산책"
                )
            }
        }
    }

    /// Words of English, but for what is typed and what things are called.
    private func english(_ lines: [String]) -> [String] {
        let named: Set = [
            "screentime", "rule", "remove", "Firefox", "kim", "games", "request", "revoke", "R7", "root",
        ]
        return lines.flatMap { $0.split { !$0.isASCII || !($0.isLetter || $0.isNumber) } }.map(String.init)
            .filter { $0.count > 1 && $0.contains(where: \.isLetter) && !named.contains($0) }
    }

    @Test(
        "Details and lists of each kind of rule are printed in Korean without English words",
        arguments: everyRule()
    )
    func rules(_ rule: RuleSpec) {
        let view = RuleView(
            id: "rule",
            rule: rule,
            addedAt: "2026-11-20T10:00:00.000Z",
            pausedUntil: "2026-11-20T18:00:00.000Z",
            interval: IntervalSpan(startWallMs: 1_795_132_800_000, endWallMs: 1_795_219_200_000, zone: "UTC"),
            when: "now: today",
            isWatched: true,
            problem: nil,
            isShielding: true
        )
        let progress = RuleProgress(
            used: .seconds(60),
            limit: .seconds(3_600),
            left: .seconds(3_540),
            isReached: false
        )
        let facts = RuleFacts(progress: ["rule": progress], moments: Self.moments)
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 200)
        let lines = Speech.$language.withValue(.korean) {
            RuleScreen.details(view, facts: facts, apps: DisplayNames(), terminal: terminal)
                + RuleScreen.list([view], facts: facts, apps: DisplayNames(), terminal: terminal)
                + RuleScreen.today([view], facts: facts, apps: DisplayNames(), terminal: terminal)
                + [progress.text(rule.kind), RuleSentence.consequence(rule, for: nil)]
        }
        #expect(english(lines) == [], "\(lines)")
        #expect(lines.contains { $0.contains("월–금") } || [.allow, .session].contains(rule.kind))
    }

    @Test("A request and its rule are printed in Korean without English words")
    func request() {
        let request = RequestView(
            request: "R7",
            member: "kim",
            items: [Self.app],
            durationMs: 900_000,
            because: "숙제",
            state: .granted,
            askedAt: "2026-11-20T10:00:00.000Z",
            answeredBy: "root",
            fromWallMs: 1_795_176_000_000,
            untilWallMs: 1_795_176_900_000
        )
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 200)
        let rule = RequestRule(member: "kim", delayMs: 60_000, growthPercent: 100, mostMs: 900_000, aDay: 4)
        let lines = Speech.$language.withValue(.korean) {
            RequestText.details(
                request,
                apps: DisplayNames(),
                moments: Self.moments,
                provers: nil,
                terminal: terminal
            )
                + RequestText.list([request], apps: DisplayNames(), moments: Self.moments, terminal: terminal)
                + RequestText.rule(rule)
        }
        #expect(english(lines) == [], "\(lines)")
        #expect(lines.contains { $0.contains("15분") })
    }

    private static let triesAreLeft = Message(
        "auth.tries-are-left",
        count: 2,
        one: "\(1, "count") try is left before a pause.",
        other: "\(2, "count") tries are left before a pause."
    )

    private func korean<Text>(_ text: () -> Text) -> Text { Speech.$language.withValue(.korean) { text() } }

    @Test("Help is printed in Korean without English words except commands and names")
    func help() throws {
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 200)
        // Without the lines that are typed, which stand in front.
        let overview = korean {
            (HelpText.all(terminal) + "\n" + HelpText.overview(terminal)).split(separator: "\n")
        }
        .filter { !$0.hasPrefix("그 밖에: ") }
        .compactMap { $0.split(separator: "  ").last.map(String.init) }
        .flatMap { line in
            line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }
        }
        let named: Set = [
            "Screen", "Time", "for", "Linux", "systemd", "desktop", "agent", "AsyncAPI", "help", "json",
            "ActivityWatch", "timekpr", "Xcode", "Swift",
        ]
        let words = english(overview).filter { !named.contains($0) && $0.uppercased() != $0 }
        #expect(words == [])
        let command = try #require(Grammar.command(["limit", "add"]))
        let page = korean { HelpText.command(command, terminal).split(separator: "\n") }
        #expect(page.contains("  DURATION              30m이나 1h30m처럼"), "\(page)")
    }

    @Test("The list and the details of members are printed in Korean without English words")
    func members() {
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 200)
        let people = [
            Member(name: "kim", role: .guardian, account: "root"), Member(name: "Firefox", role: .child),
        ]
        let list = MemberList.Reply(device: Device(id: "d", name: "root"), members: people)
        let seers = Message(
            "privacy.seen-by-guardians",
            count: 1,
            one: "\("kim", "member"), the guardian \("root", "guardians").",
            other: "\("kim", "member"), the guardians \("root", "guardians")."
        )
        let record = MemberRecord(
            service: "kim",
            what: Message("privacy.usage-totals", "The totals of this usage per hour and day."),
            kept: Message("privacy.only-the-latest", "Only the latest. Screen Time deletes older ones."),
            seenBy: seers
        )
        let story = MemberShow.Reply(
            member: people[1],
            passcode: PasscodeView(
                isSet: true,
                changedAt: "2026-11-20T10:00:00.000Z",
                wrong: 3,
                lockedForMs: 60_000,
                attempts: []
            ),
            records: [record],
            authorizations: [],
            notices: []
        )
        let lines = korean {
            MemberCommand.text(list, isDemo: true, terminal)
                + MemberSummaryText.lines(story, apps: DisplayNames(), isDemo: false, terminal: terminal)
        }
        #expect(english(lines) == [], "\(lines)")
        #expect(lines.contains { $0.contains("보호자 root 님") })
    }

    @Test("`status` is printed in Korean without English words except commands and names")
    func status() {
        var reports: [ServiceName: Result<HealthReport.Reply, Problem>] = [:]
        for service in ServiceName.all {
            reports[service] = .success(
                HealthReport.Reply(
                    service: service.rawValue,
                    pid: 5,
                    version: "0.5.0",
                    uptimeMs: 3_600_000,
                    state: "ready",
                    pssKib: 6_000,
                    databaseBytes: 40_960,
                    streams: [],
                    cursors: [],
                    counters: [:],
                    routes: []
                )
            )
        }
        reports[.desktop] = .failure(
            Problem(
                "unavailable",
                "\("R7", "name") is stopping. Try again when it is running.",
                key: "unavailable.is-stopping-ask"
            )
        )
        let reason = Message(
            "agent.no-display-is-set",
            "There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set."
        )
        var view = SystemView(
            supervisor: nil,
            reports: reports,
            desktop: .success(
                .init(source: "none", reason: reason, seen: 3, waiting: 0, isBlind: true)
            )
        )
        view.notifications = NotifyDesktop(state: .ready, name: "kim")
        view.uncertain = 2
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 200)
        let lines = korean {
            let directories = Directories(run: "/1", state: "/2", config: "/3")
            return StatusText.lines(
                view,
                conditions: view.conditions(directories, now: WallTime(ms: 0)),
                terminal: terminal
            )
        }
        let services = Set(ServiceName.all.flatMap { $0.rawValue.split(separator: "-").map(String.init) })
        let named = services.union([
            "PID", "KiB", "MiB", "WAYLAND", "DISPLAY", "notification", "list", "state", "uncertain", "logs",
            "log", "systemd",
        ])
        #expect(english(lines).filter { !named.contains($0) } == [], "\(lines)")
        #expect(lines.contains { $0.hasPrefix("서비스") } && lines.contains { $0.contains("1시간") })
    }

    @Test("`doctor` is printed in Korean without English words except names")
    func doctor() {
        let findings = [
            DoctorFinding(
                topic: .sight,
                state: .fine,
                text: Message(
                    "agent.display-reports-programs",
                    "The display reports which program a window belongs to."
                )
            ),
            DoctorFinding(
                topic: .presence,
                state: .limited,
                text: Message(
                    "agent.idle-after-length",
                    """
                    Keyboard and pointer show whether the computer is in use. It is idle after \
                    \(MessageValue.duration(ms: 300_000), "length") without either.
                    """
                ),
                mend: Message("agent.start-within-session", "Start Screen Time from within the session.")
            ),
            DoctorFinding(
                topic: .pausing,
                state: .fine,
                text: Message(
                    "agent.shields-close",
                    """
                    Shields cover apps, pause them, and after \
                    \(MessageValue.duration(ms: 90_000), "length") ask them to close.
                    """
                )
            ),
        ]
        let report = DesktopDoctor.Reply(
            adapter: .x11,
            reason: Message(
                "agent.manager-reports-window",
                """
                The X server at \(":0", "display") and its window manager (\("kim", "manager")) report the \
                foreground window.
                """
            ),
            isBlind: false,
            wayOut: nil,
            findings: findings
        )
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 200)
        let lines = korean {
            DoctorText.lines(DoctorResults(report: report, isRunning: true, isAgents: false), terminal)
        }
        #expect(english(lines).filter { !["X11", "desktop", "agent"].contains($0) } == [], "\(lines)")
        #expect(lines.contains { $0.contains("1분 30초") && $0.contains("정중히") })
    }

    @Test(
        "A problem is printed in Korean without English words, and in English begins with its message",
        arguments: [
            Problem(
                "member.not_found",
                "There is no member \("kim", "name"). Did you mean \("games", "near")?",
                key: "member.not_found.did-you-mean"
            ),
            Problem(
                "service.not_running",
                "Either Screen Time or its \("kim", "service") is not running.",
                key: "service.not_running.screen-time-is",
                help: "screentime request"
            ),
            Problem(
                "auth.locked",
                """
                The passcode of \("kim", "member") was entered incorrectly too often. Try again in \
                \(MessageValue.duration(ms: 90_000), "rest").
                """
            ),
            Problem(
                "auth.wrong_passcode",
                "That is not the passcode of \("kim", "member"). \(triesAreLeft, "rest")"
            ),
            Problem(
                "rule.not_found",
                "There is no \(RuleKind.limit.label, "kind") “\("games", "name")”. Did you mean \("Firefox", "near")?",
                key: "rule.not_found.of-a-kind-did-you-mean"
            ),
            Problem(
                "rule.exists",
                "There is already a rule called \("games", "name") (\("R7", "kind")). Choose another name.",
                key: "rule.exists.there-is-already"
            ),
            Problem(
                "request.day_used_up",
                text: Message(
                    "request.day_used_up.own-rule",
                    count: 4,
                    one: "Your own rule grants more time once a day.",
                    other: "Your own rule grants more time \(4, "count") times a day."
                )
            ),
            Problem(
                "usage.bad_duration",
                "“\("games", "text")” is not a duration. Write it as 45s, 30m or 1h30m.",
                key: "usage.bad_duration.is-not-a"
            ),
            Problem(
                "store.disk_full",
                """
                There is no room left on the disk of \("games", "path"), and the change was not made. \
                Free some space and try again.
                """,
                key: "store.disk_full.there-is-no"
            ),
            Problem(
                "category.unknown",
                "There is no category “\("kim", "name")”. Did you mean \("games", "near")?",
                key: "category.unknown.item-did-you-mean"
            ),
            Problem("system.not_running", "Screen Time is not running, so nothing is observed."),
        ]
    )
    func problems(_ problem: Problem) {
        let lines = korean { [ProblemText.text(problem)] }
        #expect(english(lines).filter { !["45s", "30m", "1h30m"].contains($0) } == [], "\(lines)")
        #expect(ProblemText.text(problem).hasPrefix(problem.message))
    }

    @Test("Source files of translated commands have no English sentences outside translatable calls")
    func files() throws {
        let folder = "Services/screentime/Core/"
        let spoken = [
            "Commands/TodayCommand", "Commands/RequestText", "Rules/RuleText", "Rules/RuleListCommand",
            "Why/WhyText", "Why/WhyExplanation", "Commands/StatusCommand", "Commands/DoctorCommand",
            "Commands/MemberCommand", "Commands/CategoryCommand", "Commands/IgnoreCommand",
            "Commands/StoreCommand", "Commands/NotificationCommand", "Commands/NotificationText",
            "Data/HistoryCommand", "Data/DeleteUsageCommand", "Base/ProofPrompt",
            "Base/SystemView", "System/UpSession",
        ]
        for name in spoken {
            let text = ScratchDirectory.text(BuiltTree.source(folder + name + ".swift"))
            #expect(Spoken.outside(text) == [], "\(name)")
        }
        #expect(
            Spoken.outside("let a = Speech.say(\"a.b\", \"one two\") + \"is not said\"") == ["is not said"]
        )
        #expect(Spoken.outside("throw Problem(\"code\", \"It says why.\", help: \"a b\")") == [])
    }
}

/// Finds sentences in source text that stand in one language alone.
private enum Spoken {
    /// In these a sentence may be English: refusals have codes, and help is a table of its own.
    private static let exempt = ["say", "Message", "Problem", "Command", "Subject", "Option", "init"]

    static func outside(_ text: String) -> [String] {
        var found: [String] = []
        var calls: [String] = []
        for line in text.split(separator: "\n") where !line.trimmed.hasPrefix("//") {
            var word = ""
            var literal: String?
            var depth = 0
            var isEscaped = false
            for character in line {
                if let open = literal {
                    // What is filled in is code; its own words are seen where they are made.
                    if depth > 0 {
                        if character == "(" { depth += 1 }
                        if character == ")" { depth -= 1 }
                    } else if isEscaped {
                        isEscaped = false
                        if character == "(" { depth = 1 }
                    } else if character == "\\" {
                        isEscaped = true
                    } else if character == "\"" {
                        if isSentence(open), !calls.contains(where: exempt.contains) { found.append(open) }
                        literal = nil
                    } else {
                        literal = open + String(character)
                    }
                    continue
                }
                switch character {
                case "\"": literal = ""
                case "(":
                    calls.append(word)
                    word = ""
                case ")": if !calls.isEmpty { calls.removeLast() }
                default: word = character.isLetter ? word + String(character) : ""
                }
            }
        }
        return found
    }

    private static let typed = ["screentime ", " system down", "sudo ", "SQLite format"]

    /// Two English words beside each other.
    private static func isSentence(_ text: String) -> Bool {
        let words = text.split(separator: " ").map {
            $0.allSatisfy { $0.isASCII && $0.isLetter } && $0.count > 1
        }
        return zip(words, words.dropFirst()).contains { $0 && $1 } && !typed.contains(where: text.hasPrefix)
    }
}

extension Substring {
    fileprivate var trimmed: Substring { drop { $0.isWhitespace } }
}
