import Glibc
import STContracts
import STPlatform
import Synchronization

/// Merges the lines of all services into one stream on a separate thread.
///
/// The thread is separate because a terminal that was stopped with Ctrl-S must not stop the supervisor.
final class MergedLog: Sendable {
    /// Upper bound on the waiting lines, more than a terminal shows in a second. Further lines are only in the services' logs.
    private static let pendingMax = 10_000

    private let thread: LoopThread
    private let text: LogLineText
    private let terminal: Terminal
    /// Task-local values are not available on the writing thread.
    private let language = Speech.language
    /// The log file with a bounded size, if standard output is one.
    private let file: OutputFile?
    private let pending = Atomic<Int>(0)
    private let omittedLines = Atomic<Int>(0)

    init(_ terminal: Terminal, services: [String], file: OutputFile?) throws {
        self.terminal = terminal
        self.file = file
        text = LogLineText(terminal, services: services + ["supervisor"])
        thread = try LoopThread(name: "merged-log")
    }

    func add(_ service: String, _ line: String) {
        guard pending.load(ordering: .relaxed) < Self.pendingMax else {
            omittedLines.add(1, ordering: .relaxed)
            return
        }
        pending.add(1, ordering: .relaxed)
        thread.post { [self] in
            pending.subtract(1, ordering: .relaxed)
            let missed = omittedLines.exchange(0, ordering: .relaxed)
            if missed > 0 {
                enqueue(text.prefix("supervisor") + omitted(missed))
            }
            enqueue(text.render(service, line))
        }
    }

    private func omitted(_ count: Int) -> String {
        language.text(
            "system.log-lines-left-out",
            count: count,
            one: "… \(count, "count") line is not shown here. The logs contain it.",
            other: "… \(count, "count") lines are not shown here. The logs contain them."
        )
    }

    /// Adds a text of this command after the lines before it.
    func say(_ text: String) {
        thread.post { [self] in enqueue(text) }
    }

    /// Waits until everything is written, but not forever, because the terminal may be stopped.
    func finish(within limit: Duration = .seconds(2)) {
        guard let done = try? WakeDescriptor() else { return }
        thread.post { done.signal() }
        _ = done.wait(withinMs: limit.ms)
        thread.stop()
    }

    private func enqueue(_ line: String) {
        file?.makeRoom(for: line.utf8.count + 1)
        terminal.write(line)
    }
}

/// Formats a service's log line for people: the service, the time, the level and the message.
struct LogLineText: Sendable {
    private static let palette: [Terminal.Style] = [.cyan, .green, .yellow, .blue, .magenta]
    /// The fields that have their own place in the line.
    private static let shown: Set<String> = ["time", "level", "service", "event", "message"]

    private let terminal: Terminal
    private let width: Int
    private let styles: [String: Terminal.Style]

    init(_ terminal: Terminal, services: [String]) {
        self.terminal = terminal
        width = services.map(\.count).max() ?? 0
        let pairs = services.enumerated().map { index, name in
            (name, name == "supervisor" ? Terminal.Style.bold : Self.palette[index % Self.palette.count])
        }
        styles = Dictionary(pairs) { first, _ in first }
    }

    /// Returns the service's name and a bar, with the same width for each service.
    func prefix(_ service: String) -> String {
        let padding = String(repeating: " ", count: max(0, width - service.count))
        return terminal.styled(service + padding + " |", styles[service] ?? .dim) + " "
    }

    /// Formats a line. A line that is not a log record, for example of a crash, is shown unchanged.
    func render(_ service: String, _ line: String) -> String {
        prefix(service) + (readable(line) ?? Self.printable(line))
    }

    /// Returns the record as text, or `nil` if the line is not a record.
    func readable(_ line: String) -> String? {
        guard line.hasPrefix("{"), let record = try? JSONOutput.value(Array(line.utf8)),
            case .object(let fields) = record, let event = record["event"]?.string
        else { return nil }
        var parts: [String] = []
        if let wallMs = record["time"]?.string.flatMap(RFC3339.wallMs) {
            parts.append(terminal.styled(TimeText.clock(WallTime(ms: wallMs)), .dim))
        }
        if let level = record["level"]?.string { parts.append(self.level(level)) }
        parts.append(terminal.styled(Self.printable(event), .bold))
        if let message = record["message"]?.string { parts.append(Self.printable(message)) }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) where !Self.shown.contains(name) {
            parts.append(terminal.styled(Self.printable(name) + "=", .dim) + Self.printable(Self.text(value)))
        }
        return parts.joined(separator: " ")
    }

    private func level(_ name: String) -> String {
        switch name {
        case "error": terminal.styled("error", .red)
        case "warning": terminal.styled("warn ", .yellow)
        case "debug": terminal.styled("debug", .dim)
        case "info": "info "
        default: Self.printable(name)
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        case .bool(let flag): flag ? "true" : "false"
        case .null: "null"
        case .array, .object: JSONOutput.line(value)
        }
    }

    /// Replaces control characters, because a service's output must not move the cursor.
    private static func printable(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        if isPlain { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            result.unicodeScalars.append(isControl ? (scalar == "\t" ? " " : "\u{FFFD}") : scalar)
        }
        return result
    }
}
