import STContracts
import STPlatform
import STRendering

/// A report that is updated after usage, and regularly while its figures grow.
struct ReportFollow {
    /// Lower bound on the time between two updates.
    private static let interval: Duration = .seconds(1)
    /// Lower bound on the time between two calls of an app's extension without a new message.
    private static let appInterval: Duration = .seconds(5)
    private static let tick: Duration = .milliseconds(100)
    private static let home = "\u{1B}[H"
    private static let clearAll = "\u{1B}[2J"
    private static let clearLine = "\u{1B}[K"
    private static let clearBelow = "\u{1B}[J"

    /// The content of each output. Unchanged content is not written again.
    private struct Shown {
        var json: String?
        var html: String?
        var lines: String?
        /// The reason why there is no newer report.
        var problem: String?
    }

    let builder: ReportBuilder
    let output: ReportOutput
    let clients: ServiceClients

    private var invocation: Invocation { output.invocation }

    func run(for length: Duration?) async throws {
        let topics = [ServiceName.activity: [Topic.subscription(.usage)]]
        try await BusListener.with(
            clients,
            topics: topics,
            tick: Self.tick,
            for: length,
            invocation: invocation
        ) {
            try await follow($0)
        }
    }

    private func follow(_ events: AsyncStream<BusListener.Event>) async throws {
        if isScreen { invocation.terminal.draw(Self.clearAll) }
        var pace = UpdateSchedule(interval: Self.interval)
        var last = Shown()
        for await event in events {
            switch event {
            case .message: pace.recordUsage()
            case .tick: break
            case .timedOut, .interrupted: return
            }
            guard pace.isDue(SuspendingClock.now) else { continue }
            let report = try await build(&last)
            pace.recordUpdate(SuspendingClock.now, growsAfter: growth(report))
            if let report { try show(report, &last) }
        }
    }

    /// Returns `nil` if report-service or its machine does not reply. The last report stays until it replies again.
    private func build(_ last: inout Shown) async throws -> BuiltReport? {
        do {
            let report = try await builder.build(now: invocation.now)
            last.problem = nil
            return report
        } catch let problem as Problem where problem.retryable {
            let text = ProblemText.text(problem)
            if text != last.problem { invocation.terminal.note(text) }
            last.problem = text
            return nil
        }
    }

    private func growth(_ report: BuiltReport?) -> Duration? {
        guard let report else { return Self.interval }
        if case .app = report.source { return Self.appInterval }
        return report.isOpen ? Self.interval : nil
    }

    private var isScreen: Bool {
        invocation.terminal.isTerminal && !invocation.has("--html") && !invocation.wantsJSON
    }

    private func show(_ report: BuiltReport, _ last: inout Shown) throws {
        if invocation.wantsJSON {
            let line = String(decoding: JSONOutput.compact(try report.json(output.clock)), as: UTF8.self)
            if line != last.json { invocation.terminal.write(line) }
            last.json = line
        }
        if let html = report.options.outputs.html {
            let text = PageHTML.document(report.page)
            if text != last.html { try output.write(Array(text.utf8), to: html, tells: last.html == nil) }
            last.html = text
        }
        guard report.options.outputs.isScreen else { return }
        // Read for each frame, because people resize windows.
        var terminal = Terminal.current(environment: invocation.environment)
        if invocation.terminal.sink != nil { terminal = invocation.terminal }
        let lines = output.lines(report.page, terminal)
        guard isScreen else {
            let text = lines.joined(separator: "\n")
            if text != last.lines { terminal.write(text + "\n") }
            last.lines = text
            return
        }
        // Lines beyond the screen would scroll the first lines away.
        let room = max(1, terminal.rows - 1)
        let fitting = lines.count > room ? lines.prefix(room - 1) + ["…"] : lines[...]
        let text = fitting.map { $0 + Self.clearLine }.joined(separator: "\n")
        terminal.draw(Self.home + text + "\n" + Self.clearBelow)
    }
}

/// Determines when a followed report is updated.
package struct UpdateSchedule: Sendable {
    private let interval: Duration
    private var last: SuspendingClock.Instant?
    private var due: SuspendingClock.Instant?
    private var hasNewUsage = false
    /// report-service receives the usage at the same time, so one more update follows.
    private var needsSecondUpdate = false

    package init(interval: Duration) { self.interval = interval }

    /// Records that there was usage.
    package mutating func recordUsage() { hasNewUsage = true }

    package func isDue(_ now: SuspendingClock.Instant) -> Bool {
        guard let last else { return true }
        guard now - last >= interval else { return false }
        return hasNewUsage || needsSecondUpdate || due.map { now >= $0 } ?? false
    }

    /// Records an update. `growsAfter` is the time after which the report changes by itself, or `nil` if it does not.
    package mutating func recordUpdate(_ now: SuspendingClock.Instant, growsAfter: Duration?) {
        needsSecondUpdate = hasNewUsage
        hasNewUsage = false
        last = now
        due = growsAfter.map { now + $0 }
    }
}
