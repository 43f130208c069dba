import STContracts
import STDrawing
import STPlatform

/// One page to be drawn, checked.
struct PageJob: Job {
    private let request: DrawPageRequest
    private let scene: PageScene

    init(_ request: DrawPageRequest) throws {
        self.request = request
        var scene = PageScene(page: request.page)
        scene.width = request.width ?? DrawLimits.pageWidth
        scene.height = request.height
        scene.scale = request.scale ?? 1
        scene.appearance = request.appearance
        scene.chosen = request.chosen
        try scene.check()
        self.scene = scene
        guard [nil, .png, .svg].contains(request.format) else {
            throw Problem("draw.bad_format", "The format of a page is png or svg.", field: "/format")
        }
        try Output.check(request.output)
    }

    var output: String { request.output }

    func run() throws -> JobDone {
        let bytes: [UInt8]
        let page: DrawnPage
        if request.format == .svg {
            (bytes, page) = try PageDrawing.svg(scene)
        } else {
            page = try PageDrawing.draw(scene)
            bytes = try page.canvas.png()
        }
        let answer = DrawPageAnswer(
            width: page.width,
            height: page.height,
            bytes: bytes.count,
            isCut: page.isCut,
            warnings: page.warnings
        )
        // A page says what somebody did all day: that is for nobody else.
        return JobDone(
            answer: answer,
            stay: DrawStayAnswer(number: nil, page: answer),
            isOnStandardOutput: try Output.put(bytes, to: request.output, mode: 0o600)
        )
    }
}
