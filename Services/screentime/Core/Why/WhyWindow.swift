import STContracts
import STPlatform

/// `screentime why window:ID`: the app to which a window was assigned, and the reasons for or against its shield.
enum WhyWindow {
    static let prefix = "window:"
    private static let foregroundSubject = "front"
    private static let example = "screentime why window:front"

    struct WindowExplanation: WireBody, Codable, Equatable {
        var window: WindowView
        /// The strictest means that shields use on this desktop.
        var escalation: Escalation?
        /// The shield over this app on the screen.
        var shield: ScreenShield?
        /// The explanation for the app. `nil` if the window belongs to no app, or if shield-service does not reply.
        var why: WhyExplanation?
        /// The problem, if `why` is missing.
        var unknown: Message?
    }

    static func id(_ subject: String) throws(Problem) -> String {
        let id = String(subject.dropFirst(prefix.count))
        if id == foregroundSubject { return id }
        let number = id.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isID =
            number.count == 2 && !number[1].isEmpty && id.utf8.count <= 64
            && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isID, ["x11", "wl"].contains(number[0]) else {
            throw Problem(
                "usage.bad_subject",
                """
                “\(subject, "subject")” is not a window. Write it as window:x11:0x1a00003 or window:wl:12, \
                or use window:front for the foreground window.
                """,
                key: "usage.bad_subject.is-not-a",
                help: example
            )
        }
        return id
    }

    static func refuse(_ invocation: Invocation) throws(Problem) {
        guard invocation.has("--at") else { return }
        throw Problem(
            "usage.bad_option",
            """
            Screen Time can identify a window only while it is open, so --at cannot be combined with a \
            window. Ask about its app instead.
            """,
            key: "usage.bad_option.a-window-is",
            help: "screentime why firefox --at '\(invocation.value("--at") ?? "17:00")'"
        )
    }

    /// Returns the story of a window. `why` returns the explanation for an app and a person.
    static func explanation(
        _ id: String,
        member: String?,
        _ clients: ServiceClients,
        why: (_ app: String, _ member: String?) async throws -> WhyExplanation
    ) async throws -> WindowExplanation {
        let status = try await status(clients)
        if status.isBlind == true { throw notObserved(status) }
        let reply = try await clients.call(DesktopWindows.self, .init(window: id))
        guard let window = reply.windows.first else {
            throw Problem(
                "window.not_found",
                "There is no window \(id, "id") on the screen.",
                help: example
            )
        }
        let shields = try? await clients.call(DesktopShields.self, Empty())
        var story = WindowExplanation(window: window, escalation: shields?.escalation)
        guard let app = window.app else { return story }
        story.shield = shields?.shields.first { $0.app == app }
        do {
            story.why = try await why(app, member ?? status.member)
        } catch {
            story.unknown = ProblemText.problem(error).text
        }
        return story
    }

    private static func status(_ clients: ServiceClients) async throws -> DesktopStatus.Reply {
        do {
            return try await clients.call(DesktopStatus.self, Empty())
        } catch let problem as Problem where problem.code == "service.not_running" {
            throw Problem(
                problem.code,
                "desktop-agent is not running, so the screen is not observed.",
                key: "service.not_running.so-the-screen-is",
                retryable: true,
                help: "screentime system up"
            )
        }
    }

    private static func notObserved(_ status: DesktopStatus.Reply) -> Problem {
        Problem(
            "desktop.blind",
            text: Message(
                verbatim: Condition.unobserved(status.reason, remedy: status.wayOut).fullText(
                    in: Speech.language
                )
            ),
            help: "screentime doctor"
        )
    }
}

