import Foundation

/// When thresholds are reached, worked out the slow and obvious way: for each event and day, add up what was used.
enum CrossingReference {
    static func crossings(_ scenario: GeneratedScenario) -> Set<String> {
        var found: Set<String> = []
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: scenario.zone) ?? .gmt
        let start = Date(timeIntervalSince1970: Double(scenario.startWallMs) / 1_000)
        func moment(_ day: Int, _ minute: Int) -> Int64 {
            let date = calendar.date(byAdding: .day, value: day, to: calendar.startOfDay(for: start)) ?? start
            let time =
                calendar.nextDate(
                    after: date.addingTimeInterval(-1),
                    matching: DateComponents(hour: minute / 60, minute: minute % 60, second: 0),
                    matchingPolicy: .nextTimePreservingSmallerComponents
                ) ?? date
            return Int64(time.timeIntervalSince1970 * 1_000) - scenario.startWallMs
        }
        for event in scenario.events {
            for day in 0..<4 {
                let from = moment(day, event.fromMinute)
                let to = moment(day, event.toMinute)
                var usedMs: Int64 = 0
                for use in scenario.uses where use.member == event.member && matches(use, event) {
                    for part in awake(use, scenario) {
                        let begin = max(part.0, from)
                        let length = min(part.1, to) - begin
                        if length <= 0 { continue }
                        for (name, limit) in [
                            ("warning", event.thresholdMs - event.warningMs), ("reached", event.thresholdMs),
                        ]
                        where (usedMs < limit || usedMs == 0) && usedMs + length >= limit
                            && (name == "reached" || event.warningMs > 0)
                        {
                            // A warning longer than its threshold comes with the first use.
                            let at = begin + max(0, limit - usedMs)
                            if at < to {
                                found.insert(
                                    "\(event.activity)/\(event.event) \(name) \(scenario.startWallMs + at)"
                                )
                            }
                        }
                        usedMs += length
                    }
                }
            }
        }
        return found
    }

    private static func matches(_ use: GeneratedScenario.Use, _ event: GeneratedScenario.Event) -> Bool {
        event.targets.isEmpty || event.targets.contains(use.app)
            || use.site.map { event.targets.contains("site:" + $0) } == true
    }

    private static func awake(_ use: GeneratedScenario.Use, _ scenario: GeneratedScenario) -> [(Int64, Int64)]
    {
        var parts = [(use.startMs, use.endMs)]
        for sleep in scenario.sleeps {
            parts = parts.flatMap { [($0.0, min($0.1, sleep.startMs)), (max($0.0, sleep.endMs), $0.1)] }
                .filter { $0.0 < $0.1 }
        }
        return parts
    }
}
