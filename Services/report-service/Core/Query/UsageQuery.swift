import STContracts
import STDomain
import STEngine
import STPlatform

/// A checked request, with numbers instead of names.
struct UsageQuery {
    /// Upper bound on the years of a report. A century or more is a mistake.
    static let yearsMax: Int64 = 99
    /// Upper bound on segments. A year has 8,784 hours, and decades of days also fit.
    static let segmentsMax = 10_000
    static let listMax = 200
    static let topMax: Int64 = 1_000

    var from: WallTime
    var to: WallTime
    var segment: ReportSegmentation
    var keys: Set<ReportKey>
    var owners: [Int64]
    /// The selected things. `nil` selects everything.
    var subjects: Set<Int64>?
    /// True for a report on a site and for data of apps, as on a phone: the hosts of a site are separate.
    var areHostsApart: Bool
    var top: Int?
    var compares: Bool
    var zone: String
    var rules: ZoneRules
    /// 1 is Sunday.
    var weekday: Int64
    var language: String?

    init(
        _ request: ReportUsage.Request,
        names: ReportNames,
        state: ReportState,
        context: RequestContext,
        isStrict: Bool = true
    ) throws {
        zone = request.zone ?? context.zone
        guard let rules = request.zone == nil ? LocalHours.rules(zone) : ZoneRules.load(zone) else {
            throw Problem(
                "report.unknown_zone",
                "There is no time zone \(zone.prefix(64), "zone"). Use a name such as Asia/Seoul or Europe/Berlin.",
                field: "/zone"
            )
        }
        self.rules = rules
        segment = request.segment
        try Self.check(request)
        // The report contains the whole hour of its first moment.
        from = LocalHours.hour(at: WallTime(ms: request.fromWallMs), rules).hour.start
        to = WallTime(ms: request.toWallMs)
        keys = Set(request.by)
        weekday = Int64(request.weekday ?? 2)
        top = request.top.map { Int($0) }
        compares = request.compares ?? false
        language = request.language
        areHostsApart = request.sites != nil || !isStrict
        let filter = UsageFilter(names: names, state: state, isStrict: isStrict)
        owners = try filter.owners(members: request.members, devices: request.devices)
        subjects = try filter.subjects(
            apps: request.apps,
            categories: request.categories,
            sites: request.sites
        )
    }

    private static func check(_ request: ReportUsage.Request) throws {
        guard request.segment != .unknown else {
            throw Problem(
                "report.unknown_segment",
                """
                The segment of a report must be hour, day, week or whole. Nothing finer than an hour is \
                stored. For the individual intervals of a day, call usage.list.
                """,
                field: "/segment"
            )
        }
        guard !request.by.contains(.unknown) else {
            let list = ReportKey.known.joined(separator: ", ")
            throw Problem("report.unknown_key", "Rows can be grouped by \(list, "keys").", field: "/by")
        }
        try checkTimes(request)
        if let weekday = request.weekday, !(1...7).contains(weekday) {
            throw Problem(
                "report.bad_weekday",
                "The first day of the week must be a number from 1 (Sunday) to 7 (Saturday).",
                key: "report.bad_weekday.a-week-begins",
                field: "/weekday"
            )
        }
        if let top = request.top, !(1...topMax).contains(top) {
            throw Problem(
                "report.bad_top",
                "The number of rows must be from 1 to \(topMax, "most"). Leave it out to get all rows.",
                field: "/top"
            )
        }
        let lists = [request.members, request.devices, request.apps, request.categories, request.sites]
        guard lists.allSatisfy({ $0?.count ?? 0 <= listMax }), request.by.count <= listMax else {
            throw Problem(
                "report.too_many",
                "Each list in a report request can have at most \(listMax, "most") names."
            )
        }
    }

    private static func checkTimes(_ request: ReportUsage.Request) throws {
        guard request.fromWallMs >= 0, request.toWallMs >= 0, request.toWallMs <= ZoneRules.lastMs else {
            throw Problem(
                "report.bad_time",
                "The times of a report must be milliseconds since 1970-01-01, up to the year 2200.",
                field: request.fromWallMs < 0 ? "/from_wall_ms" : "/to_wall_ms"
            )
        }
        guard request.fromWallMs < request.toWallMs else {
            throw Problem(
                "report.bad_interval",
                "The end of a report must be later than its start.",
                key: "report.bad_interval.the-report-would",
                field: "/to_wall_ms"
            )
        }
        let length = WallTime(ms: request.toWallMs) - WallTime(ms: request.fromWallMs)
        guard length <= LocalHours.dayLength * (yearsMax * 366) else {
            throw Problem(
                "report.too_long",
                "A report covers at most \(yearsMax, "most") years. Use a shorter interval.",
                field: "/from_wall_ms"
            )
        }
        let unit: Duration? =
            switch request.segment {
            case .hour: LocalHours.dayLength / 24
            case .day: LocalHours.dayLength
            case .week: LocalHours.dayLength * 7
            case .whole, .unknown: nil
            }
        guard let unit, length.ms / unit.ms > segmentsMax else { return }
        throw Problem(
            "report.too_long",
            """
            The report would have \(length.ms / unit.ms, "length") segments, but at most \
            \(segmentsMax, "most") are allowed. Use a shorter interval, or longer segments, such as days or \
            weeks.
            """,
            key: "report.too_long.that-would-be",
            field: "/segment"
        )
    }
}

