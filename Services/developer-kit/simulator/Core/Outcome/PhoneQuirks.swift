import STContracts
import STDomain
import STPlatform

/// Describes the behaviour of phones that they do not report.
struct PhoneQuirks {
    /// Returns the settings with which the services behave like a phone.
    static func configuration(_ faults: [PhoneFault]) -> String {
        """
        [activity-center]
        schedule_mode = first_use
        shielded_time = counted
        phone_faults = \(faults.filter(PhoneFault.ofCallbacks.contains).map(\.rawValue).joined(separator: ","))
        [monitor-runner]
        memory_kib = 5120
        attempts = 1
        work_ms = 50
        """
    }

    /// The message of the extension host for interrupted work.
    static let cutWork = "The callback has returned; what it had begun besides was cut off, as on a phone."

    private let expectationText: ExpectationText
    private let faults: [PhoneFault]

    init(_ zone: ZoneRules, _ faults: [PhoneFault]) {
        expectationText = ExpectationText(zone: zone)
        self.faults = faults
    }

    func unreportedProblems(_ timeline: [TimelineEntry]) -> [String] {
        faults.map { "\($0.rawValue): \(Self.meaning($0))" } + timeline.flatMap { unreportedProblems($0) }
    }

    private static func meaning(_ fault: PhoneFault) -> String {
        switch fault {
        case .earlyThresholds: "every event reaches its threshold as its interval begins."
        case .batchedThresholds: "the app gets the thresholds of an hour together, after the hour."
        case .midnightThresholds: "the app hears once more of what was used up, as the next interval begins."
        case .missedStart: "intervalDidStart is not called."
        case .changedTokens: "from each midnight on, extensions get other tokens than those that were chosen."
        case .staleAuthorization: "authorizationStatus is not determined until the process itself asks."
        case .unknown: "nothing."
        }
    }

    private func unreportedProblems(_ entry: TimelineEntry) -> [String] {
        guard case .occasion(let occasion) = entry.kind else { return [] }
        var found: [String] = []
        let name = expectationText.text(entry)
        switch occasion {
        case .intervalStarted:
            found += late(entry, after: entry.intervalStart, name: name, what: "the interval had begun")
        case .intervalEnded:
            found += late(entry, after: entry.intervalEnd, name: name, what: "the interval had ended")
        default: break
        }
        if let callback = entry.callback, callback.state == .parked {
            found.append("\(name) is lost: \(callback.reason ?? "it failed"). It is not tried again.")
        }
        if entry.callback?.isCut == true {
            found.append("\(name): what it began besides was cut off when it returned.")
        }
        return found
    }

    private func late(_ entry: TimelineEntry, after moment: WallTime?, name: String, what: String)
        -> [String]
    {
        guard let moment, entry.at > moment else { return [] }
        return [
            "\(name) came \(TextFormat.exactDuration(ms: (entry.at - moment).ms)) after \(what), with the first use since."
        ]
    }

    /// Returns the intervals without any use of the device. A phone does not report them.
    func missingCallbacks(
        _ activity: ActivityView,
        _ timeline: [TimelineEntry],
        from: WallTime,
        to: WallTime,
        zone: String
    )
        -> [String]
    {
        let told = Set(
            timeline.filter { $0.app == activity.app && $0.kind == .occasion(.intervalStarted) }
                .compactMap(\.intervalStart?.ms)
        )
        guard let rules = ZoneRules.load(zone), !faults.contains(.missedStart) else { return [] }
        let intervals = activity.schedule.preview(count: Schedule.previewMax, fromMs: from.ms, zone: zone)
        return intervals.filter { $0.startMs >= from.ms && $0.endMs <= to.ms && !told.contains($0.startMs) }
            .map {
                interval in
                "\(activity.activity) from \(CivilText.text(WallTime(ms: interval.startMs), rules)) was never announced: "
                    + "the device was not used in it."
            }
    }
}
