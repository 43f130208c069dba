import Glibc
import STContracts
package import STPlatform
package import STServiceKit

/// The limits of an extension, and the host's timeouts.
///
/// All times are real, because a callback that hangs does so in real time.
package struct ExtensionLimits: Sendable, Equatable {
    /// Private_Dirty + Swap during a call. A device gives a monitor 6 MB.
    package var memoryBytes: Int64 = 6 << 20
    /// The time from the call until everything that it began is done.
    package var callTimeout = Duration.seconds(30)
    /// The output of a call, on all three descriptors together.
    package var outputBytes: Int64 = 256 * 1024
    /// The time from the start of the process to its hello.
    package var startTimeout = Duration.seconds(10)
    /// The time for which a process without a call is kept.
    package var keepWarm = Duration.seconds(5)
    /// The time from "end" to SIGTERM, and from SIGTERM to SIGKILL.
    package var endTimeout = Duration.milliseconds(500)
    package var sampleInterval = Duration.milliseconds(2)
    /// The time for work that a callback began, after the callback has returned. If nil, only `callTimeout` applies.
    ///
    /// A phone may end the process immediately.
    package var workTimeout: Duration?

    package init() {}
}

/// The folder of a host's endpoints, and the environment and limits of its extensions.
package struct ExtensionSettings: Sendable {
    /// The folder of the endpoints. Only this account may enter it.
    package var folder: String
    package var environment: [String: String]
    package var limits = ExtensionLimits()
    /// True if every child of this process is an extension or was left behind by one.
    ///
    /// Processes that extensions leave behind are then ended, even if they left their process group.
    package var ownsAllChildren = false

    /// True if the extensions of reports run even if the kernel cannot block their network access.
    package var mayHaveNetwork = false

    /// The variables that extensions inherit: the places of programs and libraries, the language and the zone.
    private static let inherited: Set<String> = [
        "PATH", "HOME", "LD_LIBRARY_PATH", "LANG", "TZ", backtrace, ExtensionEnvironment.faults,
    ]
    private static let backtrace = "SWIFT_BACKTRACE"
    private static let shortBacktrace =
        "enable=yes,interactive=no,color=no,registers=none,images=none,threads=crashed,limit=16"

    /// If this process runs on a virtual clock, its extensions preload `clockLibrary`.
    ///
    /// Each host has its own folder, because it ends the extensions that are left over there.
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
        // The backtrace of a crash must fit into the lines that are kept.
        if self.environment[Self.backtrace] == nil { self.environment[Self.backtrace] = Self.shortBacktrace }
    }

    /// Creates the settings of one service. The endpoints are in `folder` of the run directory.
    package init(_ surroundings: ServiceEnvironment, _ keys: ExtensionKeys, folder: String) {
        self.init(
            directories: surroundings.directories,
            folder: folder,
            environment: ProcessEnvironment.current(),
            clockLibrary: Self.siblingExecutable("libscreentime-clock.so")
        )
        let configuration = surroundings.configuration
        limits.memoryBytes = configuration.number(keys.memoryKiB) * 1024
        limits.callTimeout = .milliseconds(configuration.number(keys.callMs))
        limits.outputBytes = configuration.number(keys.outputKiB) * 1024
        limits.keepWarm = .milliseconds(configuration.number(keys.keepWarmMs))
        let work = Duration.milliseconds(configuration.number(keys.workMs))
        limits.workTimeout = work < limits.callTimeout ? work : nil
        mayHaveNetwork = keys.mayHaveNetwork.map { configuration.number($0) == 1 } ?? false
        // A service that calls extensions has no other children.
        ownsAllChildren = true
    }

    /// Returns the path of a file in the folder of this program, or nil if it cannot be read.
    private static func siblingExecutable(_ name: String) -> String? {
        guard let path = ProcFile.ownFolder().map({ "\($0)/\(name)" }) else { return nil }
        return access(path, R_OK) == 0 ? path : nil
    }
}

/// The configuration keys for the limits of one service's extensions.
package struct ExtensionKeys: Sendable {
    var memoryKiB: ConfigurationKey
    var callMs: ConfigurationKey
    var outputKiB: ConfigurationKey
    var keepWarmMs: ConfigurationKey
    var workMs: ConfigurationKey
    /// `nil` for services whose extensions do not depend on it.
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
