package import STContracts
import STPlatform

/// A line of an app's log on a terminal: when, in which callback, how serious, where from, and what.
package enum AppLogText {
    package static func line(_ line: AppLogLine, _ terminal: Terminal) -> String {
        var parts = [terminal.styled(LocalTime.clock(wallMs: line.wallMs), .dim)]
        parts.append(terminal.styled(DisplayWidth.padded(line.delivery ?? "-", 5), .cyan))
        parts.append(level(line.level, terminal))
        let origin = line.category ?? line.source
        parts.append(
            terminal.styled("[\(DisplayWidth.harmless(origin))]", line.source == "host" ? .bold : .dim)
        )
        parts.append(DisplayWidth.harmless(line.text))
        return parts.joined(separator: " ")
    }

    private static func level(_ name: String, _ terminal: Terminal) -> String {
        let text = DisplayWidth.padded(DisplayWidth.harmless(name), 6)
        return switch name {
        case "error", "fault": terminal.styled(text, .red)
        case "debug": terminal.styled(text, .dim)
        case "notice": terminal.styled(text, .blue)
        default: text
        }
    }
}
