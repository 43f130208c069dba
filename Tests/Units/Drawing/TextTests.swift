import STContracts
import STDrawing
import STPlatform
import Testing

@Suite("Texts on shields")
struct TextTests {
    private func drawn(_ title: String, language: String? = nil, width: Int = 640, height: Int = 480)
        throws
        -> DrawnShield
    {
        var look = Looks.english
        look.title = Looks.text(title)
        look.subtitle = Looks.text(title)
        var scene = Looks.scene(look, width: width, height: height)
        scene.language = language
        return try ShieldDrawing.draw(scene)
    }

    @Test("Korean text is drawn without missing glyphs in every language")
    func korean() throws {
        for language in [nil, "ko", "en"] {
            let drawn = try drawn("오늘은 여기까지, 쌍쌍바 꿿뷁", language: language)
            for text in drawn.texts {
                #expect(text.missingGlyphs == 0, "scripts/setup.sh --test has the font")
            }
        }
    }

    @Test("Letters that no font has are counted and give a warning")
    func missing() throws {
        let drawn = try drawn("Private \u{10F0FF}\u{10F0FE} use")

        #expect(try #require(drawn.text(.title)).missingGlyphs == 2)
        #expect(drawn.warnings.contains { $0.english.contains("2 characters that no installed font has") })
    }

    @Test("Korean words are not broken between syllables")
    func wholeWords() throws {
        // Two words do not fit in one line. If words could be broken, lines would be wider than one word.
        let word = "사용할수없습니다"
        let one = try #require(drawn(word, language: "ko", width: 320, height: 900).text(.title))
        let three = try #require(
            drawn("\(word) \(word) \(word)", language: "ko", width: 320, height: 900).text(.title)
        )

        #expect(!three.isCut)
        #expect(abs(three.ink.width - one.ink.width) < 4)
        #expect(three.box.height > one.box.height * 2.5)
    }

    @Test(
        "Long or hostile texts stay inside the shield, and its buttons remain",
        arguments: [
            String(repeating: "a", count: 100_000),
            String(repeating: "가", count: 40_000),
            String(repeating: "ab ", count: 40_000),
            String(repeating: "\n", count: 5_000) + "end",
            "one" + String(repeating: "\nmore", count: 5_000),
            "Z\(String(repeating: "\u{0301}\u{0323}\u{0489}", count: 3_000))algo",
            "حان وقت الاستراحة، لقد استخدمت كل الوقت المتاح",
            "\u{202E}gnirts desrever\u{202C} \u{2066}\u{2067}",
            "<b>no</b> &amp; <span size='999999'>markup</span> %s %n",
            "\u{0}\u{1B}[31mcontrol\u{7F}\u{9B}\u{FEFF}",
            "👨‍👩‍👧‍👦 🏳️‍🌈 family",
            "", " ", "\u{2028}\u{2029}",
        ]
    )
    func hostile(text: String) throws {
        for (width, height) in [(320, 200), (1280, 800), (390, 844)] {
            let drawn = try drawn(text, width: width, height: height)
            let window = drawn.canvas.bounds.expanded(0.5)

            for text in drawn.texts { #expect(window.contains(text.box)) }
            #expect(drawn.buttons.map(\.button) == [.secondary, .primary])
            #expect(drawn.buttons.allSatisfy { window.contains($0.box) })
        }
    }

    @Test("Stacked combining marks are clipped near their text")
    func clipped() throws {
        var look = Looks.english
        look.blur = nil
        look.background = Looks.colour("#FFFFFFFF")
        let pictures = try ["#C00000FF", "#0000C0FF"].map { colour in
            look.title = Looks.text("Z\(String(repeating: "\u{0301}", count: 250))a", light: colour)
            return try ShieldDrawing.draw(Looks.scene(look, width: 640, height: 480))
        }
        let title = try #require(pictures[0].text(.title)).box
        let changed = differences(pictures[0].canvas, pictures[1].canvas)

        #expect(changed.count > 50)
        #expect(changed.allSatisfy { title.expanded(title.height * 0.25 + 1).contains($0) })
    }

    @Test("A text that does not fit is cut with a warning")
    func cut() throws {
        let drawn = try ShieldDrawing.draw(Looks.scene(Looks.long(500), width: 320, height: 200))

        #expect(drawn.texts.allSatisfy { $0.isCut })
        #expect(drawn.warnings.contains { $0.english.contains("title does not fit") })
    }

    @Test("The default texts of a shield are in the person's language and name the shielded app")
    func words() {
        let english = SystemAppearance.appearance(name: "Firefox", language: "en_US")
        let korean = SystemAppearance.appearance(name: "Firefox", language: "ko_KR")

        #expect(english.title?.text == "Firefox is not available now")
        #expect(korean.title?.text == "Firefox 사용 제한")
        #expect(korean.primary?.text == "확인")
        #expect(english.secondary == nil)
        #expect(
            SystemAppearance.appearance(name: "", language: nil).title?.text == "This is not available now"
        )
        // With a custom title, the default subtitle is left out.
        let own = SystemAppearance.filled(
            ShieldAppearance(title: Looks.text("Mine"), submenu: []),
            name: nil,
            language: "ko"
        )
        #expect(own.subtitle == nil && own.primary?.text == "확인" && own.icon?.name == "hourglass")
    }
}
