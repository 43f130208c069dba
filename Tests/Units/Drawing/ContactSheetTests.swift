import Glibc
import STContracts
import STDrawing
import STPlatform
import STTestSupport
import Testing

/// Pictures for inspection, in the folder that `SCREENTIME_PICTURES` names.
@Suite("Pictures of shields with more time, and of panels")
struct ContactSheetTests {
    @Test("Shields and panels are drawn in each language, appearance and scale")
    func pictures() throws {
        let scratch = try ScratchDirectory()
        let folder = getenv("SCREENTIME_PICTURES").map { String(cString: $0) } ?? scratch.path
        var count = 0
        func keep(_ canvas: Canvas, _ name: String) throws {
            let bytes = try canvas.png()
            #expect(bytes.count > 500)
            try AtomicFile.write(bytes, to: "\(folder)/\(name).png", durable: false)
            count += 1
        }
        for language in ["en", "ko"] {
            for face in [DrawAppearance.light, .dark] {
                for scale in [1.0, 2.0] {
                    let tag = "\(language)-\(face.rawValue)-\(Int(scale))"
                    try keep(Self.shield(language, face: face, scale: scale).canvas, "shield-\(tag)")
                    let panels = [
                        ("question", Panels.question(language, width: 480, height: 560, scale: scale)),
                        (
                            "countdown",
                            Panels.countdown(language, language == "ko" ? "5분" : "5 min", scale: scale)
                        ),
                        ("last", Panels.countdown(language, "0:42", urgent: true, scale: scale)),
                        ("warning", Panels.warning(language, scale: scale)),
                    ]
                    for (name, request) in panels {
                        var request = request
                        request.appearance = face
                        let drawn = try Panels.draw(request)
                        #expect(drawn.warnings.isEmpty, "\(name)-\(tag): \(drawn.warnings)")
                        try keep(drawn.canvas, "\(name)-\(tag)")
                    }
                }
            }
        }
        #expect(count == 40)
    }

    private static func shield(_ language: String, face: DrawAppearance, scale: Double) throws
        -> DrawnShield
    {
        let look = language == "ko" ? Looks.korean : Looks.english
        var scene = Looks.scene(look, width: Int(800 * scale), height: Int(600 * scale))
        scene.scale = scale
        scene.appearance = face
        scene.language = language
        scene.more =
            language == "ko"
            ? DrawMore(label: "15분 더", note: "오늘 두 번 더 쓸 수 있습니다.")
            : DrawMore(label: "15 more minutes", note: "Two more times today.")
        return try ShieldDrawing.draw(scene)
    }
}
