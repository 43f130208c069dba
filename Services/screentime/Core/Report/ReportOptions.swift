package import STContracts
package import STPlatform

/// What `report` was asked for, checked as far as that needs no service.
package struct ReportOptions: Sendable {
    /// What it is a report of.
    package enum Subject: Sendable, Equatable {
        case scene(ReportScene)
        /// A context of an app, and the app where that was named.
        case app(context: String, app: String?)
    }

    package var subject: Subject
    package var period: ReportPeriod
    package var key: ReportKey
    package var segment: ReportSegmentation
    package var member: String?
    package var device: String?
    package var top: Int?
    package var compares: Bool
    /// As the person has it, for labels and for apps.
    package var language: String?
    package var outputs: ReportOutputs
    package var follows: Bool
    /// What was typed, for answers that say what to type instead.
    package var line: String

    /// Of the pages that this command makes; an app may know more languages.
    package var pageLanguage: WordLanguage { WordLanguage(of: language) }

    package init(_ invocation: Invocation, nowMs: Int64, _ clock: LocalClock = .here) throws {
        line = "screentime report"
        let segment = try invocation.choice("--segment", ReportSegment.self)
        let key = try invocation.choice("--by", ReportKey.self)
        subject = try Self.subject(invocation, segment)
        language = try LanguageOption.read(invocation)
        outputs = try ReportOutputs(invocation)
        member = invocation.value("--member")
        device = invocation.value("--device")
        top = try invocation.count("--top")
        compares = invocation.has("--compare")
        follows = invocation.has("--follow")
        let range = try ReportRange.read(invocation, nowMs: nowMs, clock)
        switch subject {
        case .scene(let scene):
            period = range ?? ReportRange.usual(scene, clock.day(nowMs), clock)
            self.key = key ?? scene.key
            self.segment = segment?.segmentation ?? scene.segment(period)
            try ReportChecks(invocation, scene, period, clock).check(segment: segment, key: key, nowMs: nowMs)
            if let top, top > ReportChecks.topMax { throw ReportChecks.tooMany(top) }
        case .app:
            period = range ?? ReportPeriod(clock.day(nowMs), clock.day(nowMs), clock)
            self.key = .app
            self.segment = segment?.segmentation ?? (period.days <= 1 ? .hour : .day)
            try ReportChecks.checkApp(invocation)
        }
        if follows, period.toWallMs <= nowMs {
            throw Problem(
                "usage.over",
                "--follow shows what is going on, and \(period.lastDay.text) is over.",
                help: "screentime report --follow"
            )
        }
        try checkLanguage(invocation)
    }

    private static func subject(_ invocation: Invocation, _ segment: ReportSegment?) throws(Problem)
        -> Subject
    {
        let app = invocation.value("--app")
        guard let name = invocation.value("--context") else {
            if app != nil {
                throw Problem(
                    "usage.option_value",
                    "--app says whose report it is; name the report with --context.",
                    help: "screentime report --context NAME --app \(app ?? "ID")"
                )
            }
            switch segment {
            case .hour: return .scene(.hours)
            case .day: return .scene(.days)
            case .week: return .scene(.weeks)
            case nil, .unknown: return .scene(.total)
            }
        }
        guard !name.isEmpty, name.utf8.count <= 256 else {
            throw Problem(
                "usage.bad_context",
                "--context wants the name of a report.",
                help: "screentime help report"
            )
        }
        if app == nil, let scene = ReportScene(rawValue: name) { return .scene(scene) }
        return .app(context: name, app: app)
    }

    private func checkLanguage(_ invocation: Invocation) throws(Problem) {
        guard case .scene = subject, let text = invocation.value("--language"),
            WordLanguage(code: text) == nil
        else { return }
        let known = WordLanguage.allCases.map(\.rawValue).joined(separator: " and ")
        throw Problem(
            "usage.bad_language",
            "--language is “\(text)”, and the built-in reports are written in \(known).",
            help: "--language ko"
        )
    }
}
