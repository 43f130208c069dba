import STContracts
package import STPlatform

/// One setting: its place in the file, its valid values, and its default.
package struct ConfigurationKey: Sendable {
    package var section: String
    package var name: String
    package var fallback: String
    /// Sentences that name the valid values.
    package var expectation: Message
    package var accepts: @Sendable (String) -> Bool

    package var id: String { section + "/" + name }

    /// The name of its environment variable, for example `SCREENTIME_LOG_LEVEL` or `SCREENTIME_DESKTOP_AGENT_SCRIPT`.
    package var environmentName: String {
        let words = (section.isEmpty ? [name] : [section, name]).joined(separator: "_")
        return "SCREENTIME_" + words.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    package static let logLevel = ConfigurationKey(
        section: "",
        name: "log_level",
        fallback: "info",
        expectation: Message("config.log-levels", "Valid values: debug, info, warning, error."),
        accepts: { LogLevel(rawValue: $0) != nil }
    )

    package static let activityAgents = ConfigurationKey(
        section: "activity-center",
        name: "agents",
        fallback: "",
        expectation: Message(
            "config.names-of-agents",
            "Write agents, such as desktop-agent, separated by commas. An empty value allows any agent."
        ),
        accepts: { $0.isEmpty || !names($0).contains("") }
    )

    package static let all =
        [logLevel] + desktop + activity + monitor + shield + report + notifier + [
            householdStore, householdKeepDays, householdHook, householdHookNames,
        ]

    /// Returns the names in a list separated by commas.
    package static func names(_ list: String) -> [String] {
        if list.isEmpty { return [] }
        return list.split(separator: ",", omittingEmptySubsequences: false).map { name in
            String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    // Limits on activities. The defaults are Apple's.

    package static let activitiesMax = ConfigurationKey(
        section: "activity-center",
        name: "activities_max",
        fallback: "20",
        expectation: wholeNumbers(1...1_000),
        accepts: { Int($0).map { (1...1_000).contains($0) } ?? false }
    )

    package static let intervalMin = ConfigurationKey(
        section: "activity-center",
        name: "interval_min",
        fallback: "15m",
        expectation: Message("config.shortest-interval", "Write a duration, such as 15m or 1s."),
        accepts: { TextFormat.durationMs($0).map { $0 > 0 } ?? false }
    )

    package static let intervalMax = ConfigurationKey(
        section: "activity-center",
        name: "interval_max",
        fallback: "7d",
        expectation: Message("config.longest-interval", "Write a duration, such as 7d."),
        accepts: { TextFormat.durationMs($0).map { $0 > 0 } ?? false }
    )

    package static let scheduleMode = ConfigurationKey(
        section: "activity-center",
        name: "schedule_mode",
        fallback: "wall_clock",
        expectation: Message(
            "config.schedule-modes",
            """
            Valid values: wall_clock (reports a start or end when it occurs), first_use (reports it when \
            the device is next used, as a phone does).
            """
        ),
        accepts: { ["wall_clock", "first_use"].contains($0) }
    )

    package static let shieldedTime = ConfigurationKey(
        section: "activity-center",
        name: "shielded_time",
        fallback: "apart",
        expectation: Message(
            "config.shielded-time-modes",
            """
            Valid values: apart (does not count time in front of a shield as usage of the app), counted \
            (counts it, as a phone does).
            """
        ),
        accepts: { ["apart", "counted"].contains($0) }
    )

    private static let knownFaults = PhoneFault.ofCallbacks.map(\.rawValue).joined(separator: ", ")

    package static let phoneFaults = ConfigurationKey(
        section: "activity-center",
        name: "phone_faults",
        fallback: "",
        expectation: Message(
            "config.phone-faults",
            "Write the phone faults to simulate, separated by commas. Valid faults: \(knownFaults, "known")."
        ),
        accepts: { list in
            names(list).allSatisfy { name in PhoneFault.ofCallbacks.contains { $0.rawValue == name } }
        }
    )

    /// An empty value means the folders of the freedesktop specifications. On a virtual clock it means no folder, because a
    /// simulated day must be the same on every computer.
    package static let desktopFolders = ConfigurationKey(
        section: "activity-center",
        name: "desktop_folders",
        fallback: "",
        expectation: Message(
            "config.desktop-folders",
            "Write absolute paths of folders of .desktop files, separated by colons, or the word none."
        ),
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
        expectation: Message(
            "config.household-store",
            """
            Write the address of a PostgreSQL database without a password, such as \
            postgresql://NAME@HOST/DATABASE. Save the password in ~/.pgpass, or in a file that the address \
            names with ?passfile=/PATH. An empty value uses a file instead of PostgreSQL.
            """
        ),
        // The history contains the value, and all adults of the household can read it.
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
        expectation: Message(
            "config.household-keep-days",
            "Write a number of days from 7 to 36500, after which the household deletes usage. 0 keeps it."
        ),
        accepts: { Int64($0).map { $0 == 0 || (7...36_500).contains($0) } ?? false }
    )

    package static let householdHook = ConfigurationKey(
        section: "household-service",
        name: "hook",
        fallback: "",
        expectation: Message(
            "config.household-hook",
            """
            Write the absolute path of a program and its arguments, such as \
            /usr/share/screentime/hooks/ntfy /etc/screentime/topic. An empty value starts no program.
            """
        ),
        accepts: { $0.isEmpty || $0.hasPrefix("/") }
    )

    package static let householdHookNames = ConfigurationKey(
        section: "household-service",
        name: "hook_names",
        fallback: "no",
        expectation: Message(
            "config.household-hook-names",
            """
            Valid values: yes (gives the hook the names of apps and sites, and the reasons of requests), no.
            """
        ),
        accepts: { ["yes", "no"].contains($0) }
    )

    static let activity = [
        activityAgents, activitiesMax, intervalMin, intervalMax, scheduleMode, shieldedTime, phoneFaults,
        desktopFolders,
    ]

    // Observation of the desktop, and the effect of shields on it.

    private static let section = "desktop-agent"

    package static let desktopScript = ConfigurationKey(
        section: section,
        name: "script",
        fallback: "",
        expectation: Message(
            "config.desktop-script",
            "Write the absolute path of a file with observations to play instead of a desktop."
        ),
        accepts: { $0.isEmpty || $0.hasPrefix("/") }
    )

    package static let desktopAdapter = ConfigurationKey(
        section: section,
        name: "adapter",
        fallback: "auto",
        expectation: Message(
            "config.desktop-adapters",
            "Valid values: auto, x11, wlroots, gnome, kwin, none (only plays scripts)."
        ),
        accepts: { ["auto", "x11", "wlroots", "gnome", "kwin", "none"].contains($0) }
    )

    /// A setting from before 0.6. auth-service reads it once, and stores the owner of the account from then on.
    package static let desktopMember = ConfigurationKey(
        section: section,
        name: "member",
        fallback: "",
        expectation: Message(
            "config.desktop-member",
            """
            Write the name of a member, of at most 128 bytes. An empty value means the owner of this account.
            """
        ),
        accepts: { $0.utf8.count <= 128 }
    )

    package static let desktopIdle = ConfigurationKey(
        section: section,
        name: "idle_ms",
        fallback: "300000",
        expectation: milliseconds(1_000...3_600_000),
        accepts: { Int64($0).map { (1_000...3_600_000).contains($0) } ?? false }
    )

    package static let desktopWatching = ConfigurationKey(
        section: section,
        name: "watching_ms",
        fallback: "14400000",
        expectation: milliseconds(0...86_400_000),
        accepts: { Int64($0).map { (0...86_400_000).contains($0) } ?? false }
    )

    package static let desktopEscalation = ConfigurationKey(
        section: section,
        name: "escalation",
        fallback: "pause",
        expectation: Message("config.desktop-escalations", "Valid values: cover, pause, close, end."),
        accepts: { ["cover", "pause", "close", "end"].contains($0) }
    )

    package static let desktopEscalateAfter = ConfigurationKey(
        section: section,
        name: "escalate_after_ms",
        fallback: "60000",
        expectation: milliseconds(1_000...3_600_000),
        accepts: { Int64($0).map { (1_000...3_600_000).contains($0) } ?? false }
    )

    package static let desktopNeverPause = ConfigurationKey(
        section: section,
        name: "never_pause",
        fallback: "",
        expectation: Message(
            "config.desktop-never-pause",
            "Write apps, such as gimp, separated by commas."
        ),
        accepts: { $0.isEmpty || !names($0).contains("") }
    )

    private static func onOrOff(_ section: String, _ name: String, fallback: String) -> ConfigurationKey {
        ConfigurationKey(
            section: section,
            name: name,
            fallback: fallback,
            expectation: Message("config.on-or-off", "Valid values: on, off."),
            accepts: { ["on", "off"].contains($0) }
        )
    }

    package static let desktopCountdown = onOrOff(section, "countdown", fallback: "off")

    package static let desktopTray = onOrOff(section, "tray", fallback: "on")

    package static let desktopNotifications = onOrOff(section, "count_notifications", fallback: "on")

    package static let desktopLanguage = ConfigurationKey(
        section: section,
        name: "language",
        fallback: "",
        expectation: Message(
            "config.desktop-language",
            "Write a language, such as ko or en_US. An empty value uses the language of the session."
        ),
        accepts: { $0.utf8.count <= 35 }
    )

    static let desktop = [
        desktopScript, desktopAdapter, desktopMember, desktopIdle, desktopWatching, desktopEscalation,
        desktopEscalateAfter,
        desktopNeverPause, desktopCountdown, desktopTray, desktopNotifications, desktopLanguage,
    ]

    // Limits of extensions.

    /// Upper bound on the memory of a monitor in one callback, in KiB. A device allows 6 MB.
    package static let memoryKiB = number(
        "monitor-runner",
        name: "memory_kib",
        fallback: 6 * 1024,
        range: 1_024...4_194_304
    )

    package static let callMs = number(
        "monitor-runner",
        name: "call_ms",
        fallback: 30_000,
        range: 100...3_600_000
    )

    package static let outputKiB = number(
        "monitor-runner",
        name: "output_kib",
        fallback: 256,
        range: 1...65_536
    )

    package static let keepWarmMs = number(
        "monitor-runner",
        name: "keep_warm_ms",
        fallback: 5_000,
        range: 0...3_600_000
    )

    /// The number of failures after which a callback is parked.
    package static let attempts = number("monitor-runner", name: "attempts", fallback: 3, range: 1...10)

    /// The time for work that a callback began, after the callback has returned. A phone does not wait for it.
    package static let workMs = number(
        "monitor-runner",
        name: "work_ms",
        fallback: 3_600_000,
        range: 0...3_600_000
    )

    static let monitor = [memoryKiB, callMs, outputKiB, keepWarmMs, attempts, workMs]

    static func number(
        _ section: String,
        name: String,
        fallback: Int64,
        range: ClosedRange<Int64>
    ) -> ConfigurationKey {
        ConfigurationKey(
            section: section,
            name: name,
            fallback: String(fallback),
            expectation: wholeNumbers(range),
            accepts: { text in Int64(text).map { range.contains($0) } ?? false }
        )
    }

    private static func wholeNumbers(_ range: ClosedRange<Int64>) -> Message {
        Message(
            "config.whole-numbers",
            "Valid values: whole numbers from \(range.lowerBound, "least") to \(range.upperBound, "most")."
        )
    }

    private static func milliseconds(_ range: ClosedRange<Int64>) -> Message {
        Message(
            "config.milliseconds",
            """
            Valid values: whole numbers of milliseconds from \(range.lowerBound, "least") to \
            \(range.upperBound, "most").
            """
        )
    }

    // Delivery of notifications.

    package static let notifierDesktop = onOrOff("notifier", "desktop", fallback: "on")

    static let notifier = [notifierDesktop]

    // Limits of the extensions of reports.

    /// Upper bound on the memory in one call, in KiB. A phone allows 100 MB.
    package static let reportMemoryKiB = number(
        "report-service",
        name: "memory_kib",
        fallback: 100 * 1024,
        range: 1_024...4_194_304
    )

    /// The time in which an app must make a report.
    package static let reportMs = number(
        "report-service",
        name: "report_ms",
        fallback: 10_000,
        range: 50...60_000
    )

    package static let reportOutputKiB = number(
        "report-service",
        name: "output_kib",
        fallback: 256,
        range: 1...65_536
    )

    /// Longer than for other extensions, because a live report is requested every few seconds.
    package static let reportKeepWarmMs = number(
        "report-service",
        name: "keep_warm_ms",
        fallback: 10_000,
        range: 0...3_600_000
    )

    /// The time for work that a call began, after the call has returned.
    package static let reportWorkMs = number(
        "report-service",
        name: "work_ms",
        fallback: 3_600_000,
        range: 0...3_600_000
    )

    /// If 1, extensions run even if the kernel cannot block their network access.
    package static let reportMayHaveNetwork = number(
        "report-service",
        name: "may_have_network",
        fallback: 0,
        range: 0...1
    )

    static let report = [
        reportMemoryKiB, reportMs, reportOutputKiB, reportKeepWarmMs, reportWorkMs, reportMayHaveNetwork,
    ]

    // Limits of the extensions of shields.

    /// Upper bound on the memory in one call, in KiB.
    package static let shieldMemoryKiB = number(
        "shield-service",
        name: "memory_kib",
        fallback: 6 * 1024,
        range: 1_024...4_194_304
    )

    /// The time for which a person waits for an app's own appearance of a shield before the system's is shown.
    package static let shieldLookMs = number(
        "shield-service",
        name: "look_ms",
        fallback: 2_000,
        range: 50...60_000
    )

    /// The time for which a person waits for an app's reaction to a button of a shield.
    package static let shieldActionMs = number(
        "shield-service",
        name: "action_ms",
        fallback: 5_000,
        range: 50...60_000
    )

    package static let shieldOutputKiB = number(
        "shield-service",
        name: "output_kib",
        fallback: 256,
        range: 1...65_536
    )

    package static let shieldKeepWarmMs = number(
        "shield-service",
        name: "keep_warm_ms",
        fallback: 5_000,
        range: 0...3_600_000
    )

    /// The time for work that a call began, after the call has returned.
    package static let shieldWorkMs = number(
        "shield-service",
        name: "work_ms",
        fallback: 3_600_000,
        range: 0...3_600_000
    )

    static let shield = [
        shieldMemoryKiB, shieldLookMs, shieldActionMs, shieldOutputKiB, shieldKeepWarmMs, shieldWorkMs,
    ]
}
