import Glibc
import STDesktopKit
import STPlatform
import STTestSupport

/// The whole system on a real GNOME Shell, with its extension as the command installs it.
final class GnomeHouse: WaylandHouse {
    let shell: GnomeShell

    private init(
        _ shell: GnomeShell,
        _ options: Options,
        _ scratch: ScratchDirectory,
        _ buses: DBusPair,
        _ logind: LogindMock
    ) throws {
        self.shell = shell
        try super.init(on: shell, options, scratch, buses, logind)
    }

    static func run(
        _ version: GnomeShell.Version,
        _ options: Options,
        _ body: (GnomeHouse) async throws -> Void
    ) async throws {
        var options = options
        options.source = "gnome"
        try await run(
            options,
            { options, scratch, buses, logind in
                // The buses are in it.
                chmod(scratch.path, 0o711)
                let shell = try await GnomeShell(
                    version,
                    buses,
                    screentime: BuiltTree.program("screentime"),
                    monitors: Array(repeating: "\(options.width)x\(options.height)", count: options.outputs),
                    scale: options.scale
                )
                return try GnomeHouse(shell, options, scratch, buses, logind)
            },
            body
        )
    }
}
