package import STContracts
package import STPlatform
import STRendering

/// Requests the data of a built-in report from the services concurrently.
struct ReportLoader {
    /// Enough for a year of hours by app. Larger requests are mistakes.
    private static let pagesMax = 200
    /// Upper bound on the pages with the rows of one day, enough for a person who changes windows every second.
    private static let stretchPagesMax = 500
    private static let iconsMax = 40
    private static let iconBytesMax = 96 * 1024

    let clients: ServiceClients
    let template: ReportTemplate
    let options: ReportOptions
    let clock: ZonedClock

    func load(now: WallTime) async throws -> ReportSourceData {
        let clients = clients
        async let coverage = coverage()
        async let desktop = clients.result(
            DesktopStatus.self,
            .desktop,
            request: Empty(),
            timeout: SystemView.timeout
        )
        async let members = members()
        async let history = clients.result(
            HistoryList.self,
            .activity,
            request: .init(limit: 1),
            timeout: SystemView.timeout
        )
        // Only a report with --device waits for the list of devices.
        var options = options
        if options.device != nil {
            options.device = try ReportNamesCheck.device(
                options.device,
                coverage: await coverage,
                line: options.line
            )
        }
        let questions = ReportRequests(template, options: options, now: now, clock: clock)
        let period = options.period
        let (member, device) = (options.member, options.device)
        let isTimeline = template == .timeline
        async let main = Self.usage(questions.main, clients)
        async let second = Self.usageIfRequested(questions.second, clients)
        async let stretches =
            isTimeline ? Self.intervals(period, member: member, device: device, clients) : []
        do {
            var material = ReportSourceData(usage: try await main)
            material.second = try await second
            material.intervals = try await stretches
            // A path refers to a picture on the machine that it comes from.
            if options.outputs.hasPictures, RemoteMachine.current == nil {
                material.icons = await icons(of: material)
            }
            material.coverage = await coverage
            material.desktop = await desktop
            // The agent of a protected machine replies only in its own session.
            if RemoteMachine.current != nil, case .failure = material.desktop { material.desktop = nil }
            switch await history {
            case .success(let reply): material.losses = reply.losses
            case .failure(let problem): material.isQuarantined = problem.code == "store.corrupt"
            }
            material.isDemo = Banner.isDemo(clients.directories)
            try ReportNamesCheck.member(member, coverage: material.coverage, members: await members)
            return material
        } catch let problem as Problem {
            // An unknown name explains more than the service's problem.
            try ReportNamesCheck.member(member, coverage: await coverage, members: await members)
            throw problem
        }
    }

    /// Returns the icons of the most used apps. A file that cannot be read, or is larger than an icon, is left out.
    private func icons(of material: ReportSourceData) async -> [String: String] {
        let segments = material.usage.segments + (material.second?.segments ?? [])
        let apps = ReportParts.of(segments, by: .app).compactMap(\.id).prefix(Self.iconsMax)
        guard !apps.isEmpty else { return [:] }
        let found = try? await clients.all(
            CategoryFacts.self,
            .init(subjects: Array(apps)),
            rows: \.facts,
            next: (\.next, \.next),
            timeout: SystemView.timeout
        )
        let pictures = (found ?? []).compactMap { facts -> (String, String)? in
            guard let path = facts.icon, path.hasPrefix("/"),
                let bytes = try? AtomicFile.read(path, limitBytes: Self.iconBytesMax)
            else { return nil }
            let data = Base64.encode(bytes)
            return PagePicture.kind(of: data) == nil ? nil : (facts.subject, data)
        }
        return Dictionary(pictures) { first, _ in first }
    }

    private func coverage() async -> ReportCoverage.Reply? {
        try? await clients.result(
            ReportCoverage.self,
            .report,
            request: Empty(),
            timeout: SystemView.timeout
        ).get()
    }

    private func members() async -> MemberList.Reply? {
        guard options.member != nil else { return nil }
        return try? await clients.result(
            MemberList.self,
            .auth,
            request: Empty(),
            timeout: SystemView.timeout
        ).get()
    }

    private static func usageIfRequested(_ request: ReportUsage.Request?, _ clients: ServiceClients)
        async throws
        -> ReportUsage.Reply?
    {
        guard let request else { return nil }
        return try await usage(request, clients)
    }

    /// Returns all pages as one reply. A segment may continue on the next page.
    static func usage(_ request: ReportUsage.Request, _ clients: ServiceClients) async throws
        -> ReportUsage.Reply
    {
        var whole = try await clients.call(ReportUsage.self, request)
        for _ in 1..<pagesMax {
            guard let next = whole.next else { return whole }
            var more = request
            more.next = next
            let page = try await clients.call(ReportUsage.self, more)
            whole.append(page)
        }
        guard whole.next == nil else {
            throw Problem(
                "report.too_large",
                "One report cannot show that much. Choose larger segments or a shorter period.",
                help: "screentime report --segment week"
            )
        }
        return whole
    }

