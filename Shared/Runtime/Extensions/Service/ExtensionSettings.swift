import Glibc
import STContracts
package import STPlatform
package import STServiceKit

/// What an extension may use, and how long the host waits for it.
///
/// All times are real: a callback that hangs hangs in real time.
package struct ExtensionLimits: Sendable, Equatable {
    /// Private_Dirty + Swap during a call; 6 MB is what the device gives a monitor.
    package var memoryBytes: Int64 = 6 << 20
    /// From the call until everything that it began is done.
    package var callMs: Int64 = 30_000
    /// What a call may write, on all three descriptors together.
    package var outputBytes: Int64 = 256 * 1024
    /// From the start of the process to its hello.
    package var startMs: Int64 = 10_000
    /// How long a process without a call is kept.
    package var keepWarmMs: Int64 = 5_000
    /// From "end" to SIGTERM, and from SIGTERM to SIGKILL.
    package var endMs: Int64 = 500
    package var sampleMs: Int64 = 2
    /// How long work that a callback began may go on once it has returned; nil is as long as the call.
    ///
    /// On a phone the process may be ended at once.
    package var workMs: Int64?

    package init() {}
}

/// Where a host has its endpoints, and what its extensions get.
package struct ExtensionSettings: Sendable {
    /// The folder of the endpoints; only this account may enter it.
    package var folder: String
    package var environment: [String: String]
    package var limits = ExtensionLimits()
    /// Whether every child of this process is an extension or was left behind by one.
    ///
    /// Then what extensions leave behind is ended too, even when it left their process group.
    package var ownsAllChildren = false

    /// Whether extensions of reports run where the kernel cannot keep the network from them.
    package var mayHaveNetwork = false

    /// What extensions inherit of our environment: where programs and libraries are, language and zone.
    private static let inherited: Set<String> = [
        "PATH", "HOME", "LD_LIBRARY_PATH", "LANG", "TZ", backtrace, ExtensionEnvironment.faults,
    ]
    private static let backtrace = "SWIFT_BACKTRACE"
    private static let shortBacktrace =
        "enable=yes,interactive=no,color=no,registers=none,images=none,threads=crashed,limit=16"

    /// Where this process itself runs on a virtual clock, extensions preload `clockLibrary`.
    ///
    /// Each host has its own folder: it ends the extensions that are left over there.
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

    /// The settings of one service; the endpoints are in `folder` of the run directory.
    package init(_ surroundings: Surroundings, _ keys: ExtensionKeys, folder: String) {
        self.init(
            directories: surroundings.directories,
            folder: folder,
            environment: ProcessEnvironment.current(),
            clockLibrary: Self.beside("libscreentime-clock.so")
        )
        let configuration = surroundings.configuration
        limits.memoryBytes = configuration.number(keys.memoryKiB) * 1024
        limits.callMs = configuration.number(keys.callMs)
        limits.outputBytes = configuration.number(keys.outputKiB) * 1024
        limits.keepWarmMs = configuration.number(keys.keepWarmMs)
        let workMs = configuration.number(keys.workMs)
        limits.workMs = workMs < limits.callMs ? workMs : nil
        mayHaveNetwork = keys.mayHaveNetwork.map { configuration.number($0) == 1 } ?? false
        // A service that calls extensions has no other children.
        ownsAllChildren = true
    }

    /// A file that is installed where this program is.
    private static func beside(_ name: String) -> String? {
        guard let path = ProcFile.ownFolder().map({ "\($0)/\(name)" }) else { return nil }
        return access(path, R_OK) == 0 ? path : nil
    }
}

/// The settings that say what the extensions of one service may use.
package struct ExtensionKeys: Sendable {
    var memoryKiB: ConfigurationKey
    var callMs: ConfigurationKey
    var outputKiB: ConfigurationKey
    var keepWarmMs: ConfigurationKey
    var workMs: ConfigurationKey
    /// Nil where nothing depends on it.
    var mayHaveNetwork: ConfigurationKey?

    package static let monitor = ExtensionKeys(
        memoryKiB: .memoryKiB,
        callMs: .callMs,
        outputKiB: .outputKiB,
        keepWarmMs: .keepWarmMs,
        workMs: .workMs
    )

    package static let shield = ExtensionKeys(
        memoryKiB: .shieldMemoryKiB,
        callMs: .shieldActionMs,
        outputKiB: .shieldOutputKiB,
        keepWarmMs: .shieldKeepWarmMs,
        workMs: .shieldWorkMs
    )

    package static let report = ExtensionKeys(
        memoryKiB: .reportMemoryKiB,
        callMs: .reportMs,
        outputKiB: .reportOutputKiB,
        keepWarmMs: .reportKeepWarmMs,
        workMs: .reportWorkMs,
        mayHaveNetwork: .reportMayHaveNetwork
    )
}
