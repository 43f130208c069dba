import Glibc
import STCommandCore
import STContracts
import STPlatform
import STRendering
import STSimulator

/// `screentime app try`. It simulates a week of an app in virtual time, and shows a timeline and a page with images.
enum TryCommand {
    static func run(_ invocation: Invocation) async throws -> ExitCode {
        invocation.has("--watch") ? try await watch(invocation) : try await play(invocation)
    }

    private static let manifestBytesMax = 1 << 20
    private static let pollInterval = Duration.milliseconds(500)

    /// Repeats the simulation after each change until it is interrupted. It reports errors and then waits for the next change.
    private static func watch(_ invocation: Invocation) async throws -> ExitCode {
        let terminal = invocation.terminal
        _ = try SimulateCommand.faults(invocation)
        let folder = try FileTree.absolute(invocation.subjects[0])
        let project = try LabPackage.project(of: folder)
        let week = "\(folder)/\(LabPackage.scenario)"
        func fingerprint() throws -> [String] {
            let own = DirectoryTree.real(folder) ?? folder
            return ["\(try project.fingerprint(without: own))", FileMark.content(of: week) ?? ""]
        }
        var seen = try fingerprint()
        while true {
            do {
                _ = try await play(invocation)
            } catch {
                guard Problem(error).code != "simulate.interrupted" else { throw error }
                terminal.note(ProblemText.text(Problem(error)))
            }
            terminal.note(
                Speech.say(
                    "lab.waits-for-a-change",
                    "Waiting for a change in \(project.root, "root"). Press Ctrl-C to stop."
                )
            )
            while case let now = try fingerprint(), now == seen { try await Task.sleep(for: pollInterval) }
            seen = try fingerprint()
            do {
                _ = try await LabCommand.build(project, to: folder, invocation)
            } catch {
                terminal.note(ProblemText.text(Problem(error)))
            }
        }
    }

    private static func play(_ invocation: Invocation) async throws -> ExitCode {
        let terminal = invocation.terminal
        let expected = try invocation.value("--expect").map { path throws(Problem) in
            String(
                decoding: try AtomicFile.read(path, limitBytes: SimulatorLimits.requestBytes),
                as: UTF8.self
            )
        }
        var request = try await request(invocation)
        request.asPhone = invocation.has("--as-phone")
        request.faults = try SimulateCommand.faults(invocation)
        let html = invocation.value("--html")
        request.withReports = html != nil
        let outcome: SimulatorOutcome
        do {
            outcome = try await SimulateCommand.play(request, terminal)
        } catch {
            var problem = Problem(error)
            // If a person did not write the scenario, its line number does not help.
            if request.scenario?.contains("\n") == false { problem.message.trimPrefix("Line 1: ") }
            throw problem
        }
        let verdict = TryVerdict(outcome, expected: expected)
        if let html {
            let page = TryPage(outcome, verdict, environment: invocation.environment).document
            if html == "-" { terminal.write(page) } else { try write(page, to: html, terminal) }
        }
        if let junit = invocation.value("--junit") { try write(verdict.junit, to: junit, terminal) }
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: outcome.report)))
        } else if html != "-" {
            for line in outcome.lines { terminal.write(SimulateCommand.styled(line, terminal)) }
        }
        for line in verdict.changes { terminal.note(DisplayWidth.sanitized(line)) }
        return verdict.isMet ? .done : .no
    }

    private static func write(_ text: String, to path: String, _ terminal: Terminal) throws(Problem) {
        try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644, durable: false)
        terminal.note(Speech.say("lab.written", "Written: \(path, "path")"))
    }

    // MARK: - Scenario

    private static func request(_ invocation: Invocation) async throws -> SimulatorRequest {
        let text = invocation.subjects[0]
        if text == "." || text.contains("/") { return try request(folder: try FileTree.absolute(text)) }
        let (app, activities) = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkApp(text, clients)
            let app = try await clients.installedApps().first { $0.manifest.id == text }
            let watched = ActivityList.Request(app: text)
            return (
                app,
                try await clients.all(ActivityList.self, watched, rows: \.activities, next: (\.next, \.next))
            )
        }
        guard let app else {
            throw Problem(
                "app.not_found",
                "No app “\(text, "text")” is installed.",
                help: "screentime app list"
            )
        }
        let folder = FileTree.parent(of: app.bundle)
        if FileTree.exists("\(folder)/\(LabPackage.scenario)") { return try request(folder: folder) }
        let hasMonitor = app.manifest.extensions.contains { $0.point == ExtensionPoint.monitor.rawValue }
        let week = LabPackage.week(
            of: .init(id: text, name: app.manifest.name, version: app.manifest.version),
            bundle: app.bundle,
            hasMonitor: hasMonitor,
            activities: hasMonitor ? Set(activities.map(\.activity)).sorted() : [],
            events: Set(activities.flatMap { $0.events.map(\.name) }).sorted()
        )
        return request(week, app.bundle)
    }

    private static func request(folder: String) throws -> SimulatorRequest {
        let week = "\(folder)/\(LabPackage.scenario)"
        if FileTree.exists(week) { return try SimulatorRequest(.play, file: week) }
        guard FileTree.exists("\(folder)/manifest.json") else {
            throw Problem(
                "lab.no_app",
                """
                \(folder, "folder") has neither \(LabPackage.scenario, "scenario") nor manifest.json. Name \
                the folder that `app new` made, a bundle, or an installed app.
                """,
                help: "screentime app new --from PROJECT"
            )
        }
        let bytes = try AtomicFile.read("\(folder)/manifest.json", limitBytes: manifestBytesMax)
        // `app install` reports errors in the manifest.
        let manifest = (try? JSONValue(text: bytes)) ?? .null
        func text(_ name: String) -> String { manifest[name]?.string ?? "" }
        let points: [JSONValue] = if case .array(let all)? = manifest["extensions"] { all } else { [] }
        let hasMonitor = points.contains { $0["point"]?.string == ExtensionPoint.monitor.rawValue }
        let app = LabPackage.App(id: text("id"), name: text("name"), version: text("version"))
        return request(
            LabPackage.week(of: app, bundle: folder, hasMonitor: hasMonitor, activities: [], events: []),
            folder
        )
    }

    private static func request(_ week: JSONValue, _ folder: String) -> SimulatorRequest {
        SimulatorRequest(.play, scenario: String(decoding: week.text, as: UTF8.self), folder: folder)
    }
}

