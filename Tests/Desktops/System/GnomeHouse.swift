import Glibc
import STDesktopKit
import STPlatform
import STTestSupport

/// The whole system on a real GNOME Shell, with its extension as installed by the command.
final class GnomeHouse: WaylandHouse {
    let shell: GnomeShell

    private init(
        _ shell: GnomeShell,
        options: Options,
        scratch: ScratchDirectory,
        buses: DBusPair,
        logind: LogindMock
    ) throws {
        self.shell = shell
        try super.init(on: shell, options, scratch, buses, logind)
    }

    static func run(
        _ version: GnomeShell.Version,
        options: Options,
        body: (GnomeHouse) async throws -> Void
    ) async throws {
        var options = options
        options.source = "gnome"
        try await run(
            options,
            make: { options, scratch, buses, logind in
                // It contains the sockets of the buses.
                chmod(scratch.path, 0o711)
                let shell = try await GnomeShell(
                    version,
                    buses,
                    screentime: BuiltTree.program("screentime"),
                    monitors: Array(repeating: "\(options.width)x\(options.height)", count: options.outputs),
                    scale: options.scale
                )
                return try GnomeHouse(shell, options: options, scratch: scratch, buses: buses, logind: logind)
            },
            body: body
        )
    }
}
