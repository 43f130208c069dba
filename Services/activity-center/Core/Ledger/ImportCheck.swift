import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// Checks the rows and notifications of an import.
struct ImportCheck {
    /// Tolerance for times in the future, because the clocks of two devices differ slightly.
    private static let futureTolerance = Duration.seconds(60)
    static let lengthMsMax: Int64 = 31 * 86_400_000

    let household: Household
    let now: TimeReading
    let bootID: String

    func check(_ request: UsageImport.Request) throws {
        let count = request.rows.count + request.notifications.count
        let isNamed = request.name != nil && request.member != nil
        guard (isNamed ? 0...UsageImport.batchMax : 1...UsageImport.batchMax).contains(count) else {
            throw Problem(
                "usage.bad_batch",
                "A request must contain 1 to \(UsageImport.batchMax, "most") rows and notifications.",
                field: "/rows"
            )
        }
        guard !household.members.isEmpty else {
            throw Household.memberRequiredProblem
        }
        if let device = request.device { try check(device) }
        if let name = request.name { try ObservationCheck.name(name, "/name") }
        if let member = request.member { try check(member: member, "") }
        var zone = ""
        for (index, row) in request.rows.enumerated() {
            let field = "/rows/\(index)"
            try check(row, isHere: request.device == nil, field)
            try check(row.device, of: request.device, field)
            try check(zone: row.zone, known: &zone, field)
        }
        for (index, row) in request.notifications.enumerated() {
            let field = "/notifications/\(index)"
            try ObservationCheck.name(row.app, field + "/app")
            try ObservationCheck.check(count: row.count, field + "/count")
            try check(member: row.member, field)
            try check(row.device, of: request.device, field)
            try check(zone: row.zone, known: &zone, field)
            try check(from: WallTime(ms: row.wallMs), length: .zero, field + "/wall_ms")
        }
    }

    /// Checks one row of another machine of the household.
    func check(_ row: Segment, _ field: String) throws {
        try check(row, isHere: false, field)
        var zone = ""
        try check(zone: row.zone, known: &zone, field)
    }

    func check(_ device: ImportedDevice) throws {
        try ObservationCheck.name(device.device, "/device/device")
        try ObservationCheck.name(device.name, "/device/name")
        _ = try device.model.required("/device/model")
        // A device with this computer's own name would merge two devices into one and count their use twice.
        guard device.device.isPlain, device.name.isPlain, !device.device.contains("/"),
            !device.device.hasPrefix("."),
            device.device != ReportDevice.this
        else {
            throw Problem(
                "usage.bad_name",
                """
                The id of a device must not contain a slash, begin with a dot, or be \
                “\(ReportDevice.this, "this")”, which means this computer. Neither the id nor the name may \
                contain control characters.
                """,
                field: "/device/device"
            )
        }
    }

    private func check(_ row: Segment, isHere: Bool, _ field: String) throws {
        for (name, text) in [
            ("segment", row.segment), ("agent", row.agent), ("run", row.run), ("boot_id", row.bootId),
        ] {
            try ObservationCheck.name(text, "\(field)/\(name)")
        }
        for (name, text) in [("app", row.app), ("domain", row.domain), ("category", row.category)] {
            if let text { try ObservationCheck.name(text, "\(field)/\(name)") }
        }
        _ = try row.presence.required(field + "/presence")
        try check(member: row.member, field)
        guard row.endBootMs >= row.startBootMs else {
            throw Problem("usage.times_reversed", "This row ends before it begins.", field: field)
        }
        let numbers = ObservationCheck.bootMsRange
        let steps = ObservationCheck.wallMsRange
        guard numbers.contains(row.startBootMs), numbers.contains(row.endBootMs), row.sequence > 0,
            (-steps.upperBound...steps.upperBound).contains(row.stepMs ?? 0)
        else {
            throw Problem(
                "usage.bad_number",
                "A time or sequence number is out of range.",
                key: "usage.bad_number.a-time-or",
                field: field
            )
        }
        // A row of the current boot cannot end later than the present boot time.
        guard !isHere || row.bootId != bootID || row.endBootMs <= now.bootMs else {
            throw Problem(
                "usage.from_future",
                """
                This row ends later than the current time. Its times count from the start of this computer, \
                which was only \(MessageValue.duration(ms: now.bootMs), "boot") ago.
                """,
                field: field + "/end_boot_ms"
            )
        }
        guard row.durationMs <= Self.lengthMsMax else {
            throw Problem(
                "usage.too_long",
                """
                This row lasts \(MessageValue.duration(ms: row.durationMs), "duration"). An imported row can \
                last at most 31 days.
                """,
                field: field
            )
        }
        try check(from: row.startWall, length: .milliseconds(row.durationMs), field + "/start_wall_ms")
    }

    private func check(member: String, _ field: String) throws {
        guard household.contains(member) else {
            throw Problem(
                "member.unknown",
                """
                There is no member \(member, "member") in this household. Add the member first, because all \
                usage must belong to a member.
                """,
                field: field + "/member",
                help: "screentime member add \(member)"
            )
        }
    }

    private func check(_ device: String?, of sent: ImportedDevice?, _ field: String) throws {
        guard device == nil || device == sent?.device else {
            throw Problem(
                "usage.other_device",
                "This entry is not from the device that the request names. Send one request per device.",
                field: field + "/device"
            )
        }
    }

    private func check(zone: String, known: inout String, _ field: String) throws {
        if zone == known { return }
        guard LocalDay.isKnown(zone: zone) else {
            throw Problem(
                "usage.unknown_zone",
                "\(zone, "zone") is not a time zone; send an IANA name such as Asia/Seoul.",
                field: field + "/zone"
            )
        }
        known = zone
    }

    private func check(from: WallTime, length: Duration, _ field: String) throws {
        guard ObservationCheck.wallMsRange.contains(from.ms) else {
            throw Problem(
                "usage.bad_number",
                "This time is outside the supported range of dates.",
                key: "usage.bad_number.this-time-is",
                field: field
            )
        }
        guard from + length <= now.wall + Self.futureTolerance else {
            throw Problem(
                "usage.from_future",
                """
                This entry ends at \(RFC3339.text(wallMs: (from + length).ms), "end"), which is in the \
                future. Only past usage can be imported.
                """,
                key: "usage.from_future.this-reaches-to",
                field: field
            )
        }
    }
}
