import STContracts
import STDomain
import STEngine
import STPlatform
import STStore

/// What a filter of an app matches, segment by segment, in pages that fit into a reply.
struct DataPages {
    /// Of a token in base64, beside the name that is in it.
    private static let tokenBytes = 120

    let figures: ReportFigures
    let request: DataAsk.Request
    let plan: ReportPlan
    let state: ReportState
    let context: RequestContext
    let database: Database
    private var names: [TokenItem: String] = [:]
    private var parts: [ReportDataPart] = []
    private var bytes = 0
    /// Into the read model.
    private var looks = 0

    init(
        _ figures: ReportFigures,
        _ request: DataAsk.Request,
        _ state: ReportState,
        _ context: RequestContext,
        _ database: Database
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
            guard looks < ReportLimits.pagesPerReply else {
                return ReportData.Reply(parts: parts, next: place.text)
            }
            let reply = try usage(of: part, place.page)
            if try take(reply, of: part, &place) == false {
                return ReportData.Reply(parts: parts, next: place.text)
            }
            if let next = reply.next {
                place.turn(to: next)
                continue
            }
            // The person and the device are told even when nothing is known of them.
            if place.number == 0 {
                let none = empty(part, reply)
                bytes += try none.encodedBody().count
                guard bytes <= BusLimits.pageBytes || parts.isEmpty else {
                    return ReportData.Reply(parts: parts, next: place.text)
                }
                parts.append(none)
            }
            place.turnToNextPart()
        }
        return ReportData.Reply(parts: parts)
    }

    private mutating func usage(of part: ReportPlan.Part, _ page: String?) throws -> ReportUsage.Reply {
        let filter = request.data.filter
        // As long as a day that has just begun; or nothing is known of anything.
        guard filter.fromWallMs < filter.toWallMs,
            figures.knows(part.person.member, part.device.device, state)
        else {
            return ReportUsage.Reply(zone: context.zone, segments: [], isOpen: false)
        }
        func ids(_ kind: TokenKind) -> [String]? {
            let ids = request.items.filter { $0.kind == kind }.map(\.id)
            return ids.isEmpty ? nil : ids
        }
        looks += 1
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

    /// False when the page is full; the place then says where the next one begins.
    private mutating func take(
        _ reply: ReportUsage.Reply,
        of part: ReportPlan.Part,
        _ place: inout DataCursor
    ) throws -> Bool {
        for segment in reply.segments.dropFirst(place.segments) {
            if isWorthIt(segment) {
                guard try take(segment, of: part, reply, &place) else { return false }
            }
            place.segments += 1
            place.rows = 0
        }
        return true
    }

    private mutating func take(
        _ segment: ReportUsageSegment,
        of part: ReportPlan.Part,
        _ reply: ReportUsage.Reply,
        _ place: inout DataCursor
    ) throws -> Bool {
        let number = place.number(of: segment)
        var told = head(segment, of: part, reply, number: number)
        var size = try told.encodedBody().count
        guard bytes + size <= BusLimits.pageBytes || parts.isEmpty else { return false }
        let begun = place.rows
        var isWhole = true
        for row in segment.rows.dropFirst(begun) {
            let row = self.row(row)
            let added = try row.encodedBody().count + Self.room(of: row)
            guard bytes + size + added <= BusLimits.pageBytes || (parts.isEmpty && told.rows.isEmpty) else {
                isWhole = false
                break
            }
            size += added
            told.rows.append(row)
            place.rows += 1
        }
        // A head without rows says nothing that the next page does not say.
        if isWhole || !told.rows.isEmpty {
            bytes += size
            parts.append(told)
        }
        return isWhole
    }

    /// An hour in which nobody was there is told of by its absence; a day is not, as people count days.
    private func isWorthIt(_ segment: ReportUsageSegment) -> Bool {
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

    private mutating func thing(_ kind: TokenKind, _ id: String) -> ReportThing {
        let item = TokenItem(kind: kind, id: id)
        if let name = names[item] { return ReportThing(id: id, token: "", name: name) }
        let language = request.data.language ?? "en"
        var name: String?
        if kind == .category {
            name = Category(rawValue: id)?.name(language: language)
        } else {
            name = figures.name(item, language, state)
        }
        let said = name.flatMap { $0.isEmpty ? nil : $0 } ?? id
        names[item] = said
        return ReportThing(id: id, token: "", name: said)
    }

    /// What the tokens of a row will take.
    private static func room(of row: ReportDataRow) -> Int {
        [row.category, row.application, row.webDomain].compactMap { $0 }.reduce(0) {
            $0 + tokenBytes + $1.id.utf8.count * 4 / 3
        }
    }
}
