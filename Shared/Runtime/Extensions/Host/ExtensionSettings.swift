import STContracts
package import STPlatform

/// Where a host has its endpoints, and what its extensions are told.
package struct ExtensionSettings: Sendable {
    /// Of the endpoints; only this account may enter it.
    package var folder: String
    package var environment: [String: String]
    package var limits = ExtensionLimits()
    /// Whether every child of this process is an extension or was left behind by one.
    ///
    /// Then what extensions leave behind is ended too, even when it left their process group.
    package var ownsAllChildren = false

    /// What is passed on of our own environment: where programs and libraries are, language and zone.
    private static let inherited: Set<String> = [
        "PATH", "HOME", "LD_LIBRARY_PATH", "LANG", "TZ", backtrace,
    ]
    private static let backtrace = "SWIFT_BACKTRACE"
    /// Whether extensions of reports run where the kernel cannot keep the network from them.
    package var mayHaveNetwork = false

    private static let shortBacktrace =
        "enable=yes,interactive=no,color=no,registers=none,images=none,threads=crashed,limit=16"

    /// `clockLibrary` is preloaded where this process itself is on a virtual clock.
    ///
    /// Each host has a folder of its own: it ends whatever was left over there.
    package init(
        directories: Directories,
        folder: String = "extensions",
        environment: [String: String],
        clockLibrary: String? = nil
    ) {
        self.folder = "\(directories.run)/\(folder)"
        self.environment = environment.filter { name, _ in
            Self.inherited.contains(name) || name.hasPrefix("LC_")
        }
        if let clock = environment[ExtensionEnvironment.clock], let clockLibrary {
            self.environment[ExtensionEnvironment.clock] = clock
            self.environment["LD_PRELOAD"] = clockLibrary
        }
        self.environment[ExtensionEnvironment.state] = directories.state
        // A crash tells where, in lines that fit into what is kept.
        if self.environment[Self.backtrace] == nil { self.environment[Self.backtrace] = Self.shortBacktrace }
    }
}
