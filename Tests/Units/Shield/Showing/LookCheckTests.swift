import STContracts
import STPlatform
import Testing

@testable import STShieldCore

@Suite("Validation of shield appearances")
struct LookCheckTests {
    private static let color = ShieldColor(light: "#112233FF", dark: "#445566FF")
    /// The head of a PNG of 16 by 16.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0, 16, 0, 0, 0, 16, 8, 6, 0, 0, 0]

    private static func jpeg(_ width: Int) -> [UInt8] {
        let size: [UInt8] = [0, 9, UInt8(width >> 8), UInt8(width & 255)]
        return [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8] + size + [3, 1, 0, 0]
    }

    private func check(_ look: ShieldAppearance, files: [String: IconFile] = [:]) -> (
        look: ShieldAppearance, problem: Problem?
    ) {
        var check = ShieldAppearanceCheck(bundle: "/apps/a") { files[$0] }
        return check.check(look)
    }

    private func text(_ text: String) -> ShieldText { ShieldText(text: text, color: Self.color) }

    private func icon(_ bytes: [UInt8]) -> ShieldAppearance {
        ShieldAppearance(icon: ShieldIcon(kind: .data, data: Base64.encode(bytes)), submenu: [])
    }

    @Test("A valid appearance is accepted unchanged")
    func good() {
        let look = ShieldAppearance(
            blur: "systemThickMaterialDark",
            background: Self.color,
            icon: ShieldIcon(kind: .data, data: Base64.encode(Self.png), tint: Self.color),
            title: text("Later\n나중에 👩‍👩‍👧"),
            subtitle: text("x"),
            primary: text("OK"),
            primaryBackground: Self.color,
            secondary: text("No"),
            submenu: ["a"]
        )
        let checked = check(look)
        #expect(checked.look == look)
        #expect(checked.problem == nil)
    }

    @Test("Texts of an appearance are cut at 1,000 bytes and ten lines, and lose control characters")
    func texts() {
        var look = ShieldAppearance(submenu: ["1", "2", "3\n4", "5"])
        look.title = text(String(repeating: "가", count: 40_000))
        look.subtitle = text((0..<50).map { "\($0)" }.joined(separator: "\n"))
        look.primary = text("O\u{1b}[31mK\u{202e}\r\nthere\u{0}")
        look.secondary = text(" \n ")
        let (mended, problem) = check(look)

        #expect(mended.title?.text.utf8.count ?? 0 <= 1_000)
        #expect(mended.title?.text.hasSuffix("…") == true)
        #expect(mended.subtitle?.text.split(separator: "\n").count == 10)
        #expect(mended.primary?.text == "O[31mK there")
        #expect(mended.secondary == nil)
        #expect(mended.submenu == ["1", "2", "3 4"])
        #expect(problem?.code == "shield.look_mended")
        #expect(problem?.message.contains("title was longer than 1000 bytes") == true)
    }

    @Test("A title that consists of a single character of one megabyte becomes an ellipsis")
    func oneCharacter() {
        let (mended, problem) = check(
            ShieldAppearance(title: text("e" + String(repeating: "\u{301}", count: 500_000)), submenu: [])
        )
        #expect(mended.title?.text == "…")
        #expect(problem != nil)
    }

    @Test(
        "A colour that is not `#` with six or eight hexadecimal digits is omitted",
        arguments: ["", "red", "#12345", "#1234567G", "#112233FF0", "112233FF"]
    )
    func badColors(_ color: String) {
        var look = ShieldAppearance(background: ShieldColor(light: color, dark: "#000000FF"), submenu: [])
        look.title = ShieldText(text: "x", color: ShieldColor(light: "#000000FF", dark: color))
        let (mended, problem) = check(look)
        #expect(mended.background == nil)
        #expect(mended.title?.text == "x")
        #expect(problem?.field == "/look/background")
    }

    @Test("A colour of six digits becomes opaque")
    func sixDigits() {
        let look = ShieldAppearance(background: ShieldColor(light: "#a1b2c3", dark: "#000000"), submenu: [])
        #expect(check(look).look.background == ShieldColor(light: "#a1b2c3FF", dark: "#000000FF"))
    }

    @Test("A blur with a known style is accepted, and an unknown one is omitted")
    func blurs() {
        #expect(check(ShieldAppearance(blur: "extraLight", submenu: [])).problem == nil)
        #expect(check(ShieldAppearance(blur: "systemMaterialLight", submenu: [])).problem == nil)
        let (mended, problem) = check(ShieldAppearance(blur: "fog", submenu: []))
        #expect(mended.blur == nil)
        #expect(problem?.message.contains("blur is not a known style") == true)
        #expect(ShieldAppearanceLimits.blurs.count == 21)
    }

