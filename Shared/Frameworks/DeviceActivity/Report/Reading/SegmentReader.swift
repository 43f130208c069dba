/// The segments of one person on one device.
struct SegmentReader: Sendable {
    /// A segment is kept whole; one with more rows comes in two.
    private static let rowsMost = 100_000

    let pages: ReportPages
    let start: ReportPlace
    let owner: ActivityPart.Owner

    var results: DeviceActivityResults<DeviceActivityData.ActivitySegment> {
        DeviceActivityResults { [self] in
            var place = start
            return {
                guard let found = await self.segment(at: place) else { return nil }
                place = found.following
                return found.segment
            }
        }
    }

    /// Where the next person or device begins; nil when there is none.
    func end() async -> ReportPlace? {
        if let known = pages.end(of: start) { return known }
        var place = start
        while let found = await pages.part(at: place) {
            if found.part.owner != owner {
                pages.setEnd(found.place, of: start)
                return found.place
            }
            place = found.place.following
        }
        return nil
    }

    private func segment(
        at place: ReportPlace
    ) async -> (segment: DeviceActivityData.ActivitySegment, following: ReportPlace)? {
        var whole: ActivityPart?
        var place = place
        while let found = await pages.part(at: place) {
            guard found.part.owner == owner else {
                pages.setEnd(found.place, of: start)
                break
            }
            if var part = whole {
                guard part.number == found.part.number, part.segment.rows.count < Self.rowsMost else { break }
                part.add(found.part)
                whole = part
            } else if found.part.number >= 0 {
                whole = found.part
            }
            // One of whom nothing is known has no segments.
            place = found.place.following
        }
        // A segment of which a part is missing is none.
        guard let whole, pages.problem == nil else { return nil }
        return (whole.segment, place)
    }
}
