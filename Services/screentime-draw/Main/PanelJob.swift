import STContracts
import STDrawing
import STPlatform

/// One panel to be drawn, checked.
struct PanelJob: Job {
    private let request: DrawPanelRequest
    private var scene: PanelScene

    init(_ request: DrawPanelRequest) throws {
        self.request = request
        var scene = PanelScene(request)
        scene.request.language = try Language.checked(request.language)
        try scene.check()
        self.scene = scene
        if request.format == .unknown || request.format == .svg {
            throw Problem("draw.bad_format", "The format of a panel is png or argb32.", field: "/format")
        }
        try Output.check(request.output)
    }

    var output: String { request.output }

    func run() throws -> JobDone {
        var scene = scene
        let (drawn, written) = try Output.put(
            request.format,
            to: request.output,
            width: request.width,
            height: request.height,
            // It says what somebody uses, and what they were asked.
            mode: 0o600
        ) { canvas throws(Problem) in
            scene.canvas = canvas
            let drawn = try PanelDrawing.draw(scene)
            return (drawn, drawn.canvas)
        }
        let answer = DrawPanelAnswer(
            width: request.width,
            height: request.height,
            bytes: written.bytes,
            spots: drawn.spots,
            warnings: drawn.warnings
        )
        return JobDone(
            answer: answer,
            stay: DrawStayAnswer(number: nil, panel: answer),
            isOnStandardOutput: written.isOnStandardOutput
        )
    }
}
