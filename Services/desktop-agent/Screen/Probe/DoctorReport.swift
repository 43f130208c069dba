package import STContracts
import STPlatform
import STWire

/// The doctor's findings, in the order of interest to people. Has no side effects.
package enum DoctorReport {
    package static func make(_ signs: ScreenProbeResult, choice: AdapterChoice, facts: DoctorFacts)
        -> DesktopDoctor.Reply
    {
        var findings = [session(signs), adapter(choice)]
        if !choice.hasNoAdapter {
            findings += sight(signs, choice: choice, facts: facts)
            findings += presence(signs, choice: choice, facts: facts)
        }
        findings += apps(facts) + notifications(facts)
        findings += [covers(signs, choice: choice, facts: facts), drawing(facts)].compactMap(\.self)
        if !choice.hasNoAdapter {
            findings += screenReaders(facts) + escalation(facts) + pausing(facts) + exemptions(facts)
        }
        return DesktopDoctor.Reply(
            adapter: choice.kind,
            reason: choice.reason,
            isBlind: choice.hasNoAdapter,
            wayOut: choice.remedy,
            findings: findings
        )
    }

    private static func fine(_ topic: DoctorTopic, _ text: Message) -> DoctorFinding {
        DoctorFinding(topic: topic, state: .fine, text: text)
    }

    private static func limited(_ topic: DoctorTopic, _ text: Message, mend: Message? = nil) -> DoctorFinding
    {
        DoctorFinding(topic: topic, state: .limited, text: text, mend: mend)
    }

    private static func missing(_ topic: DoctorTopic, _ text: Message, code: ConditionCode) -> DoctorFinding {
        DoctorFinding(topic: topic, state: .missing, text: text, code: code)
    }

    // MARK: - Observation

    /// Returns the ability that the running adapter reports, or else the one that the signs of the screen suggest.
    private static func sees(
        _ ability: DoctorAbility,
        signs: ScreenProbeResult,
        choice: AdapterChoice,
        facts: DoctorFacts
    ) -> Bool {
        if let told = facts.abilities?[ability] { return told }
        return switch (choice.kind, ability) {
        case (.x11, .processes): signs.x11?.reportsProcesses == true
        case (.x11, .idle): signs.x11?.reportsIdle == true
        case (.wlroots, .idle): signs.wayland?.reportsIdle == true
        case (.wlroots, _): signs.wayland?.hasSway == true
        default: true
        }
    }

    private static func session(_ signs: ScreenProbeResult) -> DoctorFinding {
        guard signs.x11 != nil || signs.wayland != nil else {
            return missing(
                .session,
                Message("agent.no-desktop-in-session", "There is no desktop in this session."),
                code: .desktopUnobserved
            )
        }
        guard let desktop = signs.desktopName ?? signs.wayland?.compositor else {
            return fine(
                .session,
                signs.isWayland
                    ? Message("agent.session-is-wayland", "This is a Wayland session.")
                    : Message("agent.session-is-x11", "This is an X11 session.")
            )
        }
        return fine(
            .session,
            signs.isWayland
                ? Message("agent.session-on-wayland", "This session is \(desktop, "desktop") on Wayland.")
                : Message("agent.session-on-x11", "This session is \(desktop, "desktop") on X11.")
        )
    }

    private static func adapter(_ choice: AdapterChoice) -> DoctorFinding {
        DoctorFinding(
            topic: .adapter,
            state: choice.hasNoAdapter ? .missing : choice.remedy == nil ? .fine : .limited,
            text: choice.reason,
            mend: choice.remedy,
            code: choice.hasNoAdapter ? .desktopUnobserved : choice.remedy == nil ? nil : .desktopLimited
        )
    }

    private static func sight(_ signs: ScreenProbeResult, choice: AdapterChoice, facts: DoctorFacts)
        -> [DoctorFinding]
    {
        [
            fine(
                .sight,
                Message(
                    "agent.sees-app-in-front",
                    "Screen Time sees the foreground app, and detects each change immediately."
                )
            ),
            processes(signs, choice: choice, facts: facts),
        ] + sites(facts)
    }

    private static func processes(_ signs: ScreenProbeResult, choice: AdapterChoice, facts: DoctorFacts)
        -> DoctorFinding
    {
        guard !sees(.processes, signs: signs, choice: choice, facts: facts) else {
            return fine(
                .sight,
                Message(
                    "agent.display-reports-programs",
                    "The display reports which program a window belongs to."
                )
            )
        }
        return limited(
            .sight,
            Message(
                "agent.display-reports-no-programs",
                """
                The display does not report which program a window belongs to. Screen Time uses the names \
                that windows give themselves, and covers apps without pausing them.
                """
            ),
            mend: choice.kind == .wlroots
                ? Message(
                    "agent.start-within-sway",
                    """
                    Start Screen Time from within sway, which reports the programs of windows through its \
                    own socket (SWAYSOCK).
                    """
                ) : nil
        )
    }

    private static let browserList = Message(verbatim: "screentime browser list")

    private static func sites(_ facts: DoctorFacts) -> [DoctorFinding] {
        let browsers = facts.browsers.sorted { $0.key < $1.key }
        guard !browsers.isEmpty else {
            return [
                limited(
                    .sight,
                    Message(
                        "agent.some-browsers-report-sites",
                        """
                        Screen Time sees sites in browsers that report the foreground site. Every other browser \
                        counts as an app.
                        """
                    ),
                    mend: browserList
                )
            ]
        }
        return browsers.map { name, version in
            guard let version else {
                return limited(
                    .sight,
                    Message(
                        "agent.browser-reports-no-sites",
                        "\(name, "browser") does not report the foreground site, so it counts as an app."
                    ),
                    mend: browserList
                )
            }
            return version == Version.text
                ? fine(
                    .sight,
                    Message(
                        "agent.browser-reports-sites",
                        "\(name, "browser") reports the foreground site, except in private windows."
                    )
                )
                : limited(
                    .sight,
                    Message(
                        "agent.browser-extension-of-other-version",
                        """
                        \(name, "browser") has the extension of another version of Screen Time \
                        (\(DisplayWidth.sanitized(version), "version")). Enable it again, and restart the \
                        browser.
                        """
                    ),
                    mend: browserList
                )
        }
    }

    private static func apps(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let programs = facts.programs else { return [] }
        return [
            programs == 0
                ? limited(
                    .apps,
                    Message(
                        "agent.no-desktop-entries",
                        "Screen Time found no desktop entries, so it names apps after their executables."
                    )
                )
                : fine(
                    .apps,
                    Message(
                        "agent.installed-apps-found",
                        count: programs,
                        one: "Screen Time found the name of \(programs, "count") installed app.",
                        other: "Screen Time found the names of \(programs, "count") installed apps."
                    )
                )
        ]
    }

    private static func notifications(_ facts: DoctorFacts) -> [DoctorFinding] {
        switch facts.notifications {
        case .counted:
            [
                fine(
                    .notifications,
                    Message("agent.counts-notifications", "Screen Time counts the notifications of each app.")
                )
            ]
        case .notKnown(let reason):
            [
                limited(
                    .notifications,
                    Message(
                        "agent.does-not-count-notifications",
                        "Screen Time does not count notifications: \(reason, "reason")"
                    )
                )
            ]
        case nil: []
        }
    }

    // MARK: - Presence

    private static func presence(_ signs: ScreenProbeResult, choice: AdapterChoice, facts: DoctorFacts)
        -> [DoctorFinding]
    {
        let gamepads = limited(
            .presence,
            Message(
                "agent.gamepads-are-not-seen",
                """
                Screen Time does not see gamepads. Playing with only a gamepad counts while the game keeps \
                the screen awake.
                """
            )
        )
        return [idle(signs, choice: choice, facts: facts)] + mediaPlayback(facts) + [gamepads] + locks(facts)
    }

    private static func idle(_ signs: ScreenProbeResult, choice: AdapterChoice, facts: DoctorFacts)
        -> DoctorFinding
    {
        guard sees(.idle, signs: signs, choice: choice, facts: facts) else {
            return limited(
                .presence,
                Message(
                    "agent.display-reports-no-use",
                    """
                    The display does not report whether the computer is in use, so time counts until the \
                    screen is locked.
                    """
                )
            )
        }
        return fine(
            .presence,
            facts.idleAfter.map {
                Message(
                    "agent.idle-after-length",
                    """
                    Keyboard and pointer show whether the computer is in use. It is idle after \
                    \(MessageValue.duration(ms: $0.ms), "length") without either.
                    """
                )
            }
                ?? Message(
                    "agent.keyboard-and-pointer-show-use",
                    "Keyboard and pointer show whether the computer is in use."
                )
        )
    }

    private static func mediaPlayback(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let isReachable = facts.isSessionBusReachable else { return [] }
        return [
            isReachable
                ? fine(
                    .presence,
                    Message(
                        "agent.films-count-as-use",
                        """
                        Media that plays in the foreground app counts as use, because media players report \
                        playback over the session bus.
                        """
                    )
                )
                : limited(
                    .presence,
                    Message(
                        "agent.films-do-not-count",
                        """
                        The session bus does not answer, so playing media without using the keyboard or \
                        pointer does not count as use.
                        """
                    ),
                    mend: Message(
                        "agent.import-address-of-bus",
                        "Start Screen Time from within the session, or run once: \(importing, "command")"
                    )
                )
        ]
    }

    private static let importing = "systemctl --user import-environment DBUS_SESSION_BUS_ADDRESS"

    private static func locks(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let isReachable = facts.isLogindReachable else { return [] }
        if isReachable, let session = facts.session {
            return [
                fine(
                    .presence,
                    Message(
                        "agent.logind-reports-locks",
                        "logind reports locking, sleep and user switches (session \(session, "session"))."
                    )
                )
            ]
        }
        let savers = facts.screenSavers.isEmpty ? nil : facts.screenSavers.joined(separator: ", ")
        return [
            isReachable
                ? limited(
                    .presence,
                    sessionUnknown(savers),
                    mend: Message("agent.start-within-session", "Start Screen Time from within the session.")
                )
                : limited(
                    .presence,
                    logindUnreachable(savers),
                    mend: Message(verbatim: "sudo apt-get install systemd libpam-systemd")
                )
        ]
    }

    private static func sessionUnknown(_ savers: String?) -> Message {
        savers.map {
            Message(
                "agent.session-unknown-but-locks-seen",
                """
                logind does not list this session. \($0, "programs") reports locking, but Screen Time does \
                not see user switches.
                """
            )
        }
            ?? Message(
                "agent.session-unknown-to-logind",
                "logind does not list this session, so Screen Time sees neither locking nor user switches."
            )
    }

    private static func logindUnreachable(_ savers: String?) -> Message {
        savers.map {
            Message(
                "agent.logind-silent-but-locks-seen",
                """
                logind does not answer. \($0, "programs") reports locking. Screen Time detects sleep only \
                from the clocks, and does not detect user switches.
                """
            )
        }
            ?? Message(
                "agent.logind-does-not-answer",
                """
                logind does not answer. Screen Time detects sleep only from the clocks, and detects neither \
                locking nor user switches.
                """
            )
    }

    // MARK: - Shields

    private static func covers(_ signs: ScreenProbeResult, choice: AdapterChoice, facts: DoctorFacts)
        -> DoctorFinding
    {
        guard !choice.hasNoAdapter else {
            return missing(
                .shields,
                Message(
                    "agent.no-shields-here",
                    "Screen Time cannot show shields here. It keeps the rules, but cannot enforce them."
                ),
                code: .desktopUnobserved
            )
        }
        guard choice.kind != .gnome || signs.gnome?.covers == true else {
            return missing(
                .shields,
                Message(
                    "agent.no-shields-on-shell",
                    "Screen Time covers nothing here, because it does not support this version of GNOME Shell."
                ),
                code: .desktopLimited
            )
        }
        guard choice.kind != .wlroots || signs.wayland?.supportsLayers == true else {
            return missing(
                .shields,
                Message(
                    "agent.no-shields-without-layers",
                    """
                    This compositor does not let programs draw above windows (it does not offer \
                    \(WaylandProbeResult.layers, "protocol")), so Screen Time cannot cover anything.
                    """
                ),
                code: .desktopLimited
            )
        }
        return sees(.frames, signs: signs, choice: choice, facts: facts)
            ? fine(
                .shields,
                Message("agent.shield-covers-window", "A shield covers exactly the window of its app.")
            )
            : limited(
                .shields,
                Message(
                    "agent.shield-covers-monitor",
                    "The display does not report where windows are, so a shield covers the whole monitor."
                )
            )
    }

    private static func drawing(_ facts: DoctorFacts) -> DoctorFinding? {
        guard facts.canDraw == false else { return nil }
        return limited(
            .shields,
            Message(
                "agent.draw-program-is-missing",
                "screentime-draw is not in the folder of desktop-agent, so shields are plain and have no text."
            ),
            mend: Message("agent.install-draw-program", "Install screentime-draw in the same folder.")
        )
    }

    private static func screenReaders(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let tells = facts.supportsScreenReaders else { return [] }
        return [
            tells
                ? fine(
                    .shields,
                    Message(
                        "agent.readers-can-read-shields",
                        "Screen readers can read the text and the buttons of shields."
                    )
                )
                : limited(
                    .shields,
                    Message(
                        "agent.readers-cannot-read-shields",
                        "Shields work with pointer and keyboard. Screen readers cannot read them yet."
                    )
                )
        ]
    }

    private static func escalation(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let escalation = facts.escalation else { return [] }
        let wait = MessageValue.duration(ms: facts.escalateAfter.ms)
        let text =
            switch escalation {
            case .cover:
                Message("agent.shields-cover", "Shields cover apps, which continue to run underneath.")
            case .close:
                Message(
                    "agent.shields-close",
                    "Shields cover apps, pause them, and after \(wait, "length") ask them to close."
                )
            case .end:
                Message(
                    "agent.shields-end",
                    """
                    Shields cover and pause apps, and ask them to close after \(wait, "length"). After \
                    another \(wait, "length"), Screen Time forces them to close.
                    """
                )
            default: Message("agent.shields-pause", "Shields cover apps and pause them. No work is lost.")
            }
        return [
            fine(
                .pausing,
                Message(
                    "agent.escalation-can-be-changed",
                    """
                    \(text, "escalation") To change it, write escalation = cover, pause, close or end under \
                    [desktop-agent] in ~/.config/screentime/config.
                    """
                )
            )
        ]
    }

    private static func pausing(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard facts.escalation != .cover, let canFreeze = facts.canFreeze else { return [] }
        return [
            fine(
                .pausing,
                canFreeze
                    ? Message(
                        "agent.pausing-freezes-cgroup",
                        """
                        To pause an app, Screen Time freezes its cgroup. If an app has no cgroup, Screen \
                        Time stops its processes with SIGSTOP.
                        """
                    )
                    : facts.freezer.map {
                        Message(
                            "agent.pausing-stops-because",
                            """
                            To pause an app, Screen Time stops its processes with SIGSTOP, because \
                            \($0, "reason").
                            """
                        )
                    }
                        ?? Message(
                            "agent.pausing-stops-processes",
                            "To pause an app, Screen Time stops its processes with SIGSTOP."
                        )
            )
        ]
    }

    private static func exemptions(_ facts: DoctorFacts) -> [DoctorFinding] {
        let apps = facts.exemptApps.joined(separator: ", ")
        return facts.exemptionReasons.map { fine(.never, $0) } + [
            fine(
                .never,
                apps.isEmpty
                    ? Message(
                        "agent.never-paused-can-be-set",
                        """
                        Apps that you name: never_pause = gimp,code under [desktop-agent] in \
                        ~/.config/screentime/config.
                        """
                    )
                    : Message(
                        "agent.apps-never-paused-by-settings",
                        "Apps in your settings (never_pause): \(apps, "apps")."
                    )
            )
        ]
    }
}