    @Test("Icon data that is too large, not base64, or neither PNG nor JPEG is reported")
    func data() {
        #expect(check(icon(Self.png)).look.icon != nil)
        #expect(check(icon(Self.jpeg(64))).look.icon != nil)
        var huge = Self.png
        huge[17] = 1
        let large = Self.png + [UInt8](repeating: 0, count: 200_000)
        let bad: [(bytes: [UInt8], says: String)] = [
            (huge, "a picture of 65552 by 16"), (Self.jpeg(60_000), "a picture of 60000"),
            (large, "larger than 128 KiB"), (Array("<svg/>".utf8), "neither a PNG nor a JPEG"),
            ([], "neither"),
            ([0xFF, 0xD8, 0xFF], "neither"), ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0], "neither"),
        ]
        for (bytes, says) in bad {
            let (mended, problem) = check(icon(bytes))
            #expect(mended.icon == nil)
            #expect(problem?.message.contains(says) == true, "\(String(describing: problem))")
        }
        let noText = check(ShieldAppearance(icon: ShieldIcon(kind: .data, data: "%%%"), submenu: []))
        #expect(noText.problem?.message.contains("not base64") == true)
    }

    @Test("An icon file whose path is outside the app's folder is not read")
    func elsewhere() {
        var asked: [String] = []
        var check = ShieldAppearanceCheck(bundle: "/real/a", named: "/apps/a") {
            asked.append($0)
            return nil
        }
        for name in [
            "/etc/secret.png", "/apps/ab/i.png", "/apps/a/../b/i.png", "/apps/a/i.png", "/real/a/i.png",
        ] {
            _ = check.check(ShieldAppearance(icon: ShieldIcon(kind: .file, name: name), submenu: []))
        }
        #expect(asked == ["/apps/a/i.png", "/real/a/i.png"])
    }

    @Test("An icon file that is missing, too large, not an image or outside the app's folder is reported")
    func files() {
        func file(_ path: String, _ bytes: Int64 = 100) -> IconFile {
            IconFile(path: path, bytes: bytes, head: Self.png)
        }
        let files = [
            "/apps/a/i.png": file("/apps/a/i.png"), "/apps/a/link.png": file("/etc/secret.png"),
            "/apps/ab/i.png": file("/apps/ab/i.png"), "/apps/a/large.png": file("/apps/a/large.png", 9 << 20),
            "/apps/a/text": IconFile(path: "/apps/a/text", bytes: 4, head: Array("text".utf8)),
        ]
        func says(_ name: String?) -> String? {
            let look = ShieldAppearance(icon: ShieldIcon(kind: .file, name: name), submenu: [])
            return check(look, files: files).problem?.message
        }
        #expect(says("/apps/a/i.png") == nil)
        #expect(says("/apps/a/link.png")?.contains("outside the app's folder") == true)
        #expect(says("/apps/ab/i.png")?.contains("outside the app's folder") == true)
        #expect(says("/apps/a/large.png")?.contains("larger than 8 MiB") == true)
        #expect(says("/apps/a/text")?.contains("neither") == true)
        #expect(says("/apps/a/none")?.contains("not there") == true)
        #expect(says("i.png")?.contains("not there") == true)
        #expect(says(nil)?.contains("not there") == true)
        // An icon for dark desktops is checked separately, and only that icon is omitted.
        func dark(_ name: String) -> (look: ShieldAppearance, problem: Problem?) {
            let icon = ShieldIcon(kind: .file, name: "/apps/a/i.png", darkName: name)
            return check(ShieldAppearance(icon: icon, submenu: []), files: files)
        }
        #expect(dark("/apps/a/i.png").look.icon?.darkName == "/apps/a/i.png")
        #expect(dark("/apps/a/link.png").problem?.message.contains("outside") == true)
        #expect(dark("/apps/a/link.png").look.icon == ShieldIcon(kind: .file, name: "/apps/a/i.png"))
    }

    @Test("The name of a system icon is reported if it is empty, too long or contains other characters")
    func names() {
        func problem(_ kind: ShieldIconKind, _ name: String?) -> Problem? {
            check(ShieldAppearance(icon: ShieldIcon(kind: kind, name: name), submenu: [])).problem
        }
        #expect(problem(.system, "hourglass.badge.plus") == nil)
        for name in [nil, "", "../x", "a b", String(repeating: "x", count: 300)] {
            #expect(problem(.system, name) != nil)
        }
        #expect(problem(.unknown, "x") != nil)
    }

    @Test("The problem of an appearance with several faults states how many others there are")
    func many() {
        let color = ShieldColor(light: "x", dark: "y")
        let bad = ShieldText(text: "\u{1}", color: color)
        let look = ShieldAppearance(blur: "x", background: color, title: bad, subtitle: bad, submenu: [])
        #expect(check(look).problem?.message.hasSuffix("and 3 more.") == true)
    }
}
