import Foundation
import ManagedSettings
import STContracts
import Synchronization

/// A part of a page: a segment of one person on one device, or the beginning or the rest of one.
struct ActivityPart: Sendable {
    struct Owner: Hashable, Sendable {
        var member: String
        var device: String
    }

    var owner: Owner
    var user: DeviceActivityData.User
    var device: DeviceActivityData.Device
    /// -1 stands for a person without data.
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

    /// `DateInterval` traps when it ends before it starts.
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

/// A part of the use in one segment.
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

    /// The rows of each thing, the most used thing first; equals stay in the order in which they came.
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

/// The apps, categories and sites of a report: each is kept once for all rows that name it, and found by its
/// token.
package final class ReportThings: Sendable {
    /// Shared in the process; a report extension shows names from here.
    package static let shared = ReportThings()

    /// Beyond this every row has its own copy, and no label finds the name.
    private static let most = 20_000

    private struct State {
        var applications: [String: Application] = [:]
        var categories: [String: ActivityCategory] = [:]
        var webDomains: [String: WebDomain] = [:]
        var names: [Data: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// The name behind a token, if a report has named it.
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

    private func application(_ thing: ReportThing) -> Application {
        kept(\.applications, thing) { thing, data in
            Application(
                bundleIdentifier: thing.id,
                token: ApplicationToken(data: data),
                localizedDisplayName: thing.shownName
            )
        }
    }

    private func category(_ thing: ReportThing) -> ActivityCategory {
        kept(\.categories, thing) { thing, data in
            ActivityCategory(token: ActivityCategoryToken(data: data), localizedDisplayName: thing.shownName)
        }
    }

    private func webDomain(_ thing: ReportThing) -> WebDomain {
        kept(\.webDomains, thing) { thing, data in
            WebDomain(domain: thing.id, token: WebDomainToken(data: data))
        }
    }

    private func kept<Thing: Sendable>(
        _ list: WritableKeyPath<State, [String: Thing]>,
        _ thing: ReportThing,
        _ make: (ReportThing, Data) -> Thing
    ) -> Thing {
        // The name too, because it changes with the language.
        let key = "\(thing.id)\u{0}\(thing.token)\u{0}\(thing.name)"
        return state.withLock { state in
            if let known = state[keyPath: list][key] { return known }
            // Without a token that can be read there still is one that differs from the others.
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

extension ReportThing {
    /// Never empty.
    fileprivate var shownName: String { name.isEmpty ? id : name }
}
