import STDesktopKit
import STPlatform
import STTestSupport

final class SwayHouse: WaylandHouse {
    let sway: Sway
    let line: SwayLine
    /// The hands for the cases that run on every desktop.
    var deskHands: LineProgram?

    private init(_ options: Options, scratch: ScratchDirectory, buses: DBusPair, logind: LogindMock)
        throws
    {
        sway = try Sway {
            $0.scale = options.scale
            $0.outputs = options.outputs
            $0.width = options.width
            $0.height = options.height
            $0.configuration = options.configuration
            $0.hasXWayland = options.hasXWayland
        }
        line = try SwayLine(sway)
        try super.init(on: sway, options, scratch, buses, logind)
    }

    static func run(
        _ configure: (inout Options) -> Void = { _ in },
        _ body: (SwayHouse) async throws -> Void
    ) async throws {
        var options = Options()
        configure(&options)
        try await run(options, make: { try SwayHouse($0, scratch: $1, buses: $2, logind: $3) }, body: body)
    }

    /// Returns a virtual pointer and keyboard.
    func hands() throws -> LineProgram {
        let width = Int(Double(sway.options.width) / sway.options.scale) * sway.options.outputs
        let height = Int(Double(sway.options.height) / sway.options.scale)
        let hands = try LineProgram(
            sway,
            "screentime-wayland-observer",
            arguments: "drive",
            "\(width)",
            "\(height)"
        )
        _ = try hands.nextLine()
        return hands
    }

    /// Returns an observer that reports each new colour of one point of the screen.
    func eye(x: Int, y: Int) throws -> SwayEye {
        SwayEye(
            program: try LineProgram(
                sway,
                "screentime-wayland-observer",
                arguments: "watch",
                "HEADLESS-1",
                "\(x)",
                "\(y)"
            )
        )
    }
}
