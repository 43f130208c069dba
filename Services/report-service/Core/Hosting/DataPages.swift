import STContracts
import STDomain
import STEngine
import STPlatform
import STStore

/// The data that an app's filter matches, segment by segment, in pages that fit into a reply.
struct DataPages {
    /// The size of a token in base64, without the name in it.
    private static let tokenBytes = 120

    let figures: ReportFigures
    let request: DataQuery.Request
    let plan: ReportPlan
    let state: ReportState
    let context: RequestContext
    let database: Database
    private var names: [TokenItem: String] = [:]
    private var parts: [ReportDataPart] = []
    private var bytes = 0
    /// Number of queries of the read model.
    private var reads = 0

    init(
        _ figures: ReportFigures,
        request: DataQuery.Request,
        state: ReportState,
        context: RequestContext,
        database: Database
    ) throws {
        self.figures = figures
        self.request = request
        self.state = state
        self.context = context
        self.database = database
        plan = try ReportPlan(
            request.data.filter,
            app: request.data.app,
            asked: request.member,
            devices: figures.devices(state),
            state.apps
        )
    }

    mutating func page() throws -> ReportData.Reply {
        try state.requireFigures()
        var place = try DataCursor(text: request.data.next)
        while place.part < plan.parts.count {
            let part = plan.parts[place.part]
            guard reads < ReportLimits.pagesPerReply else {
                return ReportData.Reply(parts: parts, next: place.text)
            }
            let reply = try usage(of: part, place.page)
            if try append(reply, of: part, &place) == false {
                return ReportData.Reply(parts: parts, next: place.text)
            }
            if let next = reply.next {
                place.advance(to: next)
                continue
            }
            // The reply names the person and the device even if they have no usage.
            if place.number == 0 {
                let none = empty(part, reply)
                bytes += try none.encodedBody().count
                guard bytes <= BusLimits.pageBytes || parts.isEmpty else {
                    return ReportData.Reply(parts: parts, next: place.text)
                }
                parts.append(none)
            }
            place.advanceToNextPart()
        }
        return ReportData.Reply(parts: parts)
    }

    private mutating func usage(of part: ReportPlan.Part, _ page: String?) throws -> ReportUsage.Reply {
        let filter = request.data.filter
        // The interval is empty, as at the beginning of a day, or nothing is recorded for the member and device.
        guard filter.fromWallMs < filter.toWallMs,
            figures.isKnown(part.person.member, part.device.device, state)
        else {
            return ReportUsage.Reply(zone: context.zone, segments: [], isOpen: false)
        }
        func ids(_ kind: TokenKind) -> [String]? {
            let ids = request.items.filter { $0.kind == kind }.map(\.id)
            return ids.isEmpty ? nil : ids
        }
        reads += 1
        let asked = ReportUsage.Request(
            fromWallMs: filter.fromWallMs,
            toWallMs: filter.toWallMs,
            segment: filter.segment,
            by: [.category, .app, .site],
            members: [part.person.member],
            devices: [part.device.device],
            apps: ids(.application),
            categories: ids(.category),
            sites: ids(.domain),
            weekday: filter.weekday,
            language: request.data.language,
            next: page
        )
        return try figures.usage(asked, state, context, database)
    }

    /// Adds segments to the page. Returns false if it is full: `place` is then the beginning of the next page.
    private mutating func append(
        _ reply: ReportUsage.Reply,
        of part: ReportPlan.Part,
        _ place: inout DataCursor
    ) throws -> Bool {
        for segment in reply.segments.dropFirst(place.segments) {
            if hasUsage(segment) {
                guard try append(segment, of: part, reply: reply, place: &place) else { return false }
            }
            place.segments += 1
            place.rows = 0
        }
        return true
    }

    private mutating func append(
        _ segment: ReportUsageSegment,
        of part: ReportPlan.Part,
        reply: ReportUsage.Reply,
        place: inout DataCursor
    ) throws -> Bool {
        let number = place.number(of: segment)
        var sent = head(segment, of: part, reply, number: number)
        var size = try sent.encodedBody().count
        guard bytes + size <= BusLimits.pageBytes || parts.isEmpty else { return false }
        let begun = place.rows
        var isWhole = true
        for row in segment.rows.dropFirst(begun) {
            let row = self.row(row)
            let added = try row.encodedBody().count + Self.room(of: row)
            guard bytes + size + added <= BusLimits.pageBytes || (parts.isEmpty && sent.rows.isEmpty) else {
                isWhole = false
                break
            }
            size += added
            sent.rows.append(row)
            place.rows += 1
        }
        // A head without rows adds nothing, because the next page repeats it.
        if isWhole || !sent.rows.isEmpty {
            bytes += size
            parts.append(sent)
        }
        return isWhole
    }

    /// Returns true if the segment is sent. Hours without use are omitted. Days without use stay, because people count days.
    private func hasUsage(_ segment: ReportUsageSegment) -> Bool {
        let hasUse =
            segment.usedMs > 0 || segment.pickups > 0 || segment.notifications > 0 || !segment.rows.isEmpty
        guard request.data.filter.segment != .hour else { return hasUse }
        return hasUse || segment.absentMs > 0 || segment.unobservedMs > 0 || segment.shieldedMs > 0
    }

    // MARK: - As an app sees it

