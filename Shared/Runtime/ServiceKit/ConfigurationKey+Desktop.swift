/// How the desktop is looked at, and how far shields go on it.
extension ConfigurationKey {
    private static let section = "desktop-agent"

    package static let desktopScript = ConfigurationKey(
        section: section,
        name: "script",
        fallback: "",
        expectation: "It is the absolute path of a script of who looks at what.",
        accepts: { $0.isEmpty || $0.hasPrefix("/") }
    )

    package static let desktopAdapter = ConfigurationKey(
        section: section,
        name: "adapter",
        fallback: "auto",
        expectation: "It is auto, x11, wlroots, or none: then only scripts are played.",
        accepts: { ["auto", "x11", "wlroots", "none"].contains($0) }
    )

    package static let desktopMember = ConfigurationKey(
        section: section,
        name: "member",
        fallback: "",
        expectation: "It is the name of the member who sits here; nothing means the owner of this account.",
        accepts: { $0.utf8.count <= 128 }
    )

    package static let desktopIdle = ConfigurationKey(
        section: section,
        name: "idle_ms",
        fallback: "120000",
        expectation:
            "It is after how many milliseconds without a key or a pointer nobody is there, from 1000 to 3600000.",
        accepts: { Int64($0).map { (1_000...3_600_000).contains($0) } ?? false }
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
        expectation: "It is a list of apps that are covered and never paused, with commas between them.",
        accepts: { $0.isEmpty || !names($0).contains("") }
    )

    package static let desktopCountdown = ConfigurationKey(
        section: section,
        name: "countdown",
        fallback: "off",
        expectation: "It is on, or off: then nothing counts down on the screen.",
        accepts: { ["on", "off"].contains($0) }
    )

    package static let desktopNotifications = ConfigurationKey(
        section: section,
        name: "count_notifications",
        fallback: "on",
        expectation: "It is on, or off: then notifications are not counted.",
        accepts: { ["on", "off"].contains($0) }
    )

    package static let desktopLanguage = ConfigurationKey(
        section: section,
        name: "language",
        fallback: "",
        expectation: "It is a language such as ko or en_US; nothing means that of the session.",
        accepts: { $0.utf8.count <= 35 }
    )

    static let desktop = [
        desktopScript, desktopAdapter, desktopMember, desktopIdle, desktopEscalation, desktopEscalateAfter,
        desktopNeverPause, desktopCountdown, desktopNotifications, desktopLanguage,
    ]
}
