import STPlatform

/// What every screen of a demonstration says, so that nobody takes it for their own data.
enum Banner {
    static func demo(_ terminal: Terminal) -> String { terminal.styled("DEMO: not your own data", .magenta) }

    static func isDemo(_ directories: Directories) -> Bool {
        SupervisorFile.read(directories)?.isDemo ?? false
    }

    /// A title, with the banner behind it where that is needed.
    static func titled(_ title: String, isDemo: Bool, _ terminal: Terminal) -> String {
        let title = terminal.styled(title, .bold)
        return isDemo ? title + "  " + demo(terminal) : title
    }
}
