import STContracts
import STPlatform

/// One setting: where it stands in the file, what it may be, and what it is when it is not set.
package struct ConfigurationKey: Sendable {
    package var section: String
    package var name: String
    package var fallback: String
    /// A sentence that says what is accepted.
    package var expectation: String
    package var accepts: @Sendable (String) -> Bool

    package var id: String { section + "/" + name }

    /// `SCREENTIME_LOG_LEVEL`, `SCREENTIME_DESKTOP_AGENT_SCRIPT`.
    package var environmentName: String {
        let words = (section.isEmpty ? [name] : [section, name]).joined(separator: "_")
        return "SCREENTIME_" + words.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    package static let logLevel = ConfigurationKey(
        section: "",
        name: "log_level",
        fallback: "info",
        expectation: "It is one of debug, info, warning, error.",
        accepts: { LogLevel(rawValue: $0) != nil }
    )

    package static let activityAgents = ConfigurationKey(
        section: "activity-center",
        name: "agents",
        fallback: "",
        expectation:
            "It is a list of agents, such as desktop-agent, separated by commas; empty means any.",
        accepts: { $0.isEmpty || !names($0).contains("") }
    )

    package static let all =
        [logLevel] + desktop + activity + monitor + shield + report + notifier + [
            householdStore, householdKeepDays, householdHook, householdHookNames,
        ]

    /// The names in a list separated by commas.
    package static func names(_ list: String) -> [String] {
        if list.isEmpty { return [] }
        return list.split(separator: ",", omittingEmptySubsequences: false).map { name in
            String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    // How much apps may watch: Apple's numbers, unless they are set otherwise.

    package static let activitiesMax = ConfigurationKey(
        section: "activity-center",
        name: "activities_max",
        fallback: "20",
        expectation: "It is how many activities one app may watch, 1 to 1000.",
        accepts: { Int($0).map { (1...1_000).contains($0) } ?? false }
    )

    package static let intervalMin = ConfigurationKey(
        section: "activity-center",
        name: "interval_min",
        fallback: "15m",
        expectation: "It is the shortest interval that may be watched, such as 15m or 1s.",
        accepts: { TextFormat.durationMs($0).map { $0 > 0 } ?? false }
    )

    package static let intervalMax = ConfigurationKey(
        section: "activity-center",
        name: "interval_max",
        fallback: "7d",
        expectation: "It is the longest interval that may be watched, such as 7d.",
        accepts: { TextFormat.durationMs($0).map { $0 > 0 } ?? false }
    )

    package static let scheduleMode = ConfigurationKey(
        section: "activity-center",
        name: "schedule_mode",
        fallback: "wall_clock",
        expectation: "It is wall_clock (told at the moment itself) or first_use (told as a phone does).",
        accepts: { ["wall_clock", "first_use"].contains($0) }
    )

    package static let shieldedTime = ConfigurationKey(
        section: "activity-center",
        name: "shielded_time",
        fallback: "apart",
        expectation:
            "It is apart (time in front of a shield is not use of the app) or counted (it is, as on a phone).",
        accepts: { ["apart", "counted"].contains($0) }
    )

    package static let phoneFaults = ConfigurationKey(
        section: "activity-center",
        name: "phone_faults",
        fallback: "",
        expectation: "It is a list of faults of phones to play: "
            + PhoneFault.ofCallbacks.map(\.rawValue).joined(separator: ", ") + ".",
        accepts: { list in
            names(list).allSatisfy { name in PhoneFault.ofCallbacks.contains { $0.rawValue == name } }
        }
    )

    /// Empty is where the freedesktop rules look, and nothing at all on a virtual clock: a day that is played must go the
    /// same on every computer.
    package static let desktopFolders = ConfigurationKey(
        section: "activity-center",
        name: "desktop_folders",
        fallback: "",
        expectation:
            "It is a list of absolute paths of folders of .desktop files, separated by colons, or none.",
        accepts: { list in
            list.isEmpty || list == "none"
                || list.split(separator: ":", omittingEmptySubsequences: false).allSatisfy {
                    $0.hasPrefix("/")
                }
        }
    )

    package static let householdStore = ConfigurationKey(
        section: "household-service",
        name: "store",
        fallback: "",
        expectation:
            "It is empty (a file of its own) or the address of a PostgreSQL without a password, such as postgresql://NAME@HOST/DATABASE; the password belongs into ~/.pgpass, or into a file that the address names: ?passfile=/PATH.",
        // What is set stands in the history, which all adults of the household read.
        accepts: { address in
            guard address.hasPrefix("postgresql://") else { return address.isEmpty }
            let account = address.dropFirst("postgresql://".count).prefix { $0 != "/" && $0 != "?" }
            let name = account.contains("@") ? account.prefix { $0 != "@" } : ""
            return !name.contains(":") && !address.contains("password=")
        }
    )

    package static let householdKeepDays = ConfigurationKey(
        section: "household-service",
        name: "keep_days",
        fallback: "0",
        expectation:
            "It is a number of days from 7 to 36500, after which the household deletes what was used; 0 keeps it.",
        accepts: { Int64($0).map { $0 == 0 || (7...36_500).contains($0) } ?? false }
    )

    package static let householdHook = ConfigurationKey(
        section: "household-service",
        name: "hook",
        fallback: "",
        expectation:
            "It is empty, or the path of a program and its words, such as /usr/share/screentime/hooks/ntfy /etc/screentime/topic: it is started for each request that waits for a guardian, and for each week.",
        accepts: { $0.isEmpty || $0.hasPrefix("/") }
    )

    package static let householdHookNames = ConfigurationKey(
        section: "household-service",
        name: "hook_names",
        fallback: "no",
        expectation: "It is yes or no: whether the hook gets the names of apps and sites, and reasons.",
        accepts: { ["yes", "no"].contains($0) }
    )

    static let activity = [
        activityAgents, activitiesMax, intervalMin, intervalMax, scheduleMode, shieldedTime, phoneFaults,
        desktopFolders,
    ]

    // How the desktop is looked at, and how far shields go on it.

    private static let section = "desktop-agent"

    package static let desktopScript = ConfigurationKey(
        section: section,
        name: "script",
        fallback: "",
        expectation: "It is the absolute path of a script that says who looks at what.",
        accepts: { $0.isEmpty || $0.hasPrefix("/") }
    )

    package static let desktopAdapter = ConfigurationKey(
        section: section,
        name: "adapter",
        fallback: "auto",
        expectation: "It is auto, x11, wlroots, gnome, kwin, or none, which only plays scripts.",
        accepts: { ["auto", "x11", "wlroots", "gnome", "kwin", "none"].contains($0) }
    )

    /// Of before 0.6: auth-service takes it over, and keeps whose account this is from then on.
    package static let desktopMember = ConfigurationKey(
        section: section,
        name: "member",
        fallback: "",
        expectation: "It is the name of the member who sits here; empty means the owner of this account.",
        accepts: { $0.utf8.count <= 128 }
    )

    package static let desktopIdle = ConfigurationKey(
        section: section,
        name: "idle_ms",
        fallback: "300000",
        expectation:
            "It is how many milliseconds without a key or the pointer count as away, from 1000 to 3600000.",
        accepts: { Int64($0).map { (1_000...3_600_000).contains($0) } ?? false }
    )

    package static let desktopWatching = ConfigurationKey(
        section: section,
        name: "watching_ms",
        fallback: "14400000",
        expectation:
            "It is how many milliseconds a film or a call counts without a touch, from 0, which counts none, to 86400000.",
        accepts: { Int64($0).map { (0...86_400_000).contains($0) } ?? false }
    )

    package static let desktopEscalation = ConfigurationKey(
        section: section,
        name: "escalation",
        fallback: "pause",
        expectation: "It is how far a shield goes: cover, pause, close or end.",
        accepts: { ["cover", "pause", "close", "end"].contains($0) }
    )

    package static let desktopEscalateAfter = ConfigurationKey(
        section: section,
        name: "escalate_after_ms",
        fallback: "60000",
        expectation: "It is how many milliseconds lie between two steps of a shield, from 1000 to 3600000.",
        accepts: { Int64($0).map { (1_000...3_600_000).contains($0) } ?? false }
    )

    package static let desktopNeverPause = ConfigurationKey(
        section: section,
        name: "never_pause",
        fallback: "",
        expectation: "It is a list of apps that are covered and never paused, separated by commas.",
        accepts: { $0.isEmpty || !names($0).contains("") }
    )

    private static func onOrOff(_ name: String, fallback: String, off: String) -> ConfigurationKey {
        ConfigurationKey(
            section: section,
            name: name,
            fallback: fallback,
            expectation: "It is on, or off, which \(off).",
            accepts: { ["on", "off"].contains($0) }
        )
    }

    package static let desktopCountdown = onOrOff(
        "countdown",
        fallback: "off",
        off: "shows no countdown on the screen"
    )

    package static let desktopTray = onOrOff("tray", fallback: "on", off: "puts no item in the tray")

    package static let desktopNotifications = onOrOff(
        "count_notifications",
        fallback: "on",
        off: "counts no notifications"
    )

    package static let desktopLanguage = ConfigurationKey(
        section: section,
        name: "language",
        fallback: "",
        expectation: "It is a language such as ko or en_US; empty means that of the session.",
        accepts: { $0.utf8.count <= 35 }
    )

    static let desktop = [
        desktopScript, desktopAdapter, desktopMember, desktopIdle, desktopWatching, desktopEscalation,
        desktopEscalateAfter,
        desktopNeverPause, desktopCountdown, desktopTray, desktopNotifications, desktopLanguage,
    ]

    // What an extension may use.

    /// What a monitor may use in one callback; the device gives 6 MB.
    package static let memoryKiB = number(
        "monitor-runner",
        "memory_kib",
        fallback: 6 * 1024,
        1_024...4_194_304
    )

    package static let callMs = number("monitor-runner", "call_ms", fallback: 30_000, 100...3_600_000)

    package static let outputKiB = number("monitor-runner", "output_kib", fallback: 256, 1...65_536)

    package static let keepWarmMs = number("monitor-runner", "keep_warm_ms", fallback: 5_000, 0...3_600_000)

    /// How often a failing callback is tried before it is parked.
    package static let attempts = number("monitor-runner", "attempts", fallback: 3, 1...10)

    /// How long what a callback began may go on once it has returned; a phone does not wait for it.
    package static let workMs = number("monitor-runner", "work_ms", fallback: 3_600_000, 0...3_600_000)

    static let monitor = [memoryKiB, callMs, outputKiB, keepWarmMs, attempts, workMs]

    static func number(
        _ section: String,
        _ name: String,
        fallback: Int64,
        _ range: ClosedRange<Int64>
    ) -> ConfigurationKey {
        ConfigurationKey(
            section: section,
            name: name,
            fallback: String(fallback),
            expectation: "It is a whole number from \(range.lowerBound) to \(range.upperBound).",
            accepts: { text in Int64(text).map { range.contains($0) } ?? false }
        )
    }

    // How notifications reach people.

    package static let notifierDesktop = ConfigurationKey(
        section: "notifier",
        name: "desktop",
        fallback: "on",
        expectation: "It is on, or off, which only keeps notifications in the list.",
        accepts: { ["on", "off"].contains($0) }
    )

    static let notifier = [notifierDesktop]

    // What the extensions of reports may use.

    /// In one call; a phone gives 100 MB.
    package static let reportMemoryKiB = number(
        "report-service",
        "memory_kib",
        fallback: 100 * 1024,
        1_024...4_194_304
    )

    /// How long an app may take to make a report.
    package static let reportMs = number("report-service", "report_ms", fallback: 10_000, 50...60_000)

    package static let reportOutputKiB = number("report-service", "output_kib", fallback: 256, 1...65_536)

    /// A person who looks at a live report asks for it every few seconds.
    package static let reportKeepWarmMs = number(
        "report-service",
        "keep_warm_ms",
        fallback: 10_000,
        0...3_600_000
    )

    /// How long what a call began may go on once it has returned.
    package static let reportWorkMs = number("report-service", "work_ms", fallback: 3_600_000, 0...3_600_000)

    /// 1: extensions run also where the kernel cannot keep the network from them.
    package static let reportMayHaveNetwork = number("report-service", "may_have_network", fallback: 0, 0...1)

    static let report = [
        reportMemoryKiB, reportMs, reportOutputKiB, reportKeepWarmMs, reportWorkMs, reportMayHaveNetwork,
    ]

    // What the extensions of shields may use.

    /// In one call.
    package static let shieldMemoryKiB = number(
        "shield-service",
        "memory_kib",
        fallback: 6 * 1024,
        1_024...4_194_304
    )

    /// How long a person waits for an app's own look before the system's is shown.
    package static let shieldLookMs = number("shield-service", "look_ms", fallback: 2_000, 50...60_000)

    /// The same for what an app answers to a button.
    package static let shieldActionMs = number("shield-service", "action_ms", fallback: 5_000, 50...60_000)

    package static let shieldOutputKiB = number("shield-service", "output_kib", fallback: 256, 1...65_536)

    package static let shieldKeepWarmMs = number(
        "shield-service",
        "keep_warm_ms",
        fallback: 5_000,
        0...3_600_000
    )

    /// How long what a call began may go on once it has returned.
    package static let shieldWorkMs = number("shield-service", "work_ms", fallback: 3_600_000, 0...3_600_000)

    static let shield = [
        shieldMemoryKiB, shieldLookMs, shieldActionMs, shieldOutputKiB, shieldKeepWarmMs, shieldWorkMs,
    ]
}
