import Glibc
package import STContracts
package import STPlatform

/// The request that `simulator` reads from its standard input, up to its end.
package struct SimulatorRequest: WireBody, Codable {
    package enum Task: String, WireEnum {
        /// Simulates the scenario and returns its outcome.
        case play
        /// Reads the scenario and returns its name.
        case check
        case schema
        case example
        case unknown
    }

    package var task: Task
    /// The scenario as JSON text.
    package var scenario: String?
    /// The absolute path that relative paths in the scenario start from.
    package var folder: String?
    /// True to simulate without processes. Only built-in rules have an effect, but a year takes seconds.
    package var inProcess: Bool?
    /// True to behave like a phone in the cases where Screen Time reports more.
    package var asPhone: Bool?
    /// The known faults of phones to simulate.
    package var faults: [PhoneFault]?
    /// True to make the reports of the apps at the end.
    package var withReports: Bool?
    /// The folder of the services' programs. `nil` means the folder of the simulator.
    package var programs: String?

    package init(_ task: Task, scenario: String? = nil, folder: String? = nil) {
        self.task = task
        self.scenario = scenario
        self.folder = folder
    }

    /// Creates a request for the scenario in a file. Bundles are found relative to the folder of that file.
    package init(_ task: Task, file path: String) throws {
        let bytes = try AtomicFile.read(path, limitBytes: SimulatorLimits.scenarioBytes)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        // Bundles are installed by absolute paths.
        guard let real = realpath(String(folder), nil) else { throw SystemError.last("realpath") }
        defer { free(real) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(
                "scenario.not_json",
                "\(path, "path") is not UTF-8 text. Save it as UTF-8.",
                key: "scenario.not_json.is-not-utf"
            )
        }
        self.init(task, scenario: text, folder: String(cString: real))
    }
}

package enum SimulatorLimits {
    package static let scenarioBytes = 4 << 20
    /// The maximum size of a request: a scenario in which every byte is escaped, and the other values.
    package static let requestBytes = 32 << 20
    /// The maximum number of different shields in an outcome.
    package static let shields = 40
    package static let reports = 40
}

/// A line of `simulator`'s output. Progress is written repeatedly, and the last line is a result or a problem.
package struct SimulatorLine: WireBody, Codable {
    package struct Progress: Codable, Sendable, Equatable {
        package var doneMs: Int64
        package var totalMs: Int64

        package init(doneMs: Int64, totalMs: Int64) {
            self.doneMs = doneMs
            self.totalMs = totalMs
        }
    }

    package var progress: Progress?
    package var outcome: SimulatorOutcome?
    /// The name of a scenario, as the reply to `check`.
    package var name: String?
    package var schema: JSONValue?
    package var example: String?
    package var problem: Problem?

    package init() {}
}

/// The outcome of a scenario.
package struct SimulatorOutcome: Codable, Sendable, Equatable {
    package var report: SimulatorReport
    /// The report as text for people.
    package var lines: [Line]
    /// The unmet expectations, each with its line in the scenario.
    package var unmet: [String]
    /// The simulated time.
    package var playedMs: Int64
    /// The real time that the simulation took.
    package var tookMs: Int64
    /// The shields that people saw, without duplicates.
    package var shields: [Shield]
    /// The reports of the apps at the end, if they were requested.
    package var reports: [Report]
    /// The cost of callbacks, which differs from run to run.
    package var calls: [Call]

    package struct Shield: Codable, Sendable, Equatable {
        package var look: ShieldAppearance
        /// The name of the shielded app or site.
        package var name: String

        package init(look: ShieldAppearance, name: String) {
            self.look = look
            self.name = name
        }
    }

    package struct Report: Codable, Sendable, Equatable {
        package var app: String
        package var context: String
        package var page: Page?
        /// The reason why there is no page.
        package var problem: Problem?

        package init(app: String, context: String, page: Page? = nil, problem: Problem? = nil) {
            self.app = app
            self.context = context
            self.page = page
            self.problem = problem
        }
    }

    package struct Call: Codable, Sendable, Equatable {
        package var app: String
        package var method: String
        package var count: Int64
        package var longestMs: Int64
        /// The largest private memory of one callback's process.
        package var mostKib: Int64

        package init(app: String, method: String, count: Int64, longestMs: Int64, mostKib: Int64) {
            self.app = app
            self.method = method
            self.count = count
            self.longestMs = longestMs
            self.mostKib = mostKib
        }
    }

    package struct Line: Codable, Sendable, Equatable {
        package enum Weight: String, WireEnum {
            case plain, heading, aside, good, bad, unknown
        }

        package var text: String
        package var weight: Weight

        package init(_ text: String, _ weight: Weight = .plain) {
            self.text = text
            self.weight = weight
        }
    }

    package init(
        report: SimulatorReport,
        lines: [Line],
        unmet: [String],
        playedMs: Int64,
        tookMs: Int64,
        shields: [Shield] = [],
        reports: [Report] = [],
        calls: [Call] = []
    ) {
        self.report = report
        self.lines = lines
        self.unmet = unmet
        self.playedMs = playedMs
        self.tookMs = tookMs
        self.shields = shields
        self.reports = reports
        self.calls = calls
    }
}

/// An outcome for programs, as printed by `screentime simulate --json`.
///
/// The same scenario always results in the same report.
package struct SimulatorReport: WireBody, Codable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package struct Callback: Codable, Sendable, Equatable {
            package var state: DeliveryState
            package var attempt: Int64
            package var reason: String?
            package var lines: [String]?

            package init(state: DeliveryState, attempt: Int64, reason: String?, lines: [String]?) {
                self.state = state
                self.attempt = attempt
                self.reason = reason
                self.lines = lines
            }
        }

        package var at: String
        package var told: String
        package var zone: String
        package var kind: String
        package var method: String?
        package var app: String?
        package var member: String?
        package var activity: String?
        package var event: String?
        package var text: String?
        package var store: String?
        package var subjectApp: String?
        package var subjectSite: String?
        package var category: String?
        package var by: [String]?
        package var callback: Callback?
        /// The lines that the extension of a shield wrote.
        package var lines: [String]?

        package init(at: String, told: String, zone: String, kind: String) {
            self.at = at
            self.told = told
            self.zone = zone
            self.kind = kind
        }
    }

    package struct Expectation: Codable, Sendable, Equatable {
        package var expected: String
        package var isMet: Bool
        package var place: String
        package var instead: String?

        private enum CodingKeys: String, CodingKey {
            case expected, place, instead
            case isMet = "met"
        }

        package init(expected: String, isMet: Bool, place: String, instead: String?) {
            self.expected = expected
            self.isMet = isMet
            self.place = place
            self.instead = instead
        }
    }

    package var name: String
    package var zone: String
    package var start: String
    package var end: String
    package var isMet: Bool
    package var timeline: [Entry]
    package var silences: [String]
    package var expectations: [Expectation]

    private enum CodingKeys: String, CodingKey {
        case name, zone, start, end, timeline, silences, expectations
        case isMet = "ok"
    }

    package init(
        name: String,
        zone: String,
        start: String,
        end: String,
        isMet: Bool,
        timeline: [Entry],
        silences: [String],
        expectations: [Expectation]
    ) {
        self.name = name
        self.zone = zone
        self.start = start
        self.end = end
        self.isMet = isMet
        self.timeline = timeline
        self.silences = silences
        self.expectations = expectations
    }
}
