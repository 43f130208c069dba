package import STContracts
import STDomain
import STPlatform

/// All activities that are watched: intervals that come and go, and use that is counted towards their events.
///
/// Pure. Moments and stretches of use go in, what there is to tell comes out; the clock that moves it, the tables that
/// keep it and the stream that tells it are somebody else's.
package struct ActivityBook: Sendable, Equatable {
    /// In the order of their keys, so that everything happens in one order.
    package private(set) var activities: [WatchedActivity] = []
    /// As on a phone: time looking at a shield counts as use of what it stands before.
    package var countsShielded = false
    package internal(set) var clock: BookClock?
    /// The clock as it was last written down; it is not for every observation.
    package internal(set) var savedClock: BookClock?
    /// What has changed since it was last written down.
    package internal(set) var changed: Set<ActivityKey> = []
    /// Where nothing but what was counted has.
    package internal(set) var counted: Set<ActivityKey> = []

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

    /// The next moment, in wall time, at which something may have to be told.
    package var dueWallMs: Int64? { activities.compactMap(\.dueWallMs).min() }

    mutating func put(_ activity: WatchedActivity) {
        changed.insert(activity.key)
        if let place = place(of: activity.key) {
            activities[place] = activity
            return
        }
        let place = activities.firstIndex { activity.key.isBefore($0.key) } ?? activities.endIndex
        activities.insert(activity, at: place)
    }

    @discardableResult
    mutating func remove(_ key: ActivityKey) -> WatchedActivity? {
        guard let place = place(of: key) else { return nil }
        changed.insert(key)
        return activities.remove(at: place)
    }

    /// Takes the keys of what must be written down, and whether it is only what was counted.
    mutating func takeChanged() -> [(key: ActivityKey, isCountOnly: Bool)] {
        defer {
            changed = []
            counted = []
        }
        let all = changed.map { ($0, false) } + counted.subtracting(changed).map { ($0, true) }
        return all.sorted { $0.0.isBefore($1.0) }
    }

    enum Change {
        case none, counts, all
    }

    /// Changes every activity, and says how.
    mutating func forEach(_ body: (inout WatchedActivity) -> Change) {
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
