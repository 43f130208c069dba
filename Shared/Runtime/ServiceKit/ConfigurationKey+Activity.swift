import STPlatform

/// How much apps may watch: Apple's numbers, unless somebody says otherwise.
extension ConfigurationKey {
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
            "It is apart (time looking at a shield is no use of the app) or counted (as on a phone, where it is).",
        accepts: { ["apart", "counted"].contains($0) }
    )

    /// Empty is where the freedesktop rules look, and nothing at all on a virtual clock: a day that is played must go the
    /// same on every computer.
    package static let desktopFolders = ConfigurationKey(
        section: "activity-center",
        name: "desktop_folders",
        fallback: "",
        expectation: "It is a list of absolute paths of folders of .desktop files, with colons, or none.",
        accepts: { list in
            list.isEmpty || list == "none"
                || list.split(separator: ":", omittingEmptySubsequences: false).allSatisfy {
                    $0.hasPrefix("/")
                }
        }
    )

    static let activity = [
        activityAgents, activitiesMax, intervalMin, intervalMax, scheduleMode, shieldedTime, desktopFolders,
    ]
}