/// Replaces the names in a request by the numbers in the tables. Throws for an unknown name, with a list of known ones.
struct UsageFilter {
    let names: ReportNames
    let state: ReportState
    /// If false, an unknown name has no usage instead: an app can ask about a thing that was never used.
    var isStrict = true
    private static let shownMax = 12

    func owners(members: [String]?, devices: [String]?) throws -> [Int64] {
        // The members of the household are known before they have any usage.
        let known = Set(names.owners.map(\.member)).union(state.apps.children.keys)
        // Before any usage is recorded, there are no names to suggest.
        if !known.isEmpty {
            try require(members, known: known, kind: "member", path: "/members") {
                Message("report.unknown_member", "No usage by \($0, "member") is recorded here.")
            }
        }
        let present = Set(names.owners.map { CoverageReport.id($0.device) } + state.devices.keys)
            .union([ReportDevice.this])
        try require(devices, known: present, kind: "device", path: "/devices") {
            Message("report.unknown_device", "No device \($0, "device") is known here.")
        }
        return names.owners.indices.filter { index in
            let who = names.owners[index]
            return members?.contains(who.member) != false
                && devices?.contains(CoverageReport.id(who.device)) != false
        }.map { Int64($0 + 1) }
    }

    func subjects(apps: [String]?, categories: [String]?, sites: [String]?) throws -> Set<Int64>? {
        guard apps != nil || categories != nil || sites != nil else { return nil }
        let appNames = Set((apps ?? []).map(CategoryMap.normal(app:)))
        let used = Set(names.subjects.compactMap(\.app).map(CategoryMap.normal(app:)))
        for app in apps ?? [] where state.facts[ReportState.key(app)] == nil {
            try require([CategoryMap.normal(app: app)], known: used, kind: "app", path: "/apps") {
                Message("report.unknown_app", "No usage of the app \($0, "app") is recorded here.")
            }
        }
        let categoryNames = Set(names.subjects.compactMap(\.category) + Category.allCases.map(\.rawValue))
        try require(categories, known: categoryNames, kind: "category", path: "/categories") {
            Message("report.unknown_category", "There is no category \($0, "category").")
        }
        let domains = Set(names.subjects.compactMap(\.domain))
        for site in sites ?? [] where !domains.contains(where: { Self.isPart($0, of: site) }) {
            try require([site], known: domains, kind: "site", path: "/sites") {
                Message("report.unknown_site", "No usage of the site \($0, "site") is recorded here.")
            }
        }
        let wanted = Set(categories ?? [])
        var book = CategoryNames(names, state)
        return Set(
            names.subjects.indices.filter { index in
                let thing = names.subjects[index]
                return thing.app.map { appNames.contains(CategoryMap.normal(app: $0)) } == true
                    || !wanted.isEmpty && book.category(of: thing).map(wanted.contains) == true
                    || thing.domain.map { domain in sites?.contains { Self.isPart(domain, of: $0) } } == true
            }.map { Int64($0 + 1) }
        )
    }

    private static func isPart(_ domain: String, of site: String) -> Bool {
        domain == site || domain.hasSuffix("." + site)
    }

    /// Throws if a name is unknown. `kind` is the end of the code, and `path` the field of the name.
    private func require(
        _ asked: [String]?,
        known: Set<String>,
        kind: String,
        path: String,
        sentence: (String) -> Message
    ) throws {
        guard isStrict, let strange = asked?.first(where: { !known.contains($0) }) else { return }
        let sorted = Self.nearest(to: strange, known)
        let more = known.count > Self.shownMax ? ["…"] : []
        let list = (sorted + more).joined(separator: ", ")
        let text = sentence(String(strange.prefix(80)))
        throw Problem(
            "report.unknown_\(kind)",
            text: sorted.isEmpty
                ? text : Message("report.unknown-and-known", "\(text, "problem") Known: \(list, "known")."),
            field: path,
            details: ["known": sorted.joined(separator: " ")]
        )
    }

    /// Returns known names, beginning with those that share the longest prefix with `name`.
    private static func nearest(to name: String, _ known: Set<String>) -> [String] {
        func common(_ other: String) -> Int {
            zip(name.lowercased(), other.lowercased()).prefix { $0 == $1 }.count
        }
        return Array(
            known.sorted { (common($1), $0) < (common($0), $1) }.prefix(shownMax)
        )
    }
}
