/// A service to be run.
package struct ServiceSpec: Sendable, Equatable {
    package var name: String
    /// A path.
    package var executable: String
    package var arguments: [String]
    /// Complete, but for what the supervisor adds: NOTIFY_SOCKET, WATCHDOG_USEC, the lifeline, and where things are.
    package var environment: [String: String]
    /// The services that must be ready before this one starts.
    package var startAfter: [String]
    /// Whether it says READY=1; one that does not counts as ready once it runs.
    package var notify: Bool
    /// How often it must say WATCHDOG=1 once ready; nil asks for none.
    package var watchdogMs: Int64?
    /// The longest that it is left ended, however often it fails; nil: as long as others.
    package var backOffMsMax: Int64?
    /// What tidies up after it, each time that it has ended and before it is started again.
    package var afterEnd: AfterEnd?

    package init(
        name: String,
        executable: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        startAfter: [String] = [],
        notify: Bool = true,
        watchdogMs: Int64? = nil,
        backOffMsMax: Int64? = nil,
        afterEnd: AfterEnd? = nil
    ) {
        self.name = name
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.startAfter = startAfter
        self.notify = notify
        self.watchdogMs = watchdogMs
        self.backOffMsMax = backOffMsMax
        self.afterEnd = afterEnd
    }
}
