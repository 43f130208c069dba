package import STContracts
package import STPlatform

/// A page of this machine's ledger to send to the household.
package struct UsagePage: Sendable {
    private static let openAgeMax = Duration.seconds(86_400)

    private let after: HouseholdCursor
    package let through: HouseholdCursor
    /// True if the ledger ends with this page.
    package let isWhole: Bool
    private let segments: [Segment]

    init(_ page: EventPage, after: HouseholdCursor) throws {
        self.after = after
        let isSnapshot = after.epoch == nil
        let events = isSnapshot ? page.events[...] : try Self.fitting(page.events)
        var through = after
        if isSnapshot {
            through = HouseholdCursor(epoch: page.head.epoch, sequence: page.head.sequence, id: page.head.id)
        } else if let last = events.last?.header {
            through = HouseholdCursor(epoch: last.epoch, sequence: last.sequence, id: last.id)
        }
        self.through = through
        isWhole = isSnapshot ? page.next == nil : through.sequence ?? 0 >= page.head.sequence
        segments = try events.filter { $0.header.type == SegmentClosed.type }
            .map { try $0.decoded(SegmentClosed.self) }.filter(Self.isOwn)
    }

    package var people: Set<String> { Set(segments.map(\.member)) }

    package func request(
        for membership: LinkServiceState.Membership,
        _ open: [OpenUsageInterval],
        at now: WallTime
    ) -> HouseholdPush.Request {
        HouseholdPush.Request(
            after: after,
            through: through,
            rows: segments.compactMap { Self.shared($0, by: membership) },
            open: open,
            isWhole: isWhole,
            wallMs: now.ms
        )
    }

    /// The current usage that the household receives.
    package static func open(
        _ segments: [Segment],
        for membership: LinkServiceState.Membership,
        _ now: TimeReading,
        bootID: String
    ) -> [OpenUsageInterval] {
        segments.filter { $0.presence == .active && $0.bootId == bootID && isOwn($0) }
            .filter { now.boot - BootTime(ms: $0.endBootMs) < openAgeMax }
            .compactMap { shared($0, by: membership) }
            .suffix(HouseholdPush.openMax)
            .map {
                OpenUsageInterval(segment: $0, agoMs: max(.zero, now.boot - BootTime(ms: $0.endBootMs)).ms)
            }
    }

    /// Returns the part of a row that the household receives. Returns `nil` if the person does not belong to the household.
    private static func shared(_ row: Segment, by membership: LinkServiceState.Membership) -> Segment? {
        guard membership.accounts.contains(where: { $0.here == row.member }) else { return nil }
        var row = row
        if membership.share != .all { row.domain = nil }
        if membership.share == .time { (row.app, row.category) = (nil, nil) }
        return row
    }

    /// The first events, up to the maximum number of people in one request.
    private static func fitting(_ events: [WireEvent]) throws -> ArraySlice<WireEvent> {
        var people: Set<String> = []
        let end = try events.firstIndex { event in
            guard event.header.type == SegmentClosed.type else { return false }
            people.insert(try event.decoded(SegmentClosed.self).member)
            return people.count > HouseholdAccount.max
        }
        return events[..<(end ?? events.endIndex)]
    }

    /// True if this machine observed the row itself.
    private static func isOwn(_ row: Segment) -> Bool {
        row.device == nil && row.knownBy != .imported && row.knownBy != .elsewhere
    }
}
