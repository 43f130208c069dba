public import Foundation
import STContracts
import STPlatform
import STSimulator

/// Plays scenarios in virtual time.
public enum SimulatedScreenTime {
    /// Where a scenario is played.
    public enum Stage: Sendable {
        /// With real processes of its own, the extensions of apps among them.
        case processes
        /// Within one process: no extension is called, and a year passes in seconds.
        case inProcess
    }

    /// What phones are known to do wrong at times.
    public enum Fault: String, CaseIterable, Sendable {
        /// An event reaches its threshold as its interval begins.
        case earlyThresholds = "early-thresholds"
        /// Events that reach their thresholds within an hour do so together when it is over.
        case batchedThresholds = "batched-thresholds"
        /// What reached its threshold does so again when the next interval begins.
        case midnightThresholds = "midnight-thresholds"
        /// `intervalDidStart` is not called.
        case missedStart = "missed-start"
        /// From each midnight on, extensions get other tokens than those that their app keeps.
        case changedTokens = "changed-tokens"
        /// `authorizationStatus` is not determined until the process itself asks.
        case staleAuthorization = "stale-authorization"
    }

    /// Plays a scenario to its end.
    ///
    /// `asPhone` does as a phone does where the default here is kinder, and reports each silence; so do `faults`, which need processes. Throws
    /// `SimulationError` when the scenario cannot be played; what was expected and did not happen is in the outcome.
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
            return SimulatedOutcome(try await SimulatorProcess.found().play(request))
        } catch {
            throw SimulationError(error)
        }
    }
}

/// People, apps and what happens, as `screentime simulate` reads them.
///
/// `screentime simulate --example` prints one to start from, and `--schema` what may stand in it.
public struct ScreenTimeScenario: Sendable {
    let request: SimulatorRequest
    /// What it calls itself.
    public let name: String

    /// Reads a scenario from a file.
    ///
    /// Bundles are looked for from the folder that the file lies in. Throws `SimulationError` with the line when
    /// something is not right.
    public init(contentsOf url: URL) throws {
        try self.init { try SimulatorRequest(.play, file: url.path) }
    }

    /// Reads a scenario from JSON text.
    ///
    /// Bundles are looked for from `folder`.
    public init(json: String, folder: URL = URL(filePath: FileManager.default.currentDirectoryPath)) throws {
        try self.init { SimulatorRequest(.play, scenario: json, folder: folder.path) }
    }

    private init(_ make: () throws -> SimulatorRequest) throws {
        do {
            request = try make()
            name = try SimulatorProcess.found().check(request)
        } catch {
            throw SimulationError(error)
        }
    }
}

/// Why a scenario could not be read or played.
public struct SimulationError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// A stable word for programs, such as `scenario.unknown_field`.
    public let code: String
    /// What is wrong and what to do, with the line of the scenario where there is one.
    public let message: String
    /// A JSON pointer to the place in the scenario.
    public let place: String?

    init(_ error: any Error) {
        let problem = Problem(error)
        code = problem.code
        message = problem.message
        place = problem.field
    }

    /// The message.
    public var errorDescription: String? { message }

    /// The message with its code.
    public var description: String { "\(message) [\(code)]" }
}