/// The screen of `why window:ID`.
enum WhyWindowText {
    /// Returns the lines. `name` is the name of the window's app for people.
    static func lines(_ story: WhyWindow.WindowExplanation, name: String, terminal: Terminal) -> [String] {
        let window = story.window
        var lines = [terminal.styled(headline(window, name.sanitized), .bold)]
        lines += window.steps.map { "  " + Speech.say($0).sanitized }
        lines.append("")
        lines.append(place(window))
        if window.app != nil, story.shield == nil { lines.append(pausing(story)) }
        if let shield = story.shield {
            lines += ["", Speech.say("why.on-the-screen", "On the screen: ") + stage(shield)]
            lines += shield.steps.map { step in
                "  \(terminal.styled(TimeText.clock(WallTime(ms: step.wallMs)).prefix(8).description, .dim))  \(Speech.say(step.text).sanitized)"
            }
        }
        if let why = story.why {
            lines += [""] + WhyText.lines(why, terminal)
        } else if let unknown = story.unknown {
            lines += [
                "",
                Speech.say(
                    "why.whether-it-is-shielded",
                    "Screen Time cannot determine whether it is shielded. "
                )
                    + Speech.say(unknown).sanitized,
            ]
        }
        return lines
    }

    private static func headline(_ window: WindowView, _ name: String) -> String {
        let title = window.title.map { " “\(DisplayWidth.truncated($0.sanitized, 60))”" } ?? ""
        let front = window.window.sanitized + title
        guard let app = window.app else {
            return Speech.say("why.is-not-an-app", "\(front, "front") does not belong to an app.")
        }
        let shown = name == app ? name : "\(name) (\(app.sanitized))"
        return Speech.say("why.window-is-app", "\(front, "front") belongs to \(shown, "app").")
    }

    private static func place(_ window: WindowView) -> String {
        let pid =
            window.pid.map { Speech.say("why.process", ", process \($0, "pid")") }
            ?? Speech.say("why.process-not-known", ", process unknown")
        if window.isInFront {
            return Speech.say("why.it-is-in-front", "It is in the foreground\(pid, "pid").")
        }
        return window.isShown
            ? Speech.say("why.it-is-on-the", "It is on the screen, behind another window\(pid, "pid").")
            : Speech.say("why.it-is-not-shown", "It is not on the screen\(pid, "pid").")
    }

    private static func pausing(_ story: WhyWindow.WindowExplanation) -> String {
        if let never = story.window.neverPaused {
            return Speech.say("why.a-shield-would-cover", "A shield would cover it, but never pause it: ")
                + Speech.say(never).sanitized
        }
        switch story.escalation {
        case .cover:
            return Speech.say(
                "why.a-shield-would-only",
                "A shield would only cover it, because shields on this computer do not pause apps."
            )
        case .pause:
            return Speech.say("why.a-shield-would-cover-it", "A shield would cover it and pause it.")
        case .close:
            return Speech.say(
                "why.a-shield-would-cover-it-pause",
                "A shield would cover it, pause it, and finally ask it to close."
            )
        case .end:
            return Speech.say(
                "why.a-shield-would-cover-it-pause-it",
                "A shield would cover it, pause it, ask it to close, and finally force it to close."
            )
        case .unknown, nil:
            return Speech.say(
                "why.whether-a-shield-would",
                "Screen Time cannot determine whether a shield would pause it."
            )
        }
    }

    private static func stage(_ shield: ScreenShield) -> String {
        let held =
            switch shield.means {
            case .freezer: Speech.say("why.its-processes-frozen", ", its processes frozen")
            case .signal: Speech.say("why.its-processes-stopped", ", its processes stopped")
            case .unknown, nil:
                shield.notPaused.map {
                    Speech.say("why.not-paused", ", not paused: ") + Speech.say($0).sanitized
                } ?? ""
            }
        return switch shield.stage {
        case .rising: Speech.say("why.a-shield-is-going", "a shield is about to appear")
        case .covered: Speech.say("why.covered", "covered") + held
        case .paused: Speech.say("why.covered-and-paused", "covered and paused") + held
        case .closing: Speech.say("why.covered-and-asked-to", "covered, and asked to close") + held
        case .ending:
            Speech.say("why.covered-and-asked-to-stop", "covered; its processes were sent a request to exit")
                + held
        case .unknown:
            Speech.say("why.a-shield-in-a", "a shield in a state that this version does not recognise")
        }
    }
}
