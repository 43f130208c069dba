public import Foundation
import STContracts
import STPlatform
import STSimulator

/// Simulates scenarios in virtual time.
public enum SimulatedScreenTime {
    /// The processes in which a scenario is simulated.
    public enum Stage: Sendable {
        /// Real processes, including the extensions of apps.
        case processes
        /// One process. No extension is called, and a year is simulated in seconds.
        case inProcess
    }

    /// The known faults of phones.
    public enum Fault: String, CaseIterable, Sendable {
        /// An event reaches its threshold at the beginning of its interval.
        case earlyThresholds = "early-thresholds"
        /// Events that reach their thresholds within the same hour are reported together at the end of that hour.
        case batchedThresholds = "batched-thresholds"
        /// An event that reached its threshold is reported again when the next interval begins.
        case midnightThresholds = "midnight-thresholds"
        /// `intervalDidStart` is not called.
        case missedStart = "missed-start"
        /// After each midnight, extensions receive tokens that differ from those stored by their app.
        case changedTokens = "changed-tokens"
        /// `authorizationStatus` stays undetermined until the process requests the status itself.
        case staleAuthorization = "stale-authorization"
    }

    /// Simulates a scenario to its end.
    ///
    /// If `asPhone` is true, the simulation behaves like a phone in the cases where Screen Time reports more. The outcome then
    /// lists what a phone would not report. `faults` does the same for known faults of phones, and requires processes.
    ///
    /// - Throws: A `SimulationError` if the scenario cannot be simulated. Unmet expectations are not errors, they are part of the
    /// outcome.
    public static func play(
        _ scenario: ScreenTimeScenario,
        on stage: Stage = .processes,
        asPhone: Bool = false,
        faults: Set<Fault> = []
    ) async throws -> SimulatedOutcome {
        do {
            var request = scenario.request
            request.inProcess = stage == .inProcess
            request.asPhone = asPhone
            request.faults = Fault.allCases.filter(faults.contains).compactMap { fault in
                PhoneFault(rawValue: fault.rawValue)
            }
            return SimulatedOutcome(try await SimulatorProcess.locate().play(request))
        } catch {
            throw SimulationError(error)
        }
    }
}

/// A scenario for `screentime simulate`: people, apps and what happens.
///
/// `screentime simulate --example` prints a complete example, and `--schema` prints the format.
public struct ScreenTimeScenario: Sendable {
    let request: SimulatorRequest
    /// The name of the scenario.
    public let name: String

    /// Reads a scenario from a file.
    ///
    /// Bundles are found relative to the folder of the file.
    ///
    /// - Throws: A `SimulationError` with the line if the scenario is not valid.
    public init(contentsOf url: URL) throws {
        try self.init { try SimulatorRequest(.play, file: url.path) }
    }

    /// Reads a scenario from JSON text.
    ///
    /// Bundles are found relative to `folder`.
    public init(json: String, folder: URL = URL(filePath: FileManager.default.currentDirectoryPath)) throws {
        try self.init { SimulatorRequest(.play, scenario: json, folder: folder.path) }
    }

    private init(_ make: () throws -> SimulatorRequest) throws {
        do {
            request = try make()
            name = try SimulatorProcess.locate().check(request)
        } catch {
            throw SimulationError(error)
        }
    }
}

/// The reason why a scenario could not be read or simulated.
public struct SimulationError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// A stable error code for programs, for example `scenario.unknown_field`.
    public let code: String
    /// A description of the problem and its solution, with the line of the scenario if it is known.
    public let message: String
    /// A JSON pointer to the place in the scenario.
    public let place: String?

    init(_ error: any Error) {
        let problem = Problem(error)
        code = problem.code
        message = problem.message
        place = problem.field
    }

    public var errorDescription: String? { message }

    /// The message with its code.
    public var description: String { "\(message) [\(code)]" }
}