/// The verdict on a simulated week.
struct TryVerdict {
    let outcome: SimulatorOutcome
    /// The lines of the timeline that differ from the expected ones.
    let changes: [String]
    /// The failed callbacks and reports, without duplicates.
    let failures: [String]
    private let hasExpected: Bool

    init(_ outcome: SimulatorOutcome, expected: String?) {
        self.outcome = outcome
        hasExpected = expected != nil
        var counts: [String: Int] = [:]
        for entry in outcome.report.timeline {
            guard let callback = entry.callback, callback.state != .done else { continue }
            let what = [entry.app, entry.method].compactMap(\.self).joined(separator: " ")
            counts["\(what): \(callback.reason ?? callback.state.rawValue)", default: 0] += 1
        }
        for report in outcome.reports {
            guard let problem = report.problem else { continue }
            counts["\(report.app) \(report.context): \(problem.message)", default: 0] += 1
        }
        failures = counts.sorted { $0.key < $1.key }.map { $1 == 1 ? $0 : "\($0) (\($1)×)" }
        guard let expected else {
            changes = []
            return
        }
        let now = outcome.lines.map(\.text).joined(separator: "\n").split(separator: "\n").map(String.init)
        let before = expected.split(separator: "\n").map(String.init)
        changes = now.difference(from: before).map { change in
            switch change {
            case .remove(_, let line, _): "- \(line)"
            case .insert(_, let line, _): "+ \(line)"
            }
        }
    }

    var isMet: Bool { outcome.report.isMet && changes.isEmpty && failures.isEmpty }

    /// The verdict in JUnit format, which most test runners can read.
    var junit: String {
        var cases = [(name: "callbacks and reports are done", failure: failures.joined(separator: "\n"))]
        cases += outcome.report.expectations.map { one in
            (one.expected, one.isMet ? "" : one.instead ?? "It did not happen.")
        }
        if hasExpected { cases.append(("the timeline is as expected", changes.joined(separator: "\n"))) }
        let failed = cases.count { !$0.failure.isEmpty }
        let name = Markup.escaped(outcome.report.name)
        let seconds = "\(outcome.tookMs / 1_000).\(String(outcome.tookMs % 1_000 + 1_000).dropFirst())"
        let lines = cases.map { one in
            let head = "    <testcase classname=\"\(name)\" name=\"\(Markup.escaped(one.name))\""
            return one.failure.isEmpty
                ? head + "/>"
                : head + "><failure>\(HTMLEscape.text(one.failure))</failure></testcase>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="\(name)" tests="\(cases.count)" failures="\(failed)" time="\(seconds)">
            \(lines.joined(separator: "\n"))
              </testsuite>
            </testsuites>

            """
    }
}
