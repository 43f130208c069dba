public import Foundation
import STContracts
import STPlatform
import STSimulation

/// Why a scenario could not be read or played.
public struct SimulationError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// A stable word for programs, such as `scenario.unknown_field`.
    public let code: String
    /// What is wrong and what to do, with the line of the scenario where there is one.
    public let message: String
    /// A JSON pointer to the place in the scenario.
    public let place: String?

    init(_ error: any Error, text: [UInt8] = []) {
        var problem = (error as? Problem) ?? Problem("internal", "\(error)")
        if !text.isEmpty { problem = ScenarioReader.located(problem, text) }
        code = problem.code
        message = problem.message
        place = problem.field
    }

    /// The message.
    public var errorDescription: String? { message }

    /// The message with its code.
    public var description: String { "\(message) [\(code)]" }
}
