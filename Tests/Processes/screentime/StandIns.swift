import Glibc
import STPlatform
import STTestSupport

/// A folder with the real command and scripts in place of services, for behaviour that no real service has.
final class StandIns: Sendable {
    static let wellBehaved =
        "trap 'exit 0' TERM; systemd-notify --ready; while :; do sleep 60 & wait $!; done"

    private let scratch: ScratchDirectory

    init(_ scripts: [String: String]) throws {
        scratch = try ScratchDirectory()
        // With a link, /proc/self/exe would lead back to the folder of the real services.
        let copy = try SpawnedProcess(
            SpawnPlan(
                executable: "/bin/cp",
                arguments: [BuiltTree.programs + "/screentime", scratch.file("screentime")]
            )
        )
        guard copy.wait(deadlineMs: 20_000) == .exited(0) else { throw Problem("test.no_copy", "cp failed") }
        for (name, text) in scripts { try scratch.write("#!/bin/sh\n\(text)\n", to: name, mode: 0o700) }
    }

    var folder: String { scratch.path }

    var screentime: String { scratch.file("screentime") }
}