    private func head(
        _ segment: ReportUsageSegment,
        of part: ReportPlan.Part,
        _ reply: ReportUsage.Reply,
        number: Int64
    ) -> ReportDataPart {
        ReportDataPart(
            member: part.person.member,
            name: part.person.member,
            isChild: part.person.isChild,
            device: part.device,
            number: number,
            startWallMs: segment.startWallMs,
            endWallMs: segment.endWallMs,
            usedMs: segment.usedMs,
            idlePickups: segment.idlePickups,
            firstPickupWallMs: segment.firstPickupWallMs,
            longestStartWallMs: segment.longestStartWallMs,
            longestEndWallMs: segment.longestEndWallMs,
            updatedWallMs: updated(reply),
            rows: []
        )
    }

    private func empty(_ part: ReportPlan.Part, _ reply: ReportUsage.Reply) -> ReportDataPart {
        ReportDataPart(
            member: part.person.member,
            name: part.person.member,
            isChild: part.person.isChild,
            device: part.device,
            number: -1,
            startWallMs: request.data.filter.fromWallMs,
            endWallMs: request.data.filter.toWallMs,
            usedMs: 0,
            idlePickups: 0,
            updatedWallMs: updated(reply),
            rows: []
        )
    }

    private func updated(_ reply: ReportUsage.Reply) -> Int64 {
        reply.updatedAt.flatMap(RFC3339.wallMs) ?? context.now.wallMs
    }

    private mutating func row(_ row: ReportUsageRow) -> ReportDataRow {
        ReportDataRow(
            category: thing(.category, row.category ?? Category.other.rawValue),
            application: row.app.map { thing(.application, $0) },
            webDomain: row.site.map { thing(.domain, $0) },
            usedMs: row.usedMs,
            pickups: row.pickups,
            notifications: row.notifications
        )
    }

    private mutating func thing(_ kind: TokenKind, _ id: String) -> ReportSubject {
        let item = TokenItem(kind: kind, id: id)
        if let name = names[item] { return ReportSubject(id: id, token: "", name: name) }
        let language = request.data.language ?? "en"
        var name: String?
        if kind == .category {
            name = Category(rawValue: id)?.name(language: language)
        } else {
            name = figures.name(item, language, state)
        }
        let said = name.flatMap { $0.isEmpty ? nil : $0 } ?? id
        names[item] = said
        return ReportSubject(id: id, token: "", name: said)
    }

    /// Returns the estimated size of a row's tokens.
    private static func room(of row: ReportDataRow) -> Int {
        [row.category, row.application, row.webDomain].compactMap { $0 }.reduce(0) {
            $0 + tokenBytes + $1.id.utf8.count * 4 / 3
        }
    }
}

/// The beginning of a page of an app's data.
struct DataCursor: Equatable {
    /// Distinguishes a segment from the next one.
    ///
    /// The beginning is not sufficient. If a traveller's day was over when the report begins, it starts at the same moment as the
    /// next day.
    struct Mark: Equatable {
        var start: WallTime
        var end: WallTime
        var day: String

        init(_ segment: ReportUsageSegment) {
            start = WallTime(ms: segment.startWallMs)
            end = WallTime(ms: segment.endWallMs)
            day = segment.day
        }

        init?(_ text: Substring) {
            let words = text.split(separator: "_", omittingEmptySubsequences: false)
            guard words.count == 3, let start = Int64(words[0]), let end = Int64(words[1]) else { return nil }
            (self.start, self.end) = (WallTime(ms: start), WallTime(ms: end))
            day = String(words[2])
        }

        var text: String { "\(start.ms)_\(end.ms)_\(day)" }
    }

    /// Index of the part in the plan.
    var part = 0
    /// Number of the part's segments on earlier pages.
    var number: Int64 = 0
    /// The last of these segments, which can continue on the read model's next page.
    var last: Mark?
    /// Number of finished segments of the read model's page, and of finished rows of the next segment.
    var segments = 0
    var rows = 0
    /// The read model's page.
    var page: String?

    init() {}

    init(text: String?) throws {
        guard let text else { return }
        let words = text.split(separator: ".", maxSplits: 5, omittingEmptySubsequences: false)
        let mark = words.count == 6 ? Mark(words[4]) : nil
        let numbers = words.prefix(4).compactMap { Int($0) }
        guard words.count == 6, numbers.count == 4, numbers.allSatisfy({ (0...1_000_000).contains($0) }),
            mark != nil || words[4].isEmpty
        else {
            throw Problem("page.invalid", "Send `next` exactly as it was in the reply.", field: "/next")
        }
        part = numbers[0]
        number = Int64(numbers[1])
        segments = numbers[2]
        rows = numbers[3]
        last = mark
        page = words[5].isEmpty ? nil : String(words[5])
    }

    var text: String { "\(part).\(number).\(segments).\(rows).\(last?.text ?? "").\(page ?? "")" }

    mutating func number(of segment: ReportUsageSegment) -> Int64 {
        let mark = Mark(segment)
        if mark != last || number == 0 {
            number += 1
            last = mark
        }
        return number - 1
    }

    mutating func advance(to page: String) {
        self.page = page
        segments = 0
        rows = 0
    }

    mutating func advanceToNextPart() {
        let next = part + 1
        self = DataCursor()
        part = next
    }
}
