import STContracts
import STDrawing
import STPlatform
import Testing

@Suite("Colours of shields")
struct ColourTests {
    @Test("Default texts contrast with the default background", arguments: [DrawAppearance.light, .dark])
    func contrast(face: DrawAppearance) throws {
        for (width, height) in [(320, 200), (1280, 800), (390, 844)] {
            var scene = Looks.scene(Looks.nothing, width: width, height: height)
            scene.appearance = face
            let drawn = try ShieldDrawing.draw(scene)

            #expect(drawn.texts.count == 3)
            for text in drawn.texts { #expect(text.contrast >= 4.5, "\(text.role) \(text.contrast)") }
        }
    }

    @Test("Default texts contrast with every blur style", arguments: BlurStyle.names)
    func contrastOnStyles(style: String) throws {
        for face in [DrawAppearance.light, .dark] {
            var look = Looks.nothing
            look.blur = style
            var scene = Looks.scene(look, width: 320, height: 240)
            scene.appearance = face
            let drawn = try ShieldDrawing.draw(scene)

            for text in drawn.texts {
                #expect(text.contrast >= 4.5, "\(style) \(text.role) \(text.contrast)")
            }
            #expect(drawn.warnings == [])
        }
    }

    @Test("Each blur style of iOS has its own background")
    func styles() throws {
        #expect(BlurStyle.names.count == 20)
        var seen: [[DrawColor]: String] = [:]
        for style in BlurStyle.names {
            let faces = try [DrawAppearance.light, .dark].map { face in
                var look = Looks.nothing
                look.blur = style
                var scene = Looks.scene(look, width: 160, height: 120)
                scene.appearance = face
                return try ShieldDrawing.draw(scene).canvas.color(x: 1, y: 1)
            }
            #expect(seen[faces] == nil, "\(style) is as \(seen[faces] ?? "")")
            seen[faces] = style
        }
    }

    @Test("A thin blur style shows the backdrop without sharp edges")
    func backdrop() throws {
        let behind = try Canvas(width: 400, height: 300)
        behind.fill(DrawColor(hex: 0xFFFFFF))
        behind.fill(Box(x: 0, y: 0, width: 200, height: 300), radius: 0, .black)
        var look = Looks.nothing
        look.blur = "systemUltraThinMaterial"
        var scene = Looks.scene(look, width: 400, height: 300)
        scene.backdrop = behind
        let drawn = try ShieldDrawing.draw(scene)

        let row = stride(from: 0, to: 400, by: 4).map { drawn.canvas.color(x: $0, y: 295).luminance }
        #expect((row.last ?? 0) - (row.first ?? 0) > 0.3)
        for (one, next) in zip(row, row.dropFirst()) { #expect(next - one < 0.1 && next - one > -0.02) }
    }

    @Test("An opaque background covers everything, and custom colours are kept")
    func opaque() throws {
        var look = Looks.english
        look.background = Looks.colour("#7A1F3DFF")
        look.primaryBackground = Looks.colour("#FFFFFFFF")
        look.primary = Looks.text("Fine", light: "#7A1F3DFF", dark: "#7A1F3DFF")
        look.title = Looks.text("Stop", light: "#FFFFFFFF")
        look.subtitle = nil
        look.secondary = nil
        let drawn = try ShieldDrawing.draw(Looks.scene(look))
        let button = try #require(drawn.buttons.first?.box)

        #expect(drawn.canvas.color(x: 3, y: 3) == DrawColor(hex: 0x7A1F3D))
        #expect(drawn.canvas.color(x: Int(button.x) + 12, y: Int(button.midY)) == .white)
        #expect(drawn.warnings == [])
    }

    @Test("Text in the colour of its background is drawn in another colour with a warning")
    func invisible() throws {
        var look = Looks.english
        look.background = Looks.colour("#FFFFFFFF")
        look.title = Looks.text("White on white", light: "#FFFFFFFF")
        let drawn = try ShieldDrawing.draw(Looks.scene(look))

        #expect(try #require(drawn.text(.title)).contrast > 10)
        #expect(drawn.warnings.contains { $0.english.contains("title cannot be read") })
    }

    @Test("A dark blur style in the light appearance uses the dark colours")
    func otherFace() throws {
        var look = Looks.english
        look.blur = "systemThickMaterialDark"
        let drawn = try ShieldDrawing.draw(Looks.scene(look))

        #expect(try #require(drawn.text(.title)).contrast > 10)
        #expect(drawn.warnings == [])
    }

    @Test(
        "An invalid colour is replaced with a default and a warning",
        arguments: [
            "", "#", "red", "#GGGGGGGG", "#12345", "#NaNNaN00", "#+1234567", "#1234567890", "NaN", "#ＦＦＦＦＦＦ",
        ]
    )
    func bad(colour: String) throws {
        #expect(DrawColor(colour) == nil)
        var look = Looks.english
        look.background = Looks.colour(colour)
        look.title = Looks.text("Title", light: colour, dark: colour)
        look.primaryBackground = Looks.colour(colour)
        let drawn = try ShieldDrawing.draw(Looks.scene(look, width: 640, height: 480))

        #expect(drawn.warnings.count == 3)
        #expect(drawn.texts.filter { $0.role != .secondary }.allSatisfy { $0.contrast >= 4.5 })
    }

    @Test("Invalid components of a colour are clamped")
    func numbers() {
        #expect(
            DrawColor(.nan, green: .infinity, blue: -.infinity, alpha: .nan)
                == DrawColor(0, green: 1, blue: 0, alpha: 0)
        )
        #expect(DrawColor("#FF800080") == DrawColor(1, green: 128.0 / 255, blue: 0, alpha: 128.0 / 255))
        #expect(DrawColor.black.contrast(on: .white) > 20.9)
    }

    @Test("An unknown blur style is replaced with a warning")
    func badStyle() throws {
        var look = Looks.nothing
        look.blur = "systemVeryThickMaterial"
        #expect(
            try ShieldDrawing.draw(Looks.scene(look)).warnings.contains {
                $0.english.contains("systemVeryThickMaterial")
            }
        )
    }
}
