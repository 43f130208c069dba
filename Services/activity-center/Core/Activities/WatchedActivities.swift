package import STContracts
import STDomain
package import STPlatform

/// All watched activities: their intervals, and the usage that counts towards their events.
///
/// Pure: moments and usage go in, and due occurrences come out. `ScheduleClock` advances the book, `WatchedActivityTable` stores it, and
/// `ActivityRules` publishes the occurrences.
package struct WatchedActivities: Sendable, Equatable {
    /// Sorted by key, so that occurrences have a fixed order.
    package private(set) var activities: [WatchedActivity] = []
    /// True if time in front of a shield counts as use of the covered app, as on a phone.
    package var countsShielded = false
    package private(set) var clock: ActivityClock?
    /// The clock as it was last saved. Not every observation saves it.
    package internal(set) var savedClock: ActivityClock?
    /// Activities to save, because something about them changed.
    private var changed: Set<ActivityKey> = []
    /// Activities of which only the counted usage changed.
    private var counted: Set<ActivityKey> = []

    package init() {}

    package init(_ activities: [WatchedActivity], clock: ActivityClock?) {
        self.activities = activities.sorted { $0.key.isBefore($1.key) }
        self.clock = clock
        savedClock = clock
    }

    package subscript(key: ActivityKey) -> WatchedActivity? {
        index(of: key).map { activities[$0] }
    }

    package func all(ofApp app: String?, member: String? = nil) -> [WatchedActivity] {
        activities.filter { (app == nil || $0.key.app == app) && (member == nil || $0.key.member == member) }
    }

    /// The due occurrences that wait to be published together.
    var heldOccurrences: [DueOccurrence] { activities.flatMap { $0.held ?? [] } }

    /// The next moment, in wall time, at which something may be due.
    package var dueTime: WallTime? { activities.compactMap(\.dueTime).min() }

    // MARK: - Time

    /// Starts to watch an activity. `past` is usage from before, for the events that include it.
    package mutating func add(
        _ activity: WatchedActivity,
        at moment: ZonedReading,
        past: [UsageInterval] = []
    ) -> [DueOccurrence] {
        var activity = activity
        var due = activity.begin(at: moment)
        due += activity.count(past: past.filter { countsAsUsage($0) }, at: moment)
        upsert(activity)
        clock = ActivityClock(moment)
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// Advances every interval to this moment. Returns the due occurrences in their order.
    package mutating func advance(to moment: ZonedReading) -> [DueOccurrence] {
        var due: [DueOccurrence] = []
        let before = clock ?? ActivityClock(moment)
        let natural = before.naturalWall(moment)
        let step = moment.wall - natural
        let isRestart = before.bootId != moment.bootId
        // The time until now has passed in the old zone. A new zone applies from now on.
        var passed = moment
        passed.wall = natural
        passed.zone = before.zone
        let isQuiet = !isRestart && step == .zero && before.zone == moment.zone
        forEach { activity in
            if isQuiet, activity.dueTime ?? .distantFuture > natural { return .none }
            let old = activity
            if isRestart { activity.restart(bootId: moment.bootId) }
            due += activity.advance(passed)
            var now = passed
            now.wall = moment.wall
            if step != .zero { due += activity.applyClockStep(now, by: step) }
            if before.zone != moment.zone {
                now.zone = moment.zone
                due += activity.applyZoneChange(now)
            }
            return activity == old ? .none : .all
        }
        clock = ActivityClock(moment)
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// Removes activities that are over: those that do not repeat, after their only interval. Returns their keys.
    mutating func removeFinished() -> [ActivityKey] {
        let over = activities.filter(\.isFinished).map(\.key)
        for key in over { remove(key) }
        return over
    }

    // MARK: - Use

    /// Counts usage that was added to the ledger. Returns the occurrences that it causes, each at its exact moment.
    ///
    /// `beside`: the counted usage of other machines at the same time.
    package mutating func count(_ stretch: UsageInterval, beside: [UsageInterval] = []) -> [DueOccurrence] {
        guard stretch.presence == .active, stretch.fromBoot <= stretch.toBoot else { return [] }
        var due: [DueOccurrence] = []
        let isUse = countsAsUsage(stretch)
        let beside = beside.filter { self.countsAsUsage($0) }
        forEach { activity in
            guard activity.key.member == stretch.member else { return .none }
            let told = activity.mode == .firstUse ? activity.releaseHeld(in: stretch) : []
            due += told
            let held = activity.held
            let hasCounted = isUse && activity.count(stretch, beside: beside, into: &due)
            guard told.isEmpty, activity.held == held else { return .all }
            return hasCounted ? .counts : .none
        }
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// Takes back counted usage. Returns the thresholds that are no longer reached.
    package mutating func retract(_ stretch: UsageInterval, beside: [UsageInterval] = []) -> [DueOccurrence] {
        guard countsAsUsage(stretch) else { return [] }
        let beside = beside.filter { self.countsAsUsage($0) }
        var due: [DueOccurrence] = []
        forEach { activity in
            guard activity.key.member == stretch.member else { return .none }
            return activity.retract(stretch, beside: beside, into: &due) ? .counts : .none
        }
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// Returns the announcements that waited for the first use of the device in an interval.
    package mutating func releaseHeld(_ open: UsageInterval) -> [DueOccurrence] {
        guard open.presence == .active else { return [] }
        var due: [DueOccurrence] = []
        forEach { activity in
            guard activity.mode == .firstUse, activity.key.member == open.member else { return .none }
            let told = activity.releaseHeld(in: open)
            due += told
            return told.isEmpty ? .none : .all
        }
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// Removes deleted segments from the evidence. The counted time remains.
    package mutating func removeEvidence(segments: Set<String>, of member: String) {
        forEach { activity in
            guard activity.key.member == member else { return .none }
            var hasChanged = false
            for index in activity.events.indices {
                hasChanged = activity.events[index].removeEvidence(segments) || hasChanged
            }
            if activity.removeHeldEvidence(segments) { return .all }
            return hasChanged ? .counts : .none
        }
    }

    /// Returns the boot time of the next warning or threshold, if the foreground app stays the same.
    ///
    /// `beside`: the member's usage on other machines meanwhile.
    package func checkTime(_ open: UsageInterval, beside: [RemoteUsageTracker.ConcurrentUsage] = [])
        -> BootTime?
    {
        guard countsAsUsage(open) else { return nil }
        return activities.compactMap { $0.key.member == open.member ? $0.checkTime(open, beside) : nil }.min()
    }

    /// Returns true if a rule counts simultaneous time on two machines only once.
    func countsOnce(_ member: String) -> Bool {
        activities.contains { $0.key.member == member && $0.events.contains { $0.spec.overlap == .once } }
    }

    /// Returns true if the usage counts: the member is active, and not only in front of a shield.
    func countsAsUsage(_ stretch: UsageInterval) -> Bool {
        stretch.presence == .active && (countsShielded || !stretch.isShielded)
    }

    // MARK: - Changes

    /// Returns the activities to save, and clears the list. `isCountOnly` is true if only the counted usage changed.
    mutating func drainChanges() -> [(key: ActivityKey, isCountOnly: Bool)] {
        defer {
            changed = []
            counted = []
        }
        let all = changed.map { ($0, false) } + counted.subtracting(changed).map { ($0, true) }
        return all.sorted { $0.0.isBefore($1.0) }
    }

    @discardableResult
    mutating func remove(_ key: ActivityKey) -> WatchedActivity? {
        guard let place = index(of: key) else { return nil }
        changed.insert(key)
        return activities.remove(at: place)
    }

    private mutating func upsert(_ activity: WatchedActivity) {
        changed.insert(activity.key)
        if let place = index(of: activity.key) {
            activities[place] = activity
            return
        }
        let place = activities.firstIndex { activity.key.isBefore($0.key) } ?? activities.endIndex
        activities.insert(activity, at: place)
    }

    private enum Change {
        case none, counts, all
    }

    /// Passes every activity to `body`, which can change it and returns what it has changed.
    private mutating func forEach(_ body: (inout WatchedActivity) -> Change) {
        for place in activities.indices {
            switch body(&activities[place]) {
            case .none: break
            case .counts: counted.insert(activities[place].key)
            case .all: changed.insert(activities[place].key)
            }
        }
    }

    private func index(of key: ActivityKey) -> Int? { activities.firstIndex { $0.key == key } }
}

/// A moment for `WatchedActivities`: the clocks, the boot that they belong to, and the zone.
package struct ZonedReading: Sendable, Equatable {
    package var reading: TimeReading
    package var bootId: String
    package var zone: String

    package init(reading: TimeReading, bootId: String, zone: String) {
        self.reading = reading
        self.bootId = bootId
        self.zone = zone
    }

    var wall: WallTime {
        get { reading.wall }
        set { reading.wallMs = newValue.ms }
    }

    /// Returns the boot time at which the wall clock showed this time.
    func boot(at moment: WallTime) -> BootTime { reading.boot - (wall - moment) }
}

/// The last reading of the clocks, by which a wall clock that was set differs from time that has passed.
package struct ActivityClock: WireBody, Codable, Equatable {
    package var bootId: String
    /// The wall time minus the boot time.
    package var offsetMs: Int64
    package var lastWallMs: Int64
    package var zone: String

    /// A larger difference means that the clock was set. Between two readings, clocks are slewed by less.
    package static let step = Duration.seconds(1)

    package init(_ moment: ZonedReading) {
        bootId = moment.bootId
        offsetMs = moment.reading.wallMs - moment.reading.bootMs
        lastWallMs = moment.reading.wallMs
        zone = moment.zone
    }

    /// Returns the wall time that the clock would show now if it had not been set.
    func naturalWall(_ moment: ZonedReading) -> WallTime {
        guard moment.bootId == bootId else {
            // Only the wall clock shows how much time passed while the machine was off.
            return max(WallTime(ms: lastWallMs), moment.wall)
        }
        let natural = WallTime(ms: moment.reading.bootMs + offsetMs)
        return abs((moment.wall - natural).ms) > Self.step.ms ? natural : moment.wall
    }
}

extension ActivityKey {
    func isBefore(_ other: ActivityKey) -> Bool {
        (app, member, activity) < (other.app, other.member, other.activity)
    }

    package var text: String { "\(app)/\(member)/\(activity)" }
}
