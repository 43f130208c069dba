import Glibc
import STPlatform

/// A service to run.
package struct ServiceSpec: Sendable, Equatable {
    package var name: String
    /// The path of the program.
    package var executable: String
    package var arguments: [String]
    /// The complete environment, except what the supervisor adds: NOTIFY_SOCKET, WATCHDOG_USEC, the lifeline, and the directories.
    package var environment: [String: String]
    /// The services that must be ready before this one starts.
    package var startAfter: [String]
    /// True if the service sends READY=1. Otherwise it counts as ready once it runs.
    package var notify: Bool
    /// The longest time between two WATCHDOG=1 of a ready service. `nil` means that it need not send any.
    package var watchdogMs: Int64?
    /// The longest delay before a restart, also after many failures. `nil` means the same delay as for other services.
    package var backOffMsMax: Int64?
    /// The program that cleans up after the service, each time it has ended and before it is started again.
    package var afterEnd: AfterEnd?
    /// A file without which the service is neither started nor listed. The service starts as soon as the file exists.
    package var wantedBy: String?

    package init(
        name: String,
        executable: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        startAfter: [String] = [],
        notify: Bool = true,
        watchdogMs: Int64? = nil,
        backOffMsMax: Int64? = nil,
        afterEnd: AfterEnd? = nil,
        wantedBy: String? = nil
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
        self.wantedBy = wantedBy
    }

    var isWanted: Bool { wantedBy.map { access($0, F_OK) == 0 } ?? true }

    /// Upper bound on the services. A longer list is a mistake.
    private static let countMax = 64

    /// Refuses names that cannot be file names, duplicates, unknown predecessors and circular dependencies.
    static func check(_ specs: [ServiceSpec]) throws(Problem) {
        guard specs.count <= countMax else {
            throw invalidSpecProblem(
                Message(
                    "supervisor.bad_spec.too-many",
                    """
                    there are \(specs.count, "count") services, but at most \(countMax, "most") are allowed; \
                    run fewer
                    """
                )
            )
        }
        var names: Set<String> = []
        for spec in specs {
            guard isName(spec.name), spec.name != "supervisor" else {
                throw invalidSpecProblem(
                    Message(
                        "supervisor.bad_spec.bad-name",
                        """
                        “\(spec.name, "name")” is not a valid service name; use up to 40 characters from \
                        a-z, 0-9 and -
                        """
                    )
                )
            }
            guard names.insert(spec.name).inserted else {
                throw invalidSpecProblem(
                    Message(
                        "supervisor.bad_spec.twice",
                        "two services are named \(spec.name, "name"); rename one"
                    )
                )
            }
        }
        for spec in specs {
            for other in spec.startAfter where !names.contains(other) {
                throw invalidSpecProblem(
                    TextFormat.closest(to: other, in: names.sorted()).map {
                        Message(
                            "supervisor.bad_spec.did-you-mean",
                            """
                            \(spec.name, "name") starts after \(other, "other"), which is not among the \
                            services. Did you mean \($0, "near")?
                            """
                        )
                    }
                        ?? Message(
                            "supervisor.bad_spec.starts-after",
                            """
                            \(spec.name, "name") starts after \(other, "other"), which is not among the \
                            services
                            """
                        )
                )
            }
        }
        try checkCycles(specs)
    }

    private static func checkCycles(_ specs: [ServiceSpec]) throws(Problem) {
        var left = specs
        while !left.isEmpty {
            let names = Set(left.map(\.name))
            let blocked = left.filter { !names.isDisjoint(with: $0.startAfter) }
            guard blocked.count < left.count else {
                let list = names.sorted().joined(separator: ", ")
                throw invalidSpecProblem(
                    Message(
                        "supervisor.bad_spec.circle",
                        "\(list, "names") wait for each other; remove one startAfter"
                    )
                )
            }
            left = blocked
        }
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 40 && !name.hasPrefix("-")
            && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    private static func invalidSpecProblem(_ text: Message) -> Problem {
        Problem("supervisor.bad_spec", text: text)
    }
}

/// A program that cleans up after a service, with the service's own environment.
///
/// The program runs after every end of the service, even if the service was stopped, because an ended service cannot clean up.
package struct AfterEnd: Sendable, Equatable {
    /// The path of the program.
    package var executable: String
    package var arguments: [String]
    /// The time after which the program is killed, and the service is restarted without it.
    package var timeout: Duration

    package init(executable: String, arguments: [String] = [], timeout: Duration = .seconds(5)) {
        self.executable = executable
        self.arguments = arguments
        self.timeout = timeout
    }
}
