import STContracts
import STCrypto
import STPlatform

/// The exchange of usage between machines and the household.
enum UsageUpload {
    /// The difference below which a clock counts as correct.
    private static let clockTolerance = Duration.seconds(2)
    /// A row that ends further in the future than this was written with a wrong clock.
    private static let leadMax = UsageRow.day
    private static let longest = UsageRow.day * 31
    private static let numberMax: Int64 = 1 << 53
    /// Usage that was not reported for this long is no longer present usage.
    private static let openAgeMax = UsageRow.day
    private static let textBytesMax = 256
    /// Rows that a machine may send beyond its first complete upload, and rows added each hour. A busy day has a few thousand rows.
    private static let rowsMargin: Int64 = 100_000
    private static let rowsPerHour: Int64 = 1_000
    /// Upper bound on the rows of a first upload.
    private static let firstRowsMax: Int64 = 5_000_000

    /// Returns the usage of the machine's people on other machines, up to the size of a reply.
    static func page(
        _ device: HouseholdState.Device,
        after: [String: Int64],
        _ store: any HouseholdStore,
        isFull: Bool
    ) throws -> (rows: [Segment], through: [String: Int64], more: Bool) {
        var rows: [Segment] = []
        var bytes = 0
        var through: [String: Int64] = [:]
        if isFull {
            for member in device.accounts.map(\.member) { through[member] = after[member] ?? 0 }
            return (rows, through, true)
        }
        for member in device.accounts.map(\.member).sorted() {
            var known = after[member] ?? 0
            through[member] = known
            let limit = RemoteUsageRoute.rowsMax - rows.count
            guard limit > 0, bytes <= BusLimits.pageBytes / 2 else { return (rows, through, true) }
            var found = try store.rows(of: member, after: known, for: device, limit: limit)
            if known > found.head {
                // The store has lost rows and assigns their numbers again.
                known = 0
                through[member] = 0
                found = try store.rows(of: member, after: 0, for: device, limit: limit)
            }
            for (place, body) in found.rows {
                rows.append(try Segment.decodedBody(body))
                through[member] = place
                bytes += body.count
                if bytes > BusLimits.pageBytes / 2 { return (rows, through, true) }
            }
            if found.rows.count == limit { return (rows, through, true) }
            through[member] = max(through[member] ?? known, found.head)
        }
        return (rows, through, false)
    }

    static func push(
        _ request: HouseholdPush.Request,
        by machine: HouseholdState.Device,
        state: inout HouseholdState,
        now: TimeReading,
        firstDay: Int64?
    ) throws -> HouseholdPush.Reply {
        try check(request)
        var device = machine
        let offset = now.wall - WallTime(ms: request.wallMs)
        // A wrong clock keeps its difference, apart from the time of a message.
        if abs((offset - device.clockOffset).ms) > clockTolerance.ms {
            device.clockOffset = abs(offset.ms) > clockTolerance.ms ? offset : .zero
        }
        device.seenAt = now.wall
        if let key = request.nextKey, TextFormat.bytes(hex: key)?.count == KeyPair.bytes {
            device.nextKey = key
        }
        if let word = request.records {
            try device.auditor.compare(word, at: now.wall)
        } else if request.isWhole {
            device.auditor.recordMissingDigests(at: now.wall)
        }
        var reply = HouseholdPush.Reply(cursor: device.cursor)
        let isBegin = request.after.epoch == nil && request.after.sequence == nil
        var used: [HouseholdChange] = []
        // A machine repeats a request if the reply takes long. Its part from the beginning was accepted then.
        let isRepeated = isBegin && request.through == device.cursor
        if !isRepeated, isBegin || request.after == device.cursor {
            if isBegin, !device.isRenewed, device.rows > 0 { device.isRenewed = true }
            let epoch = request.through.epoch ?? ""
            if isBegin { device.order.begin() }
            // Usage before the first kept day is not accepted again.
            let firstMs = firstDay.map { $0 * UsageRow.day.ms } ?? .min
            let rows = try admitted(request.rows, device: &device, now: now, reply: &reply).filter {
                $0.localStart.ms >= firstMs
            }
            if !rows.isEmpty {
                // Rows that already exist are subtracted when they are written.
                device.rows += Int64(rows.count)
                used.append(.usage(rows, device: device.id, epoch: epoch, isAnew: device.isRenewed))
            }
            if reply.why != nil { device.rejectedUploads += 1 }
            // The cursor of an upload from the beginning is set once all of it has arrived.
            device.cursor = isBegin && !request.isWhole ? HouseholdCursor() : request.through
            if request.isWhole, device.rowsMax == nil {
                (device.rowsMax, device.rowsMaxRaisedAt) = (device.rows + rowsMargin, now.wall)
            }
            if request.isWhole, device.isRenewed {
                device.isRenewed = false
                used.append(.fullLedger(device: device.id, epoch: epoch))
            }
        }
        let open = request.open.compactMap { open in
            admittedRow(open.segment, device: device, now: now, reply: &reply).map {
                OpenUsageInterval(segment: $0, agoMs: open.agoMs)
            }
        }
        state.upsert(open, of: device, received: now.boot)
        state.upsert(device)
        // The machine first: its rows are counted by its cursor.
        state.unsaved += [.device(device.id)] + used + [.openUsage(device.id)]
        reply.cursor = device.cursor
        reply.noted = device.auditor.rows
        return reply
    }

