import STContracts
import STDrawing
import STPlatform

/// A validated request that can be drawn.
protocol Job {
    /// The path of the picture, or `-`.
    var output: String { get }

    func run() throws -> JobResult
}

/// The result of a drawing.
struct JobResult {
    var answer: any WireBody
    /// The same answer as a line of `--stay`.
    var sessionReply: DrawSessionReply
    /// True if the picture was written to standard output. The answer then goes to standard error.
    var isOnStandardOutput: Bool
}

struct ShieldJob: Job {
    private let request: DrawRequest
    private var scene: ShieldDrawingRequest

    init(_ request: DrawRequest) throws {
        self.request = request
        scene = ShieldDrawingRequest(
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
            throw Problem(
                "draw.bad_format",
                "The format of a shield must be png or argb32.",
                field: "/format"
            )
        }
        try Output.check(request.output)
    }

    var output: String { request.output }

    /// Draws and writes the picture. The answer contains the frames of the buttons.
    func run() throws -> JobResult {
        var scene = scene
        var warnings: [Message] = []
        if let path = request.backdrop {
            do {
                scene.backdrop = try PictureFile.read(
                    path,
                    bytesMax: DrawLimits.backdropBytes,
                    sideMax: DrawLimits.sideMax
                )
            } catch {
                warnings.append(
                    Message("draw.backdrop-not-used", "The backdrop cannot be used: \(error.text, "reason").")
                )
            }
        }
        let (drawn, written) = try Output.write(
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
        return JobResult(
            answer: answer,
            sessionReply: DrawSessionReply(number: nil, shield: answer),
            isOnStandardOutput: written.isOnStandardOutput
        )
    }
}

struct PageJob: Job {
    private let request: DrawPageRequest
    private let scene: PageDrawingRequest

    init(_ request: DrawPageRequest) throws {
        self.request = request
        var scene = PageDrawingRequest(page: request.page)
        scene.width = request.width ?? DrawLimits.pageWidth
        scene.height = request.height
        scene.scale = request.scale ?? 1
        scene.appearance = request.appearance
        scene.chosen = request.chosen
        try scene.check()
        self.scene = scene
        guard [nil, .png, .svg].contains(request.format) else {
            throw Problem(
                "draw.bad_format",
                "The format of a page must be png or svg.",
                key: "draw.bad_format.the-format-of",
                field: "/format"
            )
        }
        try Output.check(request.output)
    }

    var output: String { request.output }

    func run() throws -> JobResult {
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
        // Mode 0600, because a page shows what a person did all day.
        return JobResult(
            answer: answer,
            sessionReply: DrawSessionReply(number: nil, page: answer),
            isOnStandardOutput: try Output.write(bytes, to: request.output, mode: 0o600)
        )
    }
}

struct PanelJob: Job {
    private let request: DrawPanelRequest
    private var scene: PanelDrawingRequest

    init(_ request: DrawPanelRequest) throws {
        self.request = request
        var scene = PanelDrawingRequest(request)
        scene.request.language = try Language.checked(request.language)
        try scene.check()
        self.scene = scene
        if request.format == .unknown || request.format == .svg {
            throw Problem(
                "draw.bad_format",
                "The format of a panel must be png or argb32.",
                key: "draw.bad_format.the-format-of-a",
                field: "/format"
            )
        }
        try Output.check(request.output)
    }

    var output: String { request.output }

    func run() throws -> JobResult {
        var scene = scene
        let (drawn, written) = try Output.write(
            request.format,
            to: request.output,
            width: request.width,
            height: request.height,
            // Mode 0600, because the picture shows the apps of a person and the questions to them.
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
        return JobResult(
            answer: answer,
            sessionReply: DrawSessionReply(number: nil, panel: answer),
            isOnStandardOutput: written.isOnStandardOutput
        )
    }
}

enum Language {
    /// Throws if the text is not a language code, because it is passed to pango unchanged.
    static func checked(_ text: String?) throws(Problem) -> String? {
        guard let text else { return nil }
        let isSound =
            text.utf8.count <= 35 && !text.isEmpty
            && text.utf8.allSatisfy {
                $0 < 0x80
                    && (Character(UnicodeScalar($0)).isLetter || (0x30...0x39).contains($0) || $0 == 0x2D
                        || $0 == 0x5F)
            }
        guard isSound else {
            throw Problem(
                "draw.bad_language",
                "The language must be a code, such as ko or en_US.",
                field: "/language"
            )
        }
        return text.replacing("_", with: "-")
    }
}
