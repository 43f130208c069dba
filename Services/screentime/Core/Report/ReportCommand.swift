import Glibc
import STContracts
import STPlatform
import STRendering

/// `screentime report`.
enum ReportCommand {
    private static let contexts = ReportTemplate.allCases.map(\.rawValue).joined(separator: "|")

    static let commands: [Command] = [
        Command(
            ["report"],
            "Shows usage today or in any period, as text, a page, a picture or a table",
            options: [
                .init(
                    "--context",
                    value: contexts,
                    summary: "name of the report; it can also be a report that an app provides"
                ),
                .init(
                    "--app",
                    value: "ID",
                    summary: "the app, if several have a report of that name",
                    key: "help.--app.which-app-where-two-have"
                ),
                .init(
                    "--by",
                    value: "app|category|site|member|device",
                    summary: "what each row or colour represents",
                    key: "help.--by.what-the-rows-or-colours"
                ),
                .init("--segment", value: "hour|day|week", summary: "one bar for each hour, day or week"),
                .init("--day", value: "DAY", summary: "one day: 2026-11-20, yesterday, monday"),
                .init(
                    "--from",
                    value: "TIME",
                    summary: "start of the period: a day, or “yesterday 17:00”",
                    key: "help.--from.where-it-begins-a-day"
                ),
                .init(
                    "--to",
                    value: "TIME",
                    summary: "end of the period; a day is included in full",
                    key: "help.--to.where-it-ends-a-day"
                ),
                .init(
                    "--member",
                    value: "NAME",
                    summary: "only this person's usage",
                    key: "help.--member.only-this-persons-use"
                ),
                .init(
                    "--device",
                    value: "NAME",
                    summary: "only usage on this device; all, the default, means every device"
                ),
                .init(
                    "--site",
                    value: "NAME",
                    summary: "only this site, with its subdomains listed separately, such as m.youtube.com",
                    key: "help.--site.only-this-site-with-its"
                ),
                .init(
                    "--top",
                    value: "NUMBER",
                    summary: "number of rows that are shown individually",
                    key: "help.--top.how-many-are-shown-one"
                ),
                .ids,
                .init("--compare", value: nil, summary: "shows the value of each row in the previous period"),
                .init(
                    "--language",
                    value: "ko|en",
                    summary: "the language; yours by default",
                    key: "help.--language.the-language-yours-by-default"
                ),
                .init(
                    "--html",
                    place: .file,
                    summary: "writes the report as an HTML page, with a light and a dark theme",
                    key: "help.--html.a-page-for-a-browser"
                ),
                .init("--open", value: nil, summary: "shows the page in your browser"),
                .init(
                    "--png",
                    place: .file,
                    summary: "writes the report as a PNG picture",
                    key: "help.--png.a-picture"
                ),
                .init(
                    "--svg",
                    place: .file,
                    summary: "writes the report as an SVG picture, which scales to any size",
                    key: "help.--svg.a-picture-of-any-size"
                ),
                .init(
                    "--dark",
                    value: nil,
                    summary: "draws the picture on a dark background",
                    key: "help.--dark.draws-the-picture-on-a"
                ),
                .init(
                    "--csv",
                    place: .file,
                    summary: "writes a table for spreadsheets; prints it if FILE is left out",
                    isValueOptional: true
                ),
                .init(
                    "--follow",
                    value: nil,
                    summary: "keeps running and shows usage as it happens",
                    key: "help.--follow.keeps-running-and-shows-use"
                ),
                .init(
                    "--for",
                    value: "TIME",
                    summary: "how long --follow runs",
                    key: "help.--for.how-long-follow-runs"
                ),
                .json,
            ],
            example: "screentime report --segment day --from monday --html week.html"
        ) { try await run($0) }
    ]

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let clock = ZonedClock.here
        let options = try ReportOptions(invocation, now: invocation.now, clock)
        let length = try invocation.duration("--for")
        guard length == nil || options.follows else {
            throw Problem(
                "usage.option_value",
                "--for is the time after which --follow ends; use them together.",
                help: "screentime report --follow --for \(invocation.value("--for") ?? "1m")"
            )
        }
        return try await ServiceClients.with(invocation.directories) { clients in
            let maker = try await ReportBuilder(
                options,
                invocation: invocation,
                clients: clients,
                clock: clock
            )
            let showing = ReportOutput(invocation: invocation, clock: clock)
            if options.follows {
                try await ReportFollow(builder: maker, output: showing, clients: clients).run(for: length)
            } else {
                try showing.show(try await maker.build(now: invocation.now))
            }
            return .done
        }
    }
}

/// Writes a report to its outputs.
struct ReportOutput {
    let invocation: Invocation
    let clock: ZonedClock

    func show(_ report: BuiltReport) throws {
        let outputs = report.options.outputs
        if outputs.isJSON { invocation.terminal.write(JSONOutput.pretty(try report.json(clock))) }
        if let csv = outputs.csv, let usage = report.usage {
            let text = ReportCSV.text(usage, clock)
            if csv == "-" {
                // The terminal adds the last line end.
                invocation.terminal.write(String(text.unicodeScalars.dropLast()))
            } else {
                try write(Array(text.utf8), to: csv)
            }
        }
        guard outputs.makesPage else { return }
        let page = report.page
        if let html = outputs.html {
            let text = PageHTML.document(page)
            if html == "-" {
                invocation.terminal.write(text)
            } else {
                try write(Array(text.utf8), to: html, tells: !outputs.opens)
                if outputs.opens {
                    let help = "screentime report --html report.html"
                    try ProgramRun.openInBrowser(html, environment: invocation.environment, help: help)
                    invocation.terminal.note(
                        Speech.say("report.the-page-is-in", "The page is open in your browser.")
                    )
                }
            }
        }
        if let png = outputs.png { try draw(page, format: .png, path: png, outputs: outputs) }
        if let svg = outputs.svg { try draw(page, format: .svg, path: svg, outputs: outputs) }
        if outputs.isScreen {
            invocation.terminal.write(lines(page, invocation.terminal).joined(separator: "\n"))
        }
    }

    func lines(_ page: Page, _ terminal: Terminal) -> [String] {
        PageTerminal.lines(page, columns: terminal.columns, colour: terminal.isColoured)
    }

    /// Replaces the file atomically. Its readers see the old page or the new one, never a part.
    func write(_ bytes: [UInt8], to path: String, tells: Bool = true) throws {
        try AtomicFile.write(bytes, to: path, durable: false)
        if tells { invocation.terminal.note("Written: \(path), \(TextFormat.bytes(Int64(bytes.count))).") }
    }

    private func draw(_ page: Page, format: DrawFormat, path: String, outputs: ReportOutputs) throws {
        let answer = try ReportPicture.write(
            page,
            to: path,
            scale: format == .png ? 2 : nil,
            appearance: outputs.isDark ? .dark : .light,
            format: format,
            environment: invocation.environment
        )
        invocation.terminal.note("Drawn into \(path), \(answer.width)x\(answer.height).")
        for warning in answer.warnings {
            invocation.terminal.note(DisplayWidth.sanitized(Speech.say(warning)))
        }
    }
}
