import Glibc
import STContracts
import STDrawing
import STPlatform

/// One request, checked.
struct DrawingJob {
    private let request: DrawRequest
    private var scene: ShieldScene

    init(_ bytes: [UInt8]) throws {
        request = try DrawRequest.decodedBody(bytes)
        scene = ShieldScene(
            look: request.look,
            name: request.name,
            width: request.width,
            height: request.height
        )
        scene.scale = request.scale ?? 1
        scene.appearance = request.appearance
        scene.language = try Self.language(request.language)
        scene.focus = request.focus == .unknown ? nil : request.focus
        scene.isMenuOpen = request.isMenuOpen ?? false
        try scene.check()
        if request.format == .unknown || request.format == .svg {
            throw Problem("draw.bad_format", "The format of a shield is png or argb32.", field: "/format")
        }
        try Output.check(request.output)
    }

    /// Draws and writes; the answer says where the buttons are.
    func run() throws -> (DrawAnswer, isOnStandardOutput: Bool) {
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
        let drawn = try ShieldDrawing.draw(scene)
        let bytes = request.format == .argb32 ? drawn.canvas.argb32() : try drawn.canvas.png()
        let isOnStandardOutput = try Output.put(bytes, to: request.output)
        let answer = DrawAnswer(
            width: scene.width,
            height: scene.height,
            bytes: bytes.count,
            buttons: drawn.buttons,
            warnings: warnings + drawn.warnings
        )
        return (answer, isOnStandardOutput)
    }

    /// Goes to pango as it is, so it must look like one.
    private static func language(_ text: String?) throws(Problem) -> String? {
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
                "The language is a code such as ko or en_US.",
                field: "/language"
            )
        }
        return text.replacing("_", with: "-")
    }
}
