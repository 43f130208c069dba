public import Foundation
import STContracts
import STPlatform
import STSimulation

/// People, apps and what happens, as `screentime simulate` reads them.
///
/// `screentime simulate --example` prints one to start from, and `--schema` what may stand in it.
public struct ScreenTimeScenario: Sendable {
    let scenario: Scenario
    let text: [UInt8]

    /// Reads a scenario from a file.
    ///
    /// Bundles are looked for from the folder that the file lies in. Throws `SimulationError` with the line when
    /// something is not right.
    public init(contentsOf url: URL) throws {
        do {
            (scenario, text) = try ScenarioReader.read(path: url.path)
        } catch {
            throw SimulationError(error)
        }
    }

    /// Reads a scenario from JSON text.
    ///
    /// Bundles are looked for from `folder`.
    public init(json: String, folder: URL = URL(filePath: FileManager.default.currentDirectoryPath)) throws {
        text = Array(json.utf8)
        do {
            scenario = try ScenarioReader.read(text, folder: folder.path)
        } catch {
            throw SimulationError(error)
        }
    }

    /// What it calls itself.
    public var name: String { scenario.name }
}
