package import STCommandCore

/// The implementations of the commands for which `screentime` starts screentime-lab.
package enum LabCommands {
    package static let bodies: [[String]: CommandRunner.Body] = [
        ["app", "new"]: { try await LabCommand.run($0) },
        ["app", "try"]: { try await TryCommand.run($0) },
        ["app", "seed"]: { try await SeedCommand.run($0) },
        ["simulate"]: { try await SimulateCommand.run($0) },
    ]
}
