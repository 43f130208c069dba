package import STPlatform

/// A command line that fits the grammar, and the surroundings it runs in.
package struct Invocation: Sendable {
    package var subjects: [String]
    /// By name with the dashes; a switch has the value "".
    package var options: [String: String]
    package var environment: [String: String]
    package var directories: Directories
    package var terminal: Terminal

    package init(
        subjects: [String],
        options: [String: String],
        environment: [String: String],
        directories: Directories,
        terminal: Terminal
    ) {
        self.subjects = subjects
        self.options = options
        self.environment = environment
        self.directories = directories
        self.terminal = terminal
    }

    package func has(_ option: String) -> Bool { options[option] != nil }

    package var wantsJSON: Bool { has("--json") }
}
