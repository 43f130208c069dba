import Glibc
import STDesktopKit
import STPlatform
import STTestSupport

/// The whole system on a real KWin, which needs nothing of ours beforehand.
final class KwinHouse: WaylandHouse {
    let kwin: Kwin

    private init(
        _ kwin: Kwin,
        _ options: Options,
        _ scratch: ScratchDirectory,
        _ buses: DBusPair,
        _ logind: LogindMock
    ) throws {
        self.kwin = kwin
        try super.init(on: kwin, options, scratch, buses, logind)
    }

    static func run(
        _ version: Kwin.Version,
        _ options: Options,
        _ body: (KwinHouse) async throws -> Void
    ) async throws {
        var options = options
        options.source = "kwin"
        try await run(
            options,
            { options, scratch, buses, logind in
                // The buses are in it.
                chmod(scratch.path, 0o711)
                let kwin = try await Kwin(
                    version,
                    buses,
                    width: options.width,
                    height: options.height,
                    outputs: options.outputs,
                    scale: options.scale,
                    hasXWayland: options.hasXWayland
                )
                return try KwinHouse(kwin, options, scratch, buses, logind)
            },
            body
        )
    }
}
