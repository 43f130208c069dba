package import STTestSupport

/// Desktop entries for the windows of a test, so that each of them is a separate app.
package enum AppEntries {
    /// Writes entries and returns their folder. A window belongs to the entry whose name is its class.
    package static func write(_ names: [String], exec: String, in scratch: ScratchDirectory) throws -> String
    {
        for name in names {
            try scratch.write(
                """
                [Desktop Entry]
                Type=Application
                Name=\(name)
                Exec=\(exec)
                StartupWMClass=\(name)

                """,
                to: "\(name).desktop"
            )
        }
        return scratch.path
    }
}
