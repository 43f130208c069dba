package import STTestSupport

/// Desktop entries for the windows of a test, so that each of them is an app of its own.
package enum AppEntries {
    /// The folder that they are in; a window is an entry's by its class, which is the entry's name too.
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
