package import STContracts
import STPlatform
import STWire

/// The doctor's findings, in the order in which a person wants them; pure.
package enum DoctorReport {
    package static func make(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> DesktopDoctor.Reply
    {
        var findings = [session(signs), adapter(choice)]
        if !choice.isBlind {
            findings += sight(signs, choice, facts)
            findings += presence(signs, choice, facts)
        }
        findings += apps(facts) + notifications(facts)
        findings += [covers(signs, choice, facts), drawing(facts)].compactMap(\.self)
        if !choice.isBlind { findings += readers(facts) + escalation(facts) + pausing(facts) + never(facts) }
        return DesktopDoctor.Reply(
            adapter: choice.kind,
            reason: choice.reason,
            isBlind: choice.isBlind,
            wayOut: choice.wayOut,
            findings: findings
        )
    }

    private static func fine(_ topic: DoctorTopic, _ text: String) -> DoctorFinding {
        DoctorFinding(topic: topic, state: .fine, text: text)
    }

    private static func limited(_ topic: DoctorTopic, _ text: String, mend: String? = nil) -> DoctorFinding {
        DoctorFinding(topic: topic, state: .limited, text: text, mend: mend)
    }

    private static func missing(_ topic: DoctorTopic, _ text: String, mend: String? = nil) -> DoctorFinding {
        DoctorFinding(topic: topic, state: .missing, text: text, mend: mend)
    }

    // MARK: - What is seen

    /// As the adapter at work says it; else as the signs of this screen promise it.
    private static func sees(
        _ ability: DoctorAbility,
        _ signs: ScreenSigns,
        _ choice: AdapterChoice,
        _ facts: DoctorFacts
    ) -> Bool {
        if let told = facts.abilities?[ability] { return told }
        return switch (choice.kind, ability) {
        case (.x11, .processes): signs.x11?.tellsProcesses == true
        case (.x11, .idle): signs.x11?.tellsIdle == true
        case (.wlroots, .idle): signs.wayland?.tellsIdle == true
        case (.wlroots, _): signs.wayland?.hasSway == true
        default: true
        }
    }

    private static func session(_ signs: ScreenSigns) -> DoctorFinding {
        signs.x11 == nil && signs.wayland == nil
            ? missing(.session, "There is no desktop in this session.")
            : fine(.session, "This session is \(signs.name).")
    }

    private static func adapter(_ choice: AdapterChoice) -> DoctorFinding {
        DoctorFinding(
            topic: .adapter,
            state: choice.isBlind ? .missing : choice.wayOut == nil ? .fine : .limited,
            text: choice.reason,
            mend: choice.wayOut
        )
    }

    private static func sight(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> [DoctorFinding]
    {
        [
            fine(.sight, "Screen Time sees which app is in front, the moment it changes."),
            sees(.processes, signs, choice, facts)
                ? fine(.sight, "The display says which program a window belongs to.")
                : limited(
                    .sight,
                    "The display does not say which program a window belongs to, so Screen Time goes by "
                        + "the names that windows give themselves, and covers apps without pausing them.",
                    mend: choice.kind == .wlroots
                        ? "sway says it, over its own socket (SWAYSOCK); start Screen Time from within sway."
                        : nil
                ),
        ] + sites(facts)
    }

    private static func sites(_ facts: DoctorFacts) -> [DoctorFinding] {
        let browsers = facts.browsers.sorted { $0.key < $1.key }
        guard !browsers.isEmpty else {
            return [
                limited(
                    .sight,
                    "Screen Time sees sites in browsers that say which one is in front; any other counts as an app.",
                    mend: "screentime browser list"
                )
            ]
        }
        return browsers.map { name, version in
            guard let version else {
                return limited(
                    .sight,
                    "\(name) does not say which site is in front, and counts as an app.",
                    mend: "screentime browser list"
                )
            }
            return version == Version.text
                ? fine(.sight, "\(name) says which site is in front, but in private windows.")
                : limited(
                    .sight,
                    "\(name) has the extension of another version of Screen Time (\(DisplayWidth.harmless(version))). Enable it again, and restart the browser.",
                    mend: "screentime browser list"
                )
        }
    }

    private static func apps(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let programs = facts.programs else { return [] }
        return [
            programs == 0
                ? limited(.apps, "No desktop entries were found: apps are called by their executables.")
                : fine(.apps, "\(programs) installed apps are known by name.")
        ]
    }

    private static func notifications(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let refused = facts.notificationsRefused else { return [] }
        return [
            refused.isEmpty
                ? fine(.notifications, "Notifications are counted, app by app.")
                : limited(.notifications, "Notifications are not counted: \(refused)")
        ]
    }

    // MARK: - Whether the user is there, and how that is known

    private static func presence(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> [DoctorFinding]
    {
        let gamepads = limited(
            .presence,
            "Gamepads are not seen: playing with one alone counts only while the game keeps the screen awake."
        )
        return [idle(signs, choice, facts)] + films(facts) + [gamepads] + locks(facts)
    }

    private static func idle(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> DoctorFinding
    {
        guard sees(.idle, signs, choice, facts) else {
            return limited(
                .presence,
                "The display does not say whether the computer is being used: time counts until the screen is locked."
            )
        }
        let after =
            facts.idleMs.map { ": after \(TextFormat.duration(ms: $0)) without either, it is idle" } ?? ""
        return fine(
            .presence,
            "Keyboard and pointer show whether the computer is being used\(after)."
        )
    }

    private static func films(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let isReachable = facts.isSessionBusReachable else { return [] }
        return [
            isReachable
                ? fine(
                    .presence,
                    "A film that plays in front counts as use (players report it over the session bus)."
                )
                : limited(
                    .presence,
                    "The session bus does not answer: a film watched without touching anything does not count.",
                    mend: "Start Screen Time from within the session, or run once: "
                        + "systemctl --user import-environment DBUS_SESSION_BUS_ADDRESS"
                )
        ]
    }

    private static func locks(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let isReachable = facts.isLogindReachable else { return [] }
        if isReachable, let session = facts.session {
            return [
                fine(
                    .presence,
                    "logind reports locking, sleep and user switches (session \(session))."
                )
            ]
        }
        let lock =
            facts.screenSavers.isEmpty
            ? "locking is not seen" : "\(facts.screenSavers.joined(separator: ", ")) reports locking"
        return [
            isReachable
                ? limited(
                    .presence,
                    "logind does not know this session: \(lock), and user switches are not seen.",
                    mend: "Start Screen Time from within the session."
                )
                : limited(
                    .presence,
                    "logind does not answer: only the clocks show sleep, \(lock), and user switches are not seen.",
                    mend: "sudo apt-get install systemd libpam-systemd"
                )
        ]
    }

    // MARK: - What shields do

    private static func covers(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> DoctorFinding
    {
        guard !choice.isBlind else {
            return missing(
                .shields,
                "Screen Time cannot put up shields here: it keeps the rules but cannot enforce them."
            )
        }
        guard choice.kind != .gnome || signs.gnome?.covers == true else {
            return missing(
                .shields,
                "Screen Time covers nothing here: it does not know this version of GNOME Shell."
            )
        }
        guard choice.kind != .wlroots || signs.wayland?.takesLayers == true else {
            return missing(
                .shields,
                "This compositor lets no program draw above windows (it offers no \(WaylandSign.layers)), "
                    + "so Screen Time cannot cover anything."
            )
        }
        return sees(.frames, signs, choice, facts)
            ? fine(.shields, "A shield lies exactly over the window of its app.")
            : limited(
                .shields,
                "The display does not say where windows are, so a shield covers the whole monitor."
            )
    }

    private static func drawing(_ facts: DoctorFacts) -> DoctorFinding? {
        guard facts.canDraw == false else { return nil }
        return limited(
            .shields,
            "screentime-draw is not beside desktop-agent: shields are plain, without words.",
            mend: "Install screentime-draw in the same folder."
        )
    }

    private static func readers(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let tells = facts.tellsReaders else { return [] }
        return [
            tells
                ? fine(.shields, "Screen readers can read shields, with their words and buttons.")
                : limited(
                    .shields,
                    "Shields work by pointer and keyboard; screen readers cannot read them yet."
                )
        ]
    }

    private static func escalation(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let escalation = facts.escalation else { return [] }
        let wait = facts.escalateAfterMs.map { " \(TextFormat.duration(ms: $0))" } ?? " a while"
        let text =
            switch escalation {
            case .cover: "Shields cover apps and let them run underneath."
            case .close: "Shields cover apps, pause them, and after\(wait) close them politely."
            case .end:
                "Shields cover apps, pause them, after\(wait) close them politely and after\(wait) more end them."
            default: "Shields cover apps and pause them: no work is lost."
            }
        return [
            fine(
                .pausing,
                text
                    + " To change it, write escalation = cover, pause, close or end under [desktop-agent] in "
                    + "~/.config/screentime/config."
            )
        ]
    }

    private static func pausing(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard facts.escalation != .cover, let canFreeze = facts.canFreeze else { return [] }
        let why = facts.freezer.map { " (\($0))" } ?? ""
        return [
            fine(
                .pausing,
                canFreeze
                    ? "Pausing freezes an app's cgroup, or stops its processes by SIGSTOP where it has none."
                    : "Pausing stops an app's processes by SIGSTOP\(why)."
            )
        ]
    }

    private static func never(_ facts: DoctorFacts) -> [DoctorFinding] {
        facts.never.map { fine(.never, $0) } + [
            fine(
                .never,
                facts.neverApps.isEmpty
                    ? "Apps that you name: never_pause = gimp,code under [desktop-agent] in ~/.config/screentime/config."
                    : "By your settings (never_pause): \(facts.neverApps.joined(separator: ", "))."
            )
        ]
    }
}

/// What the doctor knows beside the screen; nil: that was not looked at.
package struct DoctorFacts: Sendable, Equatable {
    /// What the adapter at work says it can do; nil when none is.
    package var abilities: [DoctorAbility: Bool]?
    /// How many programs there are to choose from.
    package var programs: Int?
    /// Browsers with windows, by name, and the version of the extension that says which site is in front; nil: none does.
    package var browsers: [String: String?] = [:]
    /// Which session of logind this is; nil: logind does not know us.
    package var session: String?
    package var isLogindReachable: Bool?
    package var isSessionBusReachable: Bool?
    /// Programs that tell when they lock the screen.
    package var screenSavers: [String] = []
    /// After how many milliseconds without a key or a pointer the user counts as away.
    package var idleMs: Int64?
    /// Why notifications are not counted; empty: they are.
    package var notificationsRefused: String?
    /// Whether apps have cgroups of their own here that we may freeze; the sentence says why not.
    package var freezer: String?
    package var canFreeze: Bool?
    /// Whether the program that draws is there.
    package var canDraw: Bool?
    /// Whether screen readers can read what we show.
    package var tellsReaders: Bool?
    /// How far a shield goes, and how long each step takes.
    package var escalation: Escalation?
    package var escalateAfterMs: Int64?
    /// What is never paused here: its name and why.
    package var never: [String] = []
    /// Apps that the settings take out of it too.
    package var neverApps: [String] = []

    package init() {}
}

/// What an adapter may be able to do.
package enum DoctorAbility: String, Sendable, CaseIterable {
    case processes, frames, idle, covers, holdsInput, minimizes
}
