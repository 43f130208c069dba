import STContracts
import STPlatform

/// The last thing that a start says: how long it took, where the logs are, and what to type next.
struct StartSummary {
    let plan: UpPlan
    let terminal: Terminal
    let isInBackground: Bool

    func text(readyMs: Int64, extra: [String]) -> String {
        let command = SystemPlaces.commandName(plan.environment)
        let demo = plan.places.isDemo ? " --demo" : ""
        let count = plan.services.count == 1 ? "1 service" : "\(plan.services.count) services"
        let kind = plan.places.isDemo ? "A DEMONSTRATION of Screen Time" : "Screen Time"
        var lines = ["", terminal.styled("\(kind) is ready", .green) + ": \(count) in \(readyMs) ms"]
        lines += extra.map { "  " + $0 }
        lines.append("  logs   \(plan.places.directories.logs)")
        if let exports = plan.places.exports(plan.environment) {
            lines.append("  first  \(exports)")
        }
        lines.append("  try    \(command) status")
        lines.append("         \(command) report")
        lines.append("         \(command) trace")
        lines.append("  stop   " + (isInBackground ? "\(command) system down\(demo)" : "ctrl-C"))
        lines.append("")
        return lines.joined(separator: "\n")
    }
}