    private static func intervals(
        _ period: ReportPeriod,
        member: String?,
        device: String?,
        _ clients: ServiceClients
    ) async throws -> [Segment] {
        var request = UsageList.Request(
            limit: 1000,
            fromWallMs: period.from.ms,
            toWallMs: period.to.ms,
            member: member
        )
        async let now = try? clients.call(UsageNow.self, Empty(), timeout: SystemView.timeout)
        var rows: [Segment] = []
        for _ in 0..<stretchPagesMax {
            let page = try await clients.call(UsageList.self, request)
            rows += page.rows
            guard let next = page.next else { break }
            request.next = next
        }
        rows += (await now?.open ?? []).filter { member == nil || $0.member == member }
        // Rows of this computer have no device.
        return device == nil ? rows : rows.filter { ($0.device ?? ReportDevice.this) == device }
    }
}

extension ReportUsage.Reply {
    package mutating func append(_ page: ReportUsage.Reply) {
        var segments = page.segments
        if let last = self.segments.indices.last, let first = segments.first,
            self.segments[last].isSame(first)
        {
            self.segments[last].rows += first.rows
            segments.removeFirst()
        }
        self.segments += segments
        next = page.next
    }
}

extension ReportUsageSegment {
    /// Returns true if the other segment continues this one. Days that end and begin at one moment are separate segments.
    fileprivate func isSame(_ other: ReportUsageSegment) -> Bool {
        (startWallMs, endWallMs, day) == (other.startWallMs, other.endWallMs, other.day)
    }
}

/// The replies of the services for one report.
package struct ReportSourceData: Sendable {
    package var usage: ReportUsage.Reply
    /// The second reply that a scene needs: hours or days for a comparison, or apps.
    package var second: ReportUsage.Reply?
    /// The usage of a timeline, in order of time.
    package var intervals: [Segment] = []
    /// The icons of apps that have one, in base64.
    package var icons: [String: String] = [:]
    /// `nil` if report-service does not reply.
    package var coverage: ReportCoverage.Reply?
    package var desktop: Result<DesktopStatus.Reply, Problem>?
    /// The missing records.
    package var losses: [HistoryLine] = []
    /// True if the usage records are damaged, so that nothing new is recorded.
    package var isQuarantined = false
    package var isDemo = false

    /// The unhealthy states that a report mentions.
    var conditions: [Condition] {
        let found = [
            isQuarantined ? Condition(.recordsDamaged, ConditionCode.recordsDamaged.title) : nil,
            Condition.recordsMissing(losses.map { HistoryText.message($0) }),
            unobserved,
        ]
        return found.compactMap(\.self)
    }

    var unobserved: Condition? {
        desktop.flatMap { Condition.desktop($0) }.flatMap { $0.code == .desktopUnobserved ? $0 : nil }
    }

    package init(usage: ReportUsage.Reply) { self.usage = usage }
}

/// The requests to report-service for a report: at most two, sent concurrently.
package struct ReportRequests: Sendable, Equatable {
    package var main: ReportUsage.Request
    package var second: ReportUsage.Request?

    package init(_ scene: ReportTemplate, options: ReportOptions, now: WallTime, clock: ZonedClock) {
        let period = options.period
        let outputs = options.outputs
        let isForPrograms = outputs.isJSON || outputs.csv != nil
        var main = ReportUsage.Request(
            fromWallMs: period.from.ms,
            toWallMs: period.to.ms,
            segment: options.segment,
            by: [options.key],
            members: options.member.map { [$0] },
            devices: options.device.map { [$0] },
            sites: options.site.map { [$0] },
            top: options.top.map { Int64($0) },
            zone: clock.zone,
            language: options.language
        )
        var second: ReportUsage.Request?
        switch scene {
        case .total, .categories, .apps:
            second = ReportComparison.request(period, clock, now: now)
            main.compares = options.compares || !period.contains(now) ? true : nil
            // A terminal shows no more rows, so the service does not send more.
            if !isForPrograms, main.top == nil, options.key != .site { main.top = Int64(scene.top) }
        case .hours, .days, .weeks:
            // Every bar stacks the same items, which can be chosen only from all rows.
            if !isForPrograms { main.top = nil }
            guard options.key == .category else { break }
            second = main
            second?.by = [.app]
            second?.segment = .whole
            second?.top = Int64(BarTemplate.appsMax)
        case .timeline:
            main.by = [.app]
        case .pickups:
            second = main
            main.by = isForPrograms ? [.app] : []
            main.top = nil
            second?.by = [.app]
            second?.segment = .whole
            second?.top = nil
        case .compare:
            main.fromWallMs = period.before(clock).from.ms
            main.by = [.category]
            main.top = nil
        case .household:
            main.by = [.member, .category]
            main.top = nil
            second = main
            second?.by = [.member, .app]
        }
        second?.members = main.members
        second?.devices = main.devices
        second?.sites = main.sites
        second?.language = main.language
        second?.zone = main.zone
        self.main = main
        // Only a page needs the second reply.
        self.second = outputs.makesPage ? second : nil
    }
}
