import Glibc
package import STContracts
import STDomain
package import STPlatform

/// The options of `report`, checked as far as possible without a service.
package struct ReportOptions: Sendable {

    package enum Subject: Sendable, Equatable {
        case template(ReportTemplate)
        /// A context of an app, and the app if it was named.
        case app(context: String, app: String?)
    }

    package var subject: Subject
    package var period: ReportPeriod
    package var key: ReportKey
    package var segment: ReportSegmentation
    package var member: String?
    package var device: String?
    package var site: String?
    package var top: Int?
    package var compares: Bool
    /// The person's language, for labels and for apps.
    package var language: String?
    package var outputs: ReportOutputs
    package var follows: Bool
    /// The command as typed, for messages that suggest another command.
    package var line: String

    /// The language of this command's pages. An app may support more languages.
    package var pageLanguage: DisplayLanguage { DisplayLanguage(of: language) }

    package init(_ invocation: Invocation, now: WallTime, _ clock: ZonedClock = .here) throws {
        line = "screentime report"
        let segment = try invocation.choice("--segment", ReportSegment.self)
        let key = try invocation.choice("--by", ReportKey.self)
        subject = try Self.subject(invocation, segment)
        language = try LanguageOption.read(invocation)
        outputs = try ReportOutputs(invocation)
        member = invocation.value("--member")
        device = invocation.value("--device").flatMap { $0 == "all" ? nil : $0 }
        site = try invocation.value("--site").map { try DomainName.checked($0, field: "--site") }
        top = try invocation.count("--top")
        compares = invocation.has("--compare")
        follows = invocation.has("--follow")
        let range = try ReportRange.read(invocation, now: now, clock)
        switch subject {
        case .template(let scene):
            period = range ?? ReportRange.usual(scene, today: clock.day(now), clock: clock)
            self.key = key ?? (site == nil ? scene.key : .site)
            self.segment = segment?.segmentation ?? scene.segment(period)
            try ReportChecks(invocation, scene: scene, period: period, clock: clock).check(
                segment: segment,
                key: key,
                now: now
            )
            if let top, top > ReportChecks.topMax { throw ReportChecks.tooMany(top) }
        case .app:
            period = range ?? ReportPeriod(clock.day(now), last: clock.day(now), clock: clock)
            self.key = .app
            self.segment = segment?.segmentation ?? (period.days <= 1 ? .hour : .day)
            try ReportChecks.checkApp(invocation)
        }
        if follows, period.to <= now {
            throw Problem(
                "usage.over",
                "--follow shows current usage, but \(period.lastDay.text, "text") is in the past.",
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
                    "--app only names the app that provides the report. Name the report with --context.",
                    key: "usage.option_value.app-says-which",
                    help: "screentime report --context NAME --app \(app ?? "ID")"
                )
            }
            switch segment {
            case .hour: return .template(.hours)
            case .day: return .template(.days)
            case .week: return .template(.weeks)
            case nil, .unknown: return .template(.total)
            }
        }
        guard !name.isEmpty, name.utf8.count <= 256 else {
            throw Problem(
                "usage.bad_context",
                "--context needs the name of a report.",
                help: "screentime help report"
            )
        }
        if app == nil, let scene = ReportTemplate(rawValue: name) { return .template(scene) }
        return .app(context: name, app: app)
    }

    private func checkLanguage(_ invocation: Invocation) throws(Problem) {
        guard case .template = subject, let text = invocation.value("--language"),
            DisplayLanguage(code: text) == nil
        else { return }
        let known = DisplayLanguage.all.map(\.code).joined(separator: " and ")
        throw Problem(
            "usage.bad_language",
            """
            --language is “\(text, "text")”, but the built-in reports are available only in \
            \(known, "known").
            """,
            key: "usage.bad_language.language-is-but",
            help: "--language ko"
        )
    }
}

