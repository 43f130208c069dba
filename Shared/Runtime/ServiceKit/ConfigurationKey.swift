import STPlatform

/// One setting: where it stands in the file, what it may be, and what it is when nobody says.
package struct ConfigurationKey: Sendable {
    package var section: String
    package var name: String
    package var fallback: String
    /// A sentence that says what is accepted.
    package var expectation: String
    package var accepts: @Sendable (String) -> Bool

    package var id: String { section + "/" + name }

    /// `SCREENTIME_LOG_LEVEL`, `SCREENTIME_DESKTOP_AGENT_SCRIPT`.
    package var environmentName: String {
        let words = (section.isEmpty ? [name] : [section, name]).joined(separator: "_")
        return "SCREENTIME_" + words.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    package static let logLevel = ConfigurationKey(
        section: "",
        name: "log_level",
        fallback: "info",
        expectation: "It is one of debug, info, warning, error.",
        accepts: { LogLevel(rawValue: $0) != nil }
    )

    package static let activityAgents = ConfigurationKey(
        section: "activity-center",
        name: "agents",
        fallback: "",
        expectation:
            "It is a list of agents, such as desktop-agent, with commas between them; nothing means any.",
        accepts: { $0.isEmpty || !names($0).contains("") }
    )

    package static let all = [logLevel] + desktop + activity + monitor + shield + report + notifier

    /// The names of a list with commas.
    package static func names(_ list: String) -> [String] {
        if list.isEmpty { return [] }
        return list.split(separator: ",", omittingEmptySubsequences: false).map { name in
            String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}
