/// What to start, and with what.
package struct SpawnPlan: Sendable {
    /// A path, not a name: nothing is searched in PATH.
    package var executable: String
    /// Without the program's own name, which is added.
    package var arguments: [String]
    /// The complete environment; nothing is inherited.
    package var environment: [String: String]
    package var workingDirectory: String?
    /// Where output goes; nil inherits ours.
    package var standardOutput: Int32?
    package var standardError: Int32?
    /// Further descriptors: the number in the child, and ours.
    package var descriptors: [Int32: Int32]
    /// A session of its own, without our terminal, rather than only a process group.
    package var startsSession: Bool
    /// Whether the child gets a `Lifeline`.
    package var hasLifeline: Bool
    /// Whether the kernel kills the child as soon as the thread that starts it ends, however that comes.
    package var isTethered: Bool
    /// Whether a tethered child can open no socket but those of this machine alone.
    package var isOffline: Bool

    package init(
        executable: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        workingDirectory: String? = nil,
        standardOutput: Int32? = nil,
        standardError: Int32? = nil,
        descriptors: [Int32: Int32] = [:],
        startsSession: Bool = false,
        hasLifeline: Bool = false,
        isTethered: Bool = false,
        isOffline: Bool = false
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.descriptors = descriptors
        self.startsSession = startsSession
        self.hasLifeline = hasLifeline
        self.isTethered = isTethered
        self.isOffline = isOffline
    }
}
