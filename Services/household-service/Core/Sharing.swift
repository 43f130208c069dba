import STBus
package import STContracts
import STEngine
import STPlatform

/// When a machine last asked, as the companion knows, because asking changes nothing.
package struct DevicePresence: WireBody, Codable, Equatable {
    package var device: String
    package var wallMs: Int64
    package var isWaiting: Bool

    package init(device: String, wallMs: Int64, isWaiting: Bool) {
        self.device = device
        self.wallMs = wallMs
        self.isWaiting = isWaiting
    }
}

/// Asks the companion which machines are there. No role may call this over the bus.
package enum PresentAsk: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var devices: [DevicePresence]

        package init(devices: [DevicePresence]) { self.devices = devices }
    }

    package static let name = "household.present.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "Which machines are connected."
}

/// Asks the companion to wait until there is something new. No role may call this over the bus.
package enum NewsAsk: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var device: String
        package var after: Int64
        package var news: Int64
        package var waitMs: Int64
    }

    package typealias Reply = Empty

    package static let name = "household.news.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "Waits for something new."
}

/// What machines tell the household of use, and hear of it.
enum Sharing {
    /// A clock that is kept right is off by less.
    private static let clockMs: Int64 = 2_000
    /// A row that lies further in the future than this was written by a false clock.
    private static let aheadMs: Int64 = 86_400_000
    private static let longestMs: Int64 = 8 * 86_400_000
    private static let openMax = 200

    static var routes: [ServiceRoute<HouseholdState>] {
        [
            .write(HouseholdPush.self) { state, request, context, change in
                try push(request, &state, context, change)
            },
            ServiceRoute<HouseholdState>.query(HouseholdPull.self) { state, request, context, database in
                let device = state.devices[try state.device(context.principal.remote)]
                let members = device.accounts.map(\.member)
                let limit = UsageElsewhere.rowsMax
                let found = try HouseholdTables.rows(
                    after: request.after,
                    of: members,
                    besides: device.id,
                    limit: limit,
                    database
                )
                let more = found.count == limit
                return HouseholdPull.Reply(
                    devices: state.devices.map { HouseholdDeviceName(device: $0.id, name: $0.name) },
                    accounts: device.accounts,
                    rows: found.map(\.row),
                    open: state.open(besides: device, nowBootMs: context.now.bootMs),
                    through: more ? found.last?.place ?? request.after : max(state.lastPlace, request.after),
                    news: state.news,
                    wallMs: context.now.wallMs,
                    more: more
                )
            }
            .after(
                Preparation(source: .companion, route: NewsAsk.name) { state, request in
                    let asked = try request.read(HouseholdPull.Request.self)
                    let device = state.devices[try state.device(request.principal.remote)]
                    guard state.lastPlace <= asked.after, state.news == asked.news, asked.waitMs > 0 else {
                        return nil
                    }
                    return try NewsAsk.Request(
                        device: device.id,
                        after: asked.after,
                        news: asked.news,
                        waitMs: min(asked.waitMs, HouseholdPull.waitMsMax)
                    ).encodedBody()
                }
            ),
        ]
    }

    private static func push(
        _ request: HouseholdPush.Request,
        _ state: inout HouseholdState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> HouseholdPush.Reply {
        let index = try state.device(context.principal.remote)
        try check(request)
        var device = state.devices[index]
        let offMs = change.now.wallMs - request.wallMs
        device.clockOffMs = abs(offMs) > clockMs ? offMs : 0
        device.seenMs = change.now.wallMs
        let isBegin = request.after.epoch == nil && request.after.sequence == nil
        if isBegin || request.after == device.cursor {
            if isBegin, !device.isAnew, device.rows > 0 { device.isAnew = true }
            let epoch = request.through.epoch ?? ""
            for sent in request.rows {
                guard let row = taken(sent, device, now: change.now.wallMs) else { continue }
                if let place = try HouseholdTables.add(row, of: device.id, epoch: epoch, change.database) {
                    state.lastPlace = place
                    device.rows += 1
                } else if device.isAnew {
                    try HouseholdTables.renew(row.segment, of: device.id, epoch: epoch, change.database)
                }
            }
            // A beginning counts once all of it is here.
            device.cursor = isBegin && !request.isWhole ? HouseholdCursor() : request.through
            if request.isWhole, device.isAnew {
                device.isAnew = false
                device.rows -= Int64(
                    try HouseholdTables.forget(of: device.id, before: epoch, change.database)
                )
            }
        }
        let open = request.open.compactMap { open -> OpenStretch? in
            taken(open.segment, device, now: change.now.wallMs).map {
                OpenStretch(segment: $0, agoMs: open.agoMs)
            }
        }
        let before = state.open[device.id]
        if before?.stretches.map(\.segment) != open.map(\.segment) { state.news += 1 }
        state.open[device.id] = .init(stretches: open, heardBootMs: change.now.bootMs)
        if device != state.devices[index] { try HouseholdTables.save(device, change.database) }
        state.devices[index] = device
        return HouseholdPush.Reply(cursor: device.cursor)
    }

    /// A row with the household's names and its clock; nil for a person whom the machine does not share.
    private static func taken(_ sent: Segment, _ device: HouseholdState.Device, now: Int64) -> Segment? {
        guard let member = device.member(sent.member) else { return nil }
        var row = sent
        row.member = member
        row.device = device.id
        row.startWallMs += device.clockOffMs
        return row.startWallMs + row.durationMs <= now + aheadMs ? row : nil
    }

    private static func check(_ request: HouseholdPush.Request) throws {
        guard request.rows.count <= HouseholdPush.rowsMax, request.open.count <= openMax else {
            throw Problem(
                "household.too_many_rows",
                "A request has at most \(HouseholdPush.rowsMax) rows and \(openMax) open stretches.",
                field: "/rows"
            )
        }
        guard request.through.epoch?.isEmpty == false, (request.through.sequence ?? -1) >= 0 else {
            throw Problem("household.bad_cursor", "A request says how far it reaches.", field: "/through")
        }
        for row in request.rows + request.open.map(\.segment) {
            let (length, isOver) = row.endBootMs.subtractingReportingOverflow(row.startBootMs)
            guard !isOver, length >= 0, length <= longestMs, row.segment.utf8.count <= 512,
                row.device == nil, abs(row.startWallMs) < 1 << 53
            else {
                throw Problem(
                    "household.bad_row",
                    "The stretch \(TextFormat.fitting(row.segment, bytes: 80)) has no length that time can have, or is of another machine.",
                    field: "/rows"
                )
            }
        }
        guard abs(request.wallMs) < 1 << 53, request.open.allSatisfy({ $0.agoMs >= 0 }) else {
            throw Problem("household.bad_clock", "The clock of the machine is no time.", field: "/wall_ms")
        }
    }
}