/// The outputs of a report.
package struct ReportOutputs: Sendable, Equatable {
    /// Absolute paths, or `-` for standard output.
    package var html: String?
    package var png: String?
    package var svg: String?
    package var csv: String?
    package var isJSON: Bool
    package var isDark: Bool
    package var opens: Bool

    package init(_ invocation: Invocation) throws {
        html = try Self.path("--html", invocation, takesDash: true)
        opens = invocation.has("--open")
        // In the account's own folder, which is removed at the end of the session.
        if opens, html == nil { html = invocation.directories.run + "/report.html" }
        png = try Self.path("--png", invocation, takesDash: false)
        svg = try Self.path("--svg", invocation, takesDash: false)
        csv = invocation.value("--csv") == "" ? "-" : try Self.path("--csv", invocation, takesDash: true)
        isJSON = invocation.wantsJSON
        isDark = invocation.has("--dark")
        try check(invocation)
    }

    package var files: [String] { [html, png, svg, csv].compactMap { $0 }.filter { $0 != "-" } }

    /// True if the report is shown on the terminal.
    package var isScreen: Bool { !hasPictures && csv == nil && !isJSON }

    /// True if a person will read the report, on the terminal or in a file.
    package var makesPage: Bool { isScreen || hasPictures }

    package var hasPictures: Bool { html != nil || png != nil || svg != nil }

    private func check(_ invocation: Invocation) throws(Problem) {
        let onStandard = [
            isJSON ? "--json" : nil, csv == "-" ? "--csv" : nil, html == "-" ? "--html -" : nil,
        ]
        .compactMap { $0 }
        guard onStandard.count < 2 else {
            let list = onStandard.joined(separator: Speech.say("system.and", " and "))
            throw Problem(
                "usage.option_value",
                "Only one of \(list, "options") can write to standard output. Give the others a file.",
                key: "usage.option_value.would-both-go",
                help: "screentime report --csv report.csv"
            )
        }
        guard Set(files.map(Self.resolved)).count == files.count else {
            throw Problem(
                "usage.option_value",
                "Two outputs have the same file; give each its own.",
                key: "usage.option_value.two-outputs-have",
                help: "screentime report --html report.html --png report.png"
            )
        }
        if isDark, png == nil, svg == nil {
            throw Problem(
                "usage.option_value",
                """
                --dark applies only to pictures. An HTML page follows the light or dark setting of the \
                browser. Add --png or --svg with a file name.
                """,
                key: "usage.option_value.dark-is-for",
                help: "screentime report --png report.png --dark"
            )
        }
        if invocation.has("--follow"),
            let option = ["--png", "--svg", "--csv"].first(where: { invocation.has($0) })
        {
            throw Problem(
                "usage.option_value",
                """
                --follow works in a terminal, with --json, and with an --html file. It cannot be combined \
                with \(option, "option"), which is written only once.
                """,
                key: "usage.option_value.follow-works-on",
                help: "screentime report --follow --html report.html"
            )
        }
        if opens, html == "-" || invocation.has("--follow") {
            throw Problem(
                "usage.option_value",
                """
                --open needs a page in a file that is written only once. It cannot be combined with “--html \
                -” or --follow.
                """,
                key: "usage.option_value.open-shows-a",
                help: "screentime report --open"
            )
        }
        if html == "-", invocation.has("--follow") {
            throw Problem(
                "usage.option_value",
                "--follow writes the page repeatedly, so it needs a file.",
                key: "usage.option_value.follow-writes-the",
                help: "screentime report --follow --html report.html"
            )
        }
    }

    private static func path(_ option: String, _ invocation: Invocation, takesDash: Bool) throws(Problem)
        -> String?
    {
        guard let text = invocation.value(option) else { return nil }
        if takesDash, text == "-" { return text }
        guard !text.isEmpty, text != "-", !text.hasSuffix("/") else {
            throw Problem(
                "usage.option_value",
                "\(option, "option") needs the name of a file.",
                key: "usage.option_value.needs-the-name",
                help: "screentime report \(option) report.\(option.dropFirst(2))"
            )
        }
        let path = try FileTree.absolute(text)
        let folder = FileTree.parent(of: path)
        var about = stat()
        guard stat(folder.isEmpty ? "/" : folder, &about) == 0, about.st_mode & S_IFMT == S_IFDIR else {
            throw Problem(
                "usage.no_folder",
                """
                \(option, "option") is “\(text, "text")”, but the folder \(folder, "folder") does not exist. \
                Create it first.
                """,
                help: "mkdir -p \(folder)"
            )
        }
        if stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFDIR {
            throw Problem(
                "usage.option_value",
                "\(option, "option") is “\(text, "text")”, which is a folder; name a file in it.",
                key: "usage.option_value.is-which-is",
                help: "screentime report \(option) \(text)/report.\(option.dropFirst(2))"
            )
        }
        return path
    }

    /// Returns the same path for two names of one file.
    private static func resolved(_ path: String) -> String {
        if let whole = DirectoryTree.real(path) { return whole }
        // The file may not exist yet, but its folder does.
        let folder = FileTree.parent(of: path)
        let name = path.dropFirst(folder.count).drop { $0 == "/" }
        return (DirectoryTree.real(folder.isEmpty ? "/" : folder) ?? folder) + "/" + name
    }
}
