package import STPlatform

/// The program that the settings name, with its arguments.
package struct HookProgram: Sendable {
    package static let timeout = Duration.seconds(30)
    /// A message is skipped after this number of failed attempts (about half an hour), because later messages
    /// wait for it.
    package static let failuresMax = 10

    private let arguments: [String]
    /// True if the program may receive the names of apps and sites.
    package let receivesNames: Bool

    /// Returns `nil` if no program is set.
    package init?(_ line: String, names: String) {
        arguments = line.split(separator: " ").map(String.init)
        receivesNames = names == "yes"
        if arguments.isEmpty { return nil }
    }

    /// The program reads the message as JSON from standard input. The environment contains the text for
    /// programs that do not read JSON.
    package func plan(for word: HookEvent, in environment: [String: String]) -> SpawnPlan {
        SpawnPlan(
            executable: arguments[0],
            arguments: Array(arguments.dropFirst()),
            environment: environment.merging([
                "SCREENTIME_WHAT": word.what, "SCREENTIME_TEXT": word.text, "SCREENTIME_KEY": word.key,
            ]) { $1 },
            workingDirectory: "/"
        )
    }

    package var failed: Problem {
        Problem(
            "hook.failed",
            """
            The program \(arguments[0], "words") did not finish successfully within \(Self.timeout.ms / 1_000, "run") \
            s. household-service will run it again. The output of the program is in the household-service \
            log.
            """,
            retryable: true
        )
    }
}