    /// Returns the plausible rows, up to the machine's limit.
    private static func admitted(
        _ sent: [Segment],
        device: inout HouseholdState.Device,
        now: TimeReading,
        reply: inout HouseholdPush.Reply
    ) throws -> [UsageRow] {
        let room = rowQuota(for: &device, now)
        var rows: [UsageRow] = []
        for sent in sent {
            guard let row = admittedRow(sent, device: device, now: now, reply: &reply) else { continue }
            if !device.order.admit(sent, at: now.wall) {
                reply.why = Problem(
                    "household.overlapping",
                    """
                    The interval \(TextFormat.truncated(row.segment, bytes: 80), "segment") overlaps an \
                    earlier interval of this machine, so the household rejects it.
                    """,
                    field: "/rows"
                )
            } else if Int64(rows.count) >= room {
                reply.why = Problem(
                    "household.too_many_of_machine",
                    """
                    The machine sent more intervals than it could have recorded. The household rejects the \
                    rest.
                    """,
                    field: "/rows"
                )
            } else {
                rows.append(try UsageRow(row))
            }
        }
        return rows
    }

    /// The number of rows that the household still accepts from a machine.
    private static func rowQuota(for device: inout HouseholdState.Device, _ now: TimeReading) -> Int64 {
        guard let max = device.rowsMax else { return Swift.max(0, firstRowsMax - device.rows) }
        let hours = (now.wall - device.rowsMaxRaisedAt).ms / UsageRow.hour.ms
        if hours != 0 {
            device.rowsMax = max + Swift.max(0, hours) * rowsPerHour
            device.rowsMaxRaisedAt = now.wall
        }
        return (device.rowsMax ?? max) - device.rows
    }

    /// Returns a row with the household's names and by its clock.
    ///
    /// Returns `nil` for a person whom the machine does not share, and for an implausible row, so that one bad row does not block
    /// all later ones.
    private static func admittedRow(
        _ sent: Segment,
        device: HouseholdState.Device,
        now: TimeReading,
        reply: inout HouseholdPush.Reply
    ) -> Segment? {
        guard let member = device.localMember(sent.member) else { return nil }
        let texts = [
            sent.segment, sent.agent, sent.run, sent.bootId, sent.zone, sent.app ?? "", sent.domain ?? "",
            sent.category ?? "",
        ]
        let numbers = [sent.startBootMs, sent.endBootMs, sent.startWallMs, sent.sequence, sent.stepMs ?? 0]
        var row = sent
        guard sent.device == nil, texts.allSatisfy(isShort),
            numbers.allSatisfy({ $0.magnitude < numberMax }),
            (0...longest.ms).contains(sent.endBootMs - sent.startBootMs)
        else {
            reply.why = Problem(
                "household.bad_row",
                """
                The interval \(TextFormat.truncated(sent.segment, bytes: 80), "segment") has invalid times or \
                texts, or belongs to another machine.
                """,
                field: "/rows"
            )
            return nil
        }
        row.member = member
        row.device = device.id
        row.startWallMs += device.clockOffset.ms
        let lead = WallTime(ms: row.startWallMs + row.durationMs) - now.wall
        // The clock was a little ahead: the interval ended before now.
        if lead > .zero { row.startWallMs -= lead.ms }
        guard lead <= leadMax else {
            reply.why = Problem(
                "household.from_future",
                """
                An interval ends more than a day in the future, because the clock of its machine was wrong. \
                The household ignores this interval.
                """,
                field: "/rows"
            )
            return nil
        }
        return row
    }

    static func isShort(_ text: String) -> Bool { text.utf8.count <= textBytesMax && text.isPlain }

    private static func check(_ request: HouseholdPush.Request) throws {
        guard request.rows.count <= HouseholdPush.rowsMax, request.open.count <= HouseholdPush.openMax else {
            throw Problem(
                "household.too_many_rows",
                """
                A request can have at most \(HouseholdPush.rowsMax, "most") rows and \
                \(HouseholdPush.openMax, "most2") open intervals.
                """,
                field: "/rows"
            )
        }
        guard request.through.epoch?.isEmpty == false, (request.through.sequence ?? -1) >= 0,
            [request.after, request.through].allSatisfy({
                isShort($0.epoch ?? "") && isShort($0.id ?? "")
            })
        else {
            throw Problem(
                "household.bad_cursor",
                """
                The cursor `after` or `through` is not valid. `through` must have an epoch and a sequence \
                number.
                """,
                field: "/through"
            )
        }
        guard request.wallMs.magnitude < numberMax,
            request.open.allSatisfy({ (0...openAgeMax.ms).contains($0.agoMs) })
        else {
            throw Problem(
                "household.bad_clock",
                "The machine sent an invalid time.",
                field: "/wall_ms"
            )
        }
    }
}
