import Glibc
import STContracts
import STPlatform
import Synchronization

/// The lines of all services as one stream, written by a thread of its own: a terminal that was stopped with ctrl-S
/// must not stop the supervisor.
final class MergedLog: Sendable {
    /// More than a terminal shows in a second; further lines are left out here, but stay in the services' logs.
    private static let pendingMax = 10_000

    private let thread: LoopThread
    private let text: LogLineText
    private let terminal: Terminal
    /// Task-local values do not exist on the thread that writes.
    private let language = Speech.language
    /// When standard output is a file that we keep to a size.
    private let file: OutputFile?
    private let pending = Atomic<Int>(0)
    private let leftOut = Atomic<Int>(0)

    init(_ terminal: Terminal, services: [String], file: OutputFile?) throws {
        self.terminal = terminal
        self.file = file
        text = LogLineText(terminal, services: services + ["supervisor"])
        thread = try LoopThread(name: "merged-log")
    }

    /// A line that a service wrote.
    func add(_ service: String, _ line: String) {
        guard pending.load(ordering: .relaxed) < Self.pendingMax else {
            leftOut.add(1, ordering: .relaxed)
            return
        }
        pending.add(1, ordering: .relaxed)
        thread.post { [self] in
            pending.subtract(1, ordering: .relaxed)
            let missed = leftOut.exchange(0, ordering: .relaxed)
            if missed > 0 {
                put(text.prefix("supervisor") + omitted(missed))
            }
            put(text.render(service, line))
        }
    }

    private func omitted(_ count: Int) -> String {
        language.say(
            "system.log-lines-left-out",
            count: count,
            one: "… \(count, "count") line is not shown here. The logs contain it.",
            other: "… \(count, "count") lines are not shown here. The logs contain them."
        )
    }

    /// Adds a text of this command, in its turn.
    func say(_ text: String) {
        thread.post { [self] in put(text) }
    }

    /// Waits until everything is written, but not for ever: the terminal may be stopped.
    func finish(withinMs: Int64 = 2000) {
        guard let done = try? Bell() else { return }
        thread.post { done.ring() }
        _ = done.wait(withinMs: withinMs)
        thread.stop()
    }

    private func put(_ line: String) {
        file?.makeRoom(for: line.utf8.count + 1)
        terminal.write(line)
    }
}

/// A service's line as a person reads it: whose it is, when, how serious, what happened.
struct LogLineText: Sendable {
    private static let palette: [Terminal.Style] = [.cyan, .green, .yellow, .blue, .magenta]
    /// Shown by the line's place already, or in a form of its own.
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

    /// The service and a bar, as wide for each.
    func prefix(_ service: String) -> String {
        let padding = String(repeating: " ", count: max(0, width - service.count))
        return terminal.styled(service + padding + " |", styles[service] ?? .dim) + " "
    }

    /// A line that is not a log record, such as those of a crash, is shown as it is.
    func render(_ service: String, _ line: String) -> String {
        prefix(service) + (readable(line) ?? Self.printable(line))
    }

    /// The record in words, or nil when the line is not one.
    func readable(_ line: String) -> String? {
        guard line.hasPrefix("{"), let record = try? JSONOutput.value(Array(line.utf8)),
            case .object(let fields) = record, let event = record["event"]?.string
        else { return nil }
        var parts: [String] = []
        if let wallMs = record["time"]?.string.flatMap(RFC3339.wallMs) {
            parts.append(terminal.styled(TimeText.clock(wallMs: wallMs), .dim))
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

    /// What a service prints must not move the reader's cursor.
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
