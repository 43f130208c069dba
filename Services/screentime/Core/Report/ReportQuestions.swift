package import STContracts

/// What is asked of report-service for a report: at most two questions, put at the same time.
package struct ReportQuestions: Sendable, Equatable {
    package var main: ReportUsage.Request
    package var second: ReportUsage.Request?

    package init(_ scene: ReportScene, _ options: ReportOptions, nowMs: Int64, _ clock: LocalClock) {
        let period = options.period
        let outputs = options.outputs
        let isForPrograms = outputs.isJSON || outputs.csv != nil
        var main = ReportUsage.Request(
            fromWallMs: period.fromWallMs,
            toWallMs: period.toWallMs,
            segment: options.segment,
            by: [options.key],
            members: options.member.map { [$0] },
            devices: options.device.map { [$0] },
            top: options.top.map { Int64($0) },
            zone: clock.zone,
            language: options.language
        )
        var second: ReportUsage.Request?
        switch scene {
        case .total, .categories, .apps:
            second = ReportComparison.request(period, clock, nowMs: nowMs)
            main.compares = options.compares || !period.contains(nowMs) ? true : nil
            // On a terminal nobody sees more; the service then has less to say.
            if !isForPrograms, main.top == nil, options.key != .site { main.top = Int64(scene.top) }
        case .hours, .days, .weeks:
            // A stack is of the same things in every bar, which are only known when all are.
            if !isForPrograms { main.top = nil }
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
            main.fromWallMs = period.before(clock).fromWallMs
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
        second?.language = main.language
        second?.zone = main.zone
        self.main = main
        // Rows and numbers alone do without it; a page beside them does not.
        self.second = outputs.makesPage ? second : nil
    }
}
