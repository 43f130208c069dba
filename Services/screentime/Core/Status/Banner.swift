import STPlatform

/// What every screen of a demonstration says, so that nobody takes it for their own data.
enum Banner {
    private static let demoText = "DEMO: not your own data"

    static func demo(_ terminal: Terminal) -> String { terminal.styled(demoText, .magenta) }

    static func isDemo(_ directories: Directories) -> Bool {
        SupervisorFile.read(directories)?.isDemo ?? false
    }

    /// A title, with the banner behind it where that is needed.
    static func titled(_ title: String, isDemo: Bool, _ terminal: Terminal) -> String {
        let lines = TextWrap.lines(title, terminal)
        let text = lines.map { terminal.styled($0, .bold) }.joined(separator: "\n")
        guard isDemo else { return text }
        let fits = DisplayWidth.columns((lines.last ?? "") + "  " + demoText) <= terminal.columns
        return text + (fits ? "  " : "\n") + demo(terminal)
    }
}
