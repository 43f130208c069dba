import Foundation
package import STContracts
import STFoundationTypes
package import STPlatform
import Synchronization

/// The pages of one report, requested as they are needed.
///
/// A few are kept, because the segments of a person stand on the page that named the person. A failure ends
/// every sequence over the pages and is logged.
package final class ReportPages: Sendable {
    package typealias Ask = @Sendable (_ next: String?) async throws -> ReportData.Reply

    /// A year by the hour has some hundreds.
    static let pagesMost = 20_000
    private static let kept = 4
    /// The real time that one report may spend on reading.
    package static let readMsMost: Int64 = 60_000

    private struct Page: Sendable {
        var parts: [ActivityPart]
        var next: String?
    }

    private struct State {
        var pages: [(cursor: String, page: Page)] = []
        /// The page number of each cursor, to notice cursors that lead back.
        var order: [String: Int] = ["": 0]
        /// The end of the data that begins at a place, once it has been read.
        var ends: [ReportPlace: ReportPlace] = [:]
        var problem: Problem?
        var patience: Patience
    }

    private let ask: Ask
    let interval: DeviceActivityFilter.SegmentInterval
    private let things: ReportThings
    private let state: Mutex<State>

    package init(
        filter: ReportFilter,
        things: ReportThings = .shared,
        patience: Patience = Patience(milliseconds: readMsMost),
        ask: @escaping Ask
    ) {
        self.ask = ask
        self.things = things
        interval = DeviceActivityFilter.SegmentInterval(filter)
        state = Mutex(State(patience: patience))
    }

    /// Why the report is incomplete; nil as long as it is not.
    package var problem: Problem? { state.withLock { $0.problem } }

    /// Each person on each device; each iteration starts at the first.
    package var results: DeviceActivityResults<DeviceActivityData> {
        DeviceActivityResults { [self] in
            var last: SegmentReader?
            return {
                // The end of the last one is only read when the next is requested.
                var place = ReportPlace.start
                if let reader = last {
                    guard let end = await reader.end() else { return nil }
                    place = end
                }
                guard let found = await self.part(at: place) else { return nil }
                let reader = SegmentReader(pages: self, start: found.place, owner: found.part.owner)
                last = reader
                return DeviceActivityData(
                    user: found.part.user,
                    device: found.part.device,
                    segmentInterval: self.interval,
                    lastUpdatedDate: found.part.updated,
                    segments: reader
                )
            }
        }
    }

    func end(of start: ReportPlace) -> ReportPlace? { state.withLock { $0.ends[start] } }

    func setEnd(_ end: ReportPlace, of start: ReportPlace) { state.withLock { $0.ends[start] = end } }

    /// The part at a place, or the first of the next page that has one; nil after the last.
    func part(at place: ReportPlace) async -> (place: ReportPlace, part: ActivityPart)? {
        var place = place
        while let page = await page(place.cursor) {
            if place.part < page.parts.count { return (place, page.parts[place.part]) }
            guard let next = page.next, follows(next, place.cursor) else { return nil }
            place = ReportPlace(cursor: next, part: 0)
        }
        return nil
    }

    // MARK: - Pages

    private func page(_ cursor: String) async -> Page? {
        guard !state.withLock({ $0.patience.isOver() }) else {
            return broken(Problem("report.read_too_long", "Reading the report took too long."))
        }
        guard problem == nil, !Task.isCancelled else { return nil }
        if let known = state.withLock({ $0.pages.last { $0.cursor == cursor }?.page }) { return known }
        do {
            let reply = try await ask(cursor.isEmpty ? nil : cursor)
            let page = Page(
                parts: reply.parts.map { ActivityPart($0, things) },
                next: reply.next.flatMap { $0.isEmpty ? nil : $0 }
            )
            state.withLock { state in
                state.pages.append((cursor, page))
                if state.pages.count > Self.kept { state.pages.removeFirst() }
            }
            return page
        } catch {
            return broken((error as? Problem) ?? Problem("report.unreadable", verbatim: "\(error)"))
        }
    }

    /// Whether the next page lies ahead.
    private func follows(_ next: String, _ cursor: String) -> Bool {
        let isAhead = state.withLock { state in
            let number = (state.order[cursor] ?? 0) + 1
            guard number < Self.pagesMost else { return false }
            if let known = state.order[next] { return known == number }
            state.order[next] = number
            return true
        }
        if !isAhead {
            _ = broken(
                Problem(
                    "report.endless",
                    "The report does not end: it has too many pages, or one page leads back to an earlier page."
                )
            )
        }
        return isAhead
    }

    private func broken(_ problem: Problem) -> Page? {
        let isFirst = state.withLock { state in
            defer { state.problem = state.problem ?? problem }
            return state.problem == nil
        }
        if isFirst { FrameworkLog.report.fault("the report is not whole: \(problem.description)") }
        return nil
    }
}

/// A place in the pages of a report: the cursor of the page, and the part on it.
struct ReportPlace: Hashable, Sendable {
    static let start = ReportPlace(cursor: "", part: 0)

    /// Empty is the first page.
    var cursor: String
    var part: Int

    var following: ReportPlace { ReportPlace(cursor: cursor, part: part + 1) }
}

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
            // A person about whom nothing is known has no segments.
            place = found.place.following
        }
        // A segment with a missing part does not count.
        guard let whole, pages.problem == nil else { return nil }
        return (whole.segment, place)
    }
}
