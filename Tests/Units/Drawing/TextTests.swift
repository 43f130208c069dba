import STContracts
import STDrawing
import STPlatform
import Testing

@Suite("Words on a shield")
struct TextTests {
    private func drawn(_ title: String, language: String? = nil, _ width: Int = 640, _ height: Int = 480)
        throws
        -> DrawnShield
    {
        var look = Looks.english
        look.title = Looks.text(title)
        look.subtitle = Looks.text(title)
        var scene = Looks.scene(look, width, height)
        scene.language = language
        return try ShieldDrawing.draw(scene)
    }

    @Test("Korean is drawn with real letters in every language")
    func korean() throws {
        for language in [nil, "ko", "en"] {
            let drawn = try drawn("오늘은 여기까지, 쌍쌍바 꿿뷁", language: language)
            for text in drawn.texts {
                #expect(text.missingGlyphs == 0, "scripts/setup.sh --test has the font")
            }
        }
    }

    @Test("a letter that no font has is counted and said")
    func missing() throws {
        let drawn = try drawn("Private \u{10F0FF}\u{10F0FE} use")

        #expect(try #require(drawn.text(.title)).missingGlyphs == 2)
        #expect(drawn.warnings.contains { $0.english.contains("No installed font has 2") })
    }

    @Test("Korean words are not broken between their syllables")
    func wholeWords() throws {
        // Two words do not fit beside each other; broken anywhere, lines would be longer than a word.
        let word = "사용할수없습니다"
        let one = try #require(drawn(word, language: "ko", 320, 900).text(.title))
        let three = try #require(drawn("\(word) \(word) \(word)", language: "ko", 320, 900).text(.title))

        #expect(!three.isCut)
        #expect(abs(three.ink.width - one.ink.width) < 4)
        #expect(three.box.height > one.box.height * 2.5)
    }

    @Test(
        "what is long, strange or hostile stays inside",
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
            let drawn = try drawn(text, width, height)
            let window = drawn.canvas.bounds.grown(0.5)

            for text in drawn.texts { #expect(window.contains(text.box)) }
            #expect(drawn.buttons.map(\.button) == [.secondary, .primary])
            #expect(drawn.buttons.allSatisfy { window.contains($0.box) })
        }
    }

    @Test("marks that pile up do not paint over what is elsewhere")
    func clipped() throws {
        var look = Looks.english
        look.blur = nil
        look.background = Looks.colour("#FFFFFFFF")
        let pictures = try ["#C00000FF", "#0000C0FF"].map { colour in
            look.title = Looks.text("Z\(String(repeating: "\u{0301}", count: 250))a", colour)
            return try ShieldDrawing.draw(Looks.scene(look, 640, 480))
        }
        let title = try #require(pictures[0].text(.title)).box
        let changed = differences(pictures[0].canvas, pictures[1].canvas)

        #expect(changed.count > 50)
        #expect(changed.allSatisfy { title.grown(title.height * 0.25 + 1).contains($0) })
    }

    @Test("a text that does not fit ends in an ellipsis, and that is said")
    func cut() throws {
        let drawn = try ShieldDrawing.draw(Looks.scene(Looks.long(500), 320, 200))

        #expect(drawn.texts.allSatisfy { $0.isCut })
        #expect(drawn.warnings.contains { $0.english.contains("title does not fit") })
    }

    @Test("the system's own words are in the person's language, and name what is shielded")
    func words() {
        let english = SystemLook.look(name: "Firefox", language: "en_US")
        let korean = SystemLook.look(name: "Firefox", language: "ko_KR")

        #expect(english.title?.text == "Firefox is not available now")
        #expect(korean.title?.text == "Firefox 사용 제한")
        #expect(korean.primary?.text == "확인")
        #expect(english.secondary == nil)
        #expect(SystemLook.look(name: "", language: nil).title?.text == "This is not available now")
        // An app's own title stands without our explanation.
        let own = SystemLook.filled(
            ShieldLook(title: Looks.text("Mine"), submenu: []),
            name: nil,
            language: "ko"
        )
        #expect(own.subtitle == nil && own.primary?.text == "확인" && own.icon?.name == "hourglass")
    }
}
