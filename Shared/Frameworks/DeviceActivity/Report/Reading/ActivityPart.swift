import Foundation
import ManagedSettings
import STContracts

/// A part of a page: a segment of one person on one device, or the beginning or the rest of one.
struct ActivityPart: Sendable {
    struct Owner: Hashable, Sendable {
        var member: String
        var device: String
    }

    var owner: Owner
    var user: DeviceActivityData.User
    var device: DeviceActivityData.Device
    /// -1 stands for one of whom nothing is known.
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

    /// One that ends before it starts would end the program.
    private static func interval(_ start: Int64, _ end: Int64) -> DateInterval {
        DateInterval(start: Date(wallMs: start), end: Date(wallMs: max(start, end)))
    }

    /// With the rows that another part of the same segment has.
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
