import STContracts
import STDrawing
import STPlatform

/// One shield to be drawn, checked.
struct DrawingJob: Job {
    private let request: DrawRequest
    private var scene: ShieldScene

    init(_ request: DrawRequest) throws {
        self.request = request
        scene = ShieldScene(
            look: request.look,
            name: request.name,
            width: request.width,
            height: request.height
        )
        scene.scale = request.scale ?? 1
        scene.appearance = request.appearance
        scene.language = try Language.checked(request.language)
        scene.focus = request.focus == .unknown ? nil : request.focus
        scene.isMenuOpen = request.isMenuOpen ?? false
        scene.more = request.more
        try scene.check()
        if request.format == .unknown || request.format == .svg {
            throw Problem("draw.bad_format", "The format of a shield is png or argb32.", field: "/format")
        }
        try Output.check(request.output)
    }

    var output: String { request.output }

    /// Draws and writes; the answer says where the buttons are.
    func run() throws -> JobDone {
        var scene = scene
        var warnings: [String] = []
        if let path = request.backdrop {
            do {
                scene.backdrop = try PictureFile.read(
                    path,
                    bytesMax: DrawLimits.backdropBytes,
                    sideMax: DrawLimits.sideMax
                )
            } catch {
                warnings.append("The backdrop cannot be used: \(error.message).")
            }
        }
        let (drawn, written) = try Output.put(
            request.format,
            to: request.output,
            width: scene.width,
            height: scene.height,
            mode: 0o644
        ) { canvas throws(Problem) in
            scene.canvas = canvas
            let drawn = try ShieldDrawing.draw(scene)
            return (drawn, drawn.canvas)
        }
        let answer = DrawAnswer(
            width: scene.width,
            height: scene.height,
            bytes: written.bytes,
            buttons: drawn.buttons,
            warnings: warnings + drawn.warnings,
            spots: drawn.spots.isEmpty ? nil : drawn.spots
        )
        return JobDone(
            answer: answer,
            stay: DrawStayAnswer(number: nil, shield: answer),
            isOnStandardOutput: written.isOnStandardOutput
        )
    }
}
