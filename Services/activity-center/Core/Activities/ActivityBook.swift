package import STContracts
import STDomain
package import STPlatform

/// All activities that are watched: intervals that come and go, and use that is counted towards their events.
///
/// Pure: moments and stretches of use go in, and what there is to announce comes out. `ScheduleClock` moves it,
/// `BookTable` keeps it, and `ActivityRules` announces it.
package struct ActivityBook: Sendable, Equatable {
    /// In the order of their keys, so that everything happens in one order.
    package private(set) var activities: [WatchedActivity] = []
    /// As on a phone: time in front of a shield counts as use of what it covers.
    package var countsShielded = false
    package private(set) var clock: BookClock?
    /// The clock as it was last written down, which is not done at every observation.
    package internal(set) var savedClock: BookClock?
    /// Activities to write down again, because something about them changed.
    private var changed: Set<ActivityKey> = []
    /// Activities of which only the counted use changed.
    private var counted: Set<ActivityKey> = []

    package init() {}

    package init(_ activities: [WatchedActivity], clock: BookClock?) {
        self.activities = activities.sorted { $0.key.isBefore($1.key) }
        self.clock = clock
        savedClock = clock
    }

    package subscript(key: ActivityKey) -> WatchedActivity? {
        place(of: key).map { activities[$0] }
    }

    package func all(ofApp app: String?, member: String? = nil) -> [WatchedActivity] {
        activities.filter { (app == nil || $0.key.app == app) && (member == nil || $0.key.member == member) }
    }

    /// What has come true and waits to be told.
    var held: [DueOccurrence] { activities.flatMap { $0.held ?? [] } }

    /// The next moment, in wall time, at which something may be due.
    package var dueWallMs: Int64? { activities.compactMap(\.dueWallMs).min() }

    // MARK: - Time

    /// Watching begins; `past` is use from before it, for the events that ask for that.
    package mutating func open(
        _ activity: WatchedActivity,
        at moment: BookMoment,
        past: [Stretch] = []
    ) -> [DueOccurrence] {
        var activity = activity
        var due = activity.open(at: moment)
        due += activity.count(past: past.filter { isUse($0) }, at: moment)
        put(activity)
        clock = BookClock(moment)
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// Brings every interval up to this moment, and returns what is due, in its order.
    package mutating func advance(to moment: BookMoment) -> [DueOccurrence] {
        var due: [DueOccurrence] = []
        let before = clock ?? BookClock(moment)
        let natural = before.naturalWallMs(moment)
        let stepMs = moment.wallMs - natural
        let isRestart = before.bootId != moment.bootId
        // The time until now has passed in the old zone; a new one counts from now.
        var passed = moment
        passed.wallMs = natural
        passed.zone = before.zone
        let isQuiet = !isRestart && stepMs == 0 && before.zone == moment.zone
        forEach { activity in
            if isQuiet, activity.dueWallMs ?? .max > natural { return .none }
            let old = activity
            if isRestart { activity.restart(bootId: moment.bootId) }
            due += activity.pass(passed)
            var now = passed
            now.wallMs = moment.wallMs
            if stepMs != 0 { due += activity.jump(now, byMs: stepMs) }
            if before.zone != moment.zone {
                now.zone = moment.zone
                due += activity.move(now)
            }
            return activity == old ? .none : .all
        }
        clock = BookClock(moment)
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// Removes what is over: an activity that does not repeat, after its only interval.
    mutating func takeOver() -> [ActivityKey] {
        let over = activities.filter(\.isOver).map(\.key)
        for key in over { remove(key) }
        return over
    }

    // MARK: - Use

    /// Counts a stretch that the ledger has taken in, and returns what became true, each at its exact moment.
    ///
    /// `beside`: what has been counted of the same time.
    package mutating func count(_ stretch: Stretch, beside: [Stretch] = []) -> [DueOccurrence] {
        guard stretch.presence == .active, stretch.fromBootMs <= stretch.toBootMs else { return [] }
        var due: [DueOccurrence] = []
        let isUse = isUse(stretch)
        let beside = beside.filter { self.isUse($0) }
        forEach { activity in
            guard activity.key.member == stretch.member else { return .none }
            let told = activity.mode == .firstUse ? activity.use(in: stretch) : []
            due += told
            let held = activity.held
            let hasCounted = isUse && activity.count(stretch, beside: beside, into: &due)
            guard told.isEmpty, activity.held == held else { return .all }
            return hasCounted ? .counts : .none
        }
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// A stretch that was counted was no use; returns what opens again.
    package mutating func takeBack(_ stretch: Stretch, beside: [Stretch] = []) -> [DueOccurrence] {
        guard isUse(stretch) else { return [] }
        let beside = beside.filter { self.isUse($0) }
        var due: [DueOccurrence] = []
        forEach { activity in
            guard activity.key.member == stretch.member else { return .none }
            return activity.takeBack(stretch, beside: beside, into: &due) ? .counts : .none
        }
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// The device is in use: announces what waited for the first use of an interval.
    package mutating func use(_ open: Stretch) -> [DueOccurrence] {
        guard open.presence == .active else { return [] }
        var due: [DueOccurrence] = []
        forEach { activity in
            guard activity.mode == .firstUse, activity.key.member == open.member else { return .none }
            let told = activity.use(in: open)
            due += told
            return told.isEmpty ? .none : .all
        }
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// A person deleted their past: what was used goes, how long it was used stays counted.
    package mutating func forget(segments: Set<String>, of member: String) {
        forEach { activity in
            guard activity.key.member == member else { return .none }
            var hasChanged = false
            for index in activity.events.indices {
                hasChanged = activity.events[index].forget(segments) || hasChanged
            }
            if activity.forgetHeld(segments) { return .all }
            return hasChanged ? .counts : .none
        }
    }

    /// The boot time of the next warning or threshold, if what is in front stays there.
    ///
    /// `beside`: what the member uses on other machines meanwhile.
    package func checkAtBootMs(_ open: Stretch, beside: [ElsewhereUse.Beside] = []) -> Int64? {
        guard isUse(open) else { return nil }
        return activities.compactMap { $0.key.member == open.member ? $0.checkAtBootMs(open, beside) : nil }
            .min()
    }

    /// Whether a rule counts time on two machines at once only once.
    func countsOnce(_ member: String) -> Bool {
        activities.contains { $0.key.member == member && $0.events.contains { $0.spec.overlap == .once } }
    }

    /// Whether a stretch counts: the member is active, and not only looking at a shield.
    func isUse(_ stretch: Stretch) -> Bool {
        stretch.presence == .active && (countsShielded || !stretch.isShielded)
    }

    // MARK: - What changed

    /// Takes the keys of the activities to write down, and whether only their counted use changed.
    mutating func takeChanged() -> [(key: ActivityKey, isCountOnly: Bool)] {
        defer {
            changed = []
            counted = []
        }
        let all = changed.map { ($0, false) } + counted.subtracting(changed).map { ($0, true) }
        return all.sorted { $0.0.isBefore($1.0) }
    }

    @discardableResult
    mutating func remove(_ key: ActivityKey) -> WatchedActivity? {
        guard let place = place(of: key) else { return nil }
        changed.insert(key)
        return activities.remove(at: place)
    }

    private mutating func put(_ activity: WatchedActivity) {
        changed.insert(activity.key)
        if let place = place(of: activity.key) {
            activities[place] = activity
            return
        }
        let place = activities.firstIndex { activity.key.isBefore($0.key) } ?? activities.endIndex
        activities.insert(activity, at: place)
    }

    private enum Change {
        case none, counts, all
    }

    /// Lets `body` change every activity and say what it changed.
    private mutating func forEach(_ body: (inout WatchedActivity) -> Change) {
        for place in activities.indices {
            switch body(&activities[place]) {
            case .none: break
            case .counts: counted.insert(activities[place].key)
            case .all: changed.insert(activities[place].key)
            }
        }
    }

    private func place(of key: ActivityKey) -> Int? { activities.firstIndex { $0.key == key } }
}

/// A moment as the book of activities sees it: the clocks, the start of the machine they belong to, and the zone.
package struct BookMoment: Sendable, Equatable {
    package var reading: TimeReading
    package var bootId: String
    package var zone: String

    package init(reading: TimeReading, bootId: String, zone: String) {
        self.reading = reading
        self.bootId = bootId
        self.zone = zone
    }

    var wallMs: Int64 {
        get { reading.wallMs }
        set { reading.wallMs = newValue }
    }

    /// The boot time at which the wall clock said this.
    func bootMs(atWallMs moment: Int64) -> Int64 { reading.bootMs - (wallMs - moment) }
}

/// What the clocks said last, to tell a wall clock that was set from time that has passed.
package struct BookClock: WireBody, Codable, Equatable {
    package var bootId: String
    /// Wall minus boot time.
    package var offsetMs: Int64
    package var lastWallMs: Int64
    package var zone: String

    /// Clocks are slewed by less than this between two looks; more is a step.
    package static let stepMs: Int64 = 1_000

    package init(_ moment: BookMoment) {
        bootId = moment.bootId
        offsetMs = moment.wallMs - moment.reading.bootMs
        lastWallMs = moment.wallMs
        zone = moment.zone
    }

    /// What the wall clock would say now if it had not been set.
    func naturalWallMs(_ moment: BookMoment) -> Int64 {
        guard moment.bootId == bootId else {
            // While the machine was off, time went by; how much, only the wall clock can say.
            return max(lastWallMs, moment.wallMs)
        }
        let natural = moment.reading.bootMs + offsetMs
        return abs(moment.wallMs - natural) > Self.stepMs ? natural : moment.wallMs
    }
}

extension ActivityKey {
    func isBefore(_ other: ActivityKey) -> Bool {
        (app, member, activity) < (other.app, other.member, other.activity)
    }

    package var text: String { "\(app)/\(member)/\(activity)" }
}
