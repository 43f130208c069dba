import Foundation
import ManagedSettings
import STContracts
import Synchronization

/// A part of a report page: one segment of one person on one device, or a section of a long segment.
struct ActivityPart: Sendable {
    struct Owner: Hashable, Sendable {
        var member: String
        var device: String
    }

    var owner: Owner
    var user: DeviceActivityData.User
    var device: DeviceActivityData.Device
    /// The number of the segment. -1 represents a person without data.
    var number: Int64
    var updated: Date
    var segment: DeviceActivityData.ActivitySegment

    init(_ part: ReportDataPart, _ things: ReportThings) {
        owner = Owner(member: part.member, device: part.device.device)
        var name = PersonNameComponents()
        name.givenName = part.name.isEmpty ? part.member : part.name
        user = DeviceActivityData.User(
            appleID: part.member,
            nameComponents: name,
            role: part.isChild ? .child : .individual
        )
        device = DeviceActivityData.Device(
            name: part.device.name.isEmpty ? part.device.device : part.device.name,
            model: .init(part.device.model)
        )
        number = part.number
        updated = Date(wallMs: part.updatedWallMs)
        segment = DeviceActivityData.ActivitySegment(
            dateInterval: Self.interval(part.startWallMs, part.endWallMs),
            totalActivityDuration: Double(part.usedMs) / 1000,
            longestActivity: part.longestStartWallMs.flatMap { start in
                part.longestEndWallMs.map { Self.interval(start, $0) }
            },
            firstPickup: part.firstPickupWallMs.map { Date(wallMs: $0) },
            totalPickupsWithoutApplicationActivity: Int(clamping: part.idlePickups),
            rows: part.rows.map(things.row)
        )
    }

    /// Returns an interval that never ends before it starts, because `DateInterval` traps on such an interval.
    private static func interval(_ start: Int64, _ end: Int64) -> DateInterval {
        DateInterval(start: Date(wallMs: start), end: Date(wallMs: max(start, end)))
    }

    /// Adds the rows of another part of the same segment.
    mutating func add(_ other: ActivityPart) {
        let before = segment
        segment = DeviceActivityData.ActivitySegment(
            dateInterval: before.dateInterval,
            totalActivityDuration: before.totalActivityDuration,
            longestActivity: before.longestActivity,
            firstPickup: before.firstPickup,
            totalPickupsWithoutApplicationActivity: before.totalPickupsWithoutApplicationActivity,
            rows: before.rows + other.segment.rows
        )
    }
}

/// The use of one app, site or category in a segment.
struct ActivityRow: Hashable, Sendable {
    var category: ActivityCategory
    var application: Application?
    var webDomain: WebDomain?
    var usedMs: Int64
    var pickups: Int64
    var notifications: Int64

    static func sum(_ rows: [ActivityRow], _ part: (ActivityRow) -> Int64) -> Int64 {
        rows.reduce(0) { sum, row in
            let (whole, overflow) = sum.addingReportingOverflow(part(row))
            return overflow ? sum : whole
        }
    }

    static func seconds(_ rows: [ActivityRow]) -> TimeInterval { Double(sum(rows) { $0.usedMs }) / 1000 }

    /// Groups the rows by a key and sorts the groups by use, most used first. Groups with equal use keep the order of the rows.
    static func grouped<Key: Hashable>(
        _ rows: [ActivityRow],
        _ key: (ActivityRow) -> Key?
    ) -> [(Key, [ActivityRow])] {
        var places: [Key: Int] = [:]
        var groups: [(key: Key, rows: [ActivityRow])] = []
        for row in rows {
            guard let key = key(row) else { continue }
            if let place = places[key] {
                groups[place].rows.append(row)
            } else {
                places[key] = groups.count
                groups.append((key, [row]))
            }
        }
        let used = groups.map { sum($0.rows) { $0.usedMs } }
        return groups.indices.sorted { (used[$1], $0) < (used[$0], $1) }.map {
            (groups[$0].key, groups[$0].rows)
        }
    }
}

/// The apps, categories and sites of a report. Each is stored once for all rows that name it, and can be found by its token.
package final class ReportThings: Sendable {
    /// The instance that the process shares. Labels in a report extension show the names in it.
    package static let shared = ReportThings()

    /// The maximum number of apps, of categories and of sites. Beyond it, each row has its own copy, and labels cannot show the
    /// name.
    private static let most = 20_000

    private struct State {
        var applications: [String: Application] = [:]
        var categories: [String: ActivityCategory] = [:]
        var webDomains: [String: WebDomain] = [:]
        var names: [Data: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns the name of a token if a report contained it.
    package func name(of token: Data) -> String? { state.withLock { $0.names[token] } }

    func row(_ row: ReportDataRow) -> ActivityRow {
        ActivityRow(
            category: category(row.category),
            application: row.application.map(application),
            webDomain: row.webDomain.map(webDomain),
            usedMs: row.usedMs,
            pickups: row.pickups,
            notifications: row.notifications
        )
    }

    private func application(_ thing: ReportSubject) -> Application {
        cached(thing, in: \.applications) { thing, data in
            Application(
                bundleIdentifier: thing.id,
                token: ApplicationToken(data: data),
                localizedDisplayName: thing.shownName
            )
        }
    }

    private func category(_ thing: ReportSubject) -> ActivityCategory {
        cached(thing, in: \.categories) { thing, data in
            ActivityCategory(token: ActivityCategoryToken(data: data), localizedDisplayName: thing.shownName)
        }
    }

    private func webDomain(_ thing: ReportSubject) -> WebDomain {
        cached(thing, in: \.webDomains) { thing, data in
            WebDomain(domain: thing.id, token: WebDomainToken(data: data))
        }
    }

    private func cached<Thing: Sendable>(
        _ thing: ReportSubject,
        in list: WritableKeyPath<State, [String: Thing]>,
        make: (ReportSubject, Data) -> Thing
    ) -> Thing {
        // The key contains the name, because the name depends on the language.
        let key = "\(thing.id)\u{0}\(thing.token)\u{0}\(thing.name)"
        return state.withLock { state in
            if let known = state[keyPath: list][key] { return known }
            // If the token is missing or unreadable, use the id, which is also unique.
            let data =
                Data(base64Encoded: thing.token).flatMap { $0.isEmpty ? nil : $0 } ?? Data(thing.id.utf8)
            let made = make(thing, data)
            guard state[keyPath: list].count < Self.most else { return made }
            state[keyPath: list][key] = made
            state.names[data] = thing.shownName
            return made
        }
    }
}

extension ReportSubject {
    /// The name, or the id if the name is empty.
    fileprivate var shownName: String { name.isEmpty ? id : name }
}
