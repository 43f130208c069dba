import Foundation
package import STContracts
import STFoundationTypes
package import STPlatform
import Synchronization

/// The pages of one report, requested when they are needed.
///
/// The latest pages are cached, because a person and the person's first segments are on the same page. A failure is logged and
/// ends every sequence over the pages.
package final class ReportPages: Sendable {
    package typealias Ask = @Sendable (_ next: String?) async throws -> ReportData.Reply

    /// The maximum number of pages. A year in hourly segments has a few hundred.
    static let pagesMost = 20_000
    private static let kept = 4
    /// The real time limit for reading one report.
    package static let readMsMost: Int64 = 60_000

    private struct Page: Sendable {
        var parts: [ActivityPart]
        var next: String?
    }

    private struct State {
        var pages: [(cursor: String, page: Page)] = []
        /// The page number of each cursor. It detects cursors that lead back to an earlier page.
        var order: [String: Int] = ["": 0]
        /// The end of the data that begins at a place, stored after it was read.
        var ends: [ReportPlace: ReportPlace] = [:]
        var problem: Problem?
        var patience: WaitLimit
    }

    private let ask: Ask
    let interval: DeviceActivityFilter.SegmentInterval
    private let things: ReportThings
    private let state: Mutex<State>

    package init(
        filter: ReportFilter,
        things: ReportThings = .shared,
        patience: WaitLimit = WaitLimit(milliseconds: readMsMost),
        ask: @escaping Ask
    ) {
        self.ask = ask
        self.things = things
        interval = DeviceActivityFilter.SegmentInterval(filter)
        state = Mutex(State(patience: patience))
    }

    /// The reason why the report is incomplete. `nil` while no error has occurred.
    package var problem: Problem? { state.withLock { $0.problem } }

    /// The use of each person on each device. Each iteration starts at the first.
    package var results: DeviceActivityResults<DeviceActivityData> {
        DeviceActivityResults { [self] in
            var last: SegmentReader?
            return {
                // The end of the previous person's data is read only when the next person is requested.
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

    /// Returns the part at a place, or the first part of the next page that has one. Returns `nil` after the last part.
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

    /// Returns true if the next page is ahead. Otherwise it reports the report as endless.
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

    /// The cursor of the page. Empty for the first page.
    var cursor: String
    var part: Int

    var following: ReportPlace { ReportPlace(cursor: cursor, part: part + 1) }
}

/// The segments of one person on one device.
struct SegmentReader: Sendable {
    /// The maximum number of rows that are combined into one segment. Longer segments are split.
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

    /// Returns the place where the next person or device begins. Returns `nil` if there is none.
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
            // A person without data has no segments.
            place = found.place.following
        }
        // A segment with a missing part is not returned.
        guard let whole, pages.problem == nil else { return nil }
        return (whole.segment, place)
    }
}
