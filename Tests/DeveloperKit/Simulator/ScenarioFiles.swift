import Foundation
import STSimulation
import STTestSupport

/// The scenario files in the source tree.
enum ScenarioFiles {
    static let folder = URL(filePath: BuiltTree.source("Tests/Scenarios"))

    static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasSuffix(".json") && $0 != "scenario.schema.json" }.sorted()
    }()

    /// Scenarios that need no processes, and unreadable ones.
    static let withoutApps = names.filter { (try? read($0))?.apps.isEmpty ?? true }

    static func path(_ name: String) -> String { folder.appending(path: name).path }

    static func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    static func read(_ name: String) throws -> Scenario {
        try ScenarioReader.read(Array(try text(name).utf8), folder: folder.path)
    }

    static func read(text: String) throws -> Scenario {
        try ScenarioReader.read(Array(text.utf8), folder: "/")
    }
}

extension ScenarioFiles {
    /// Simulation folders in `folder`.
    static func entries(of folder: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.filter { $0.hasPrefix("st-sim-") }.sorted()
    }
}
