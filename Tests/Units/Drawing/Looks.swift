import STContracts
import STDrawing
import STPlatform

/// Shield appearances for the tests.
enum Looks {
    static func colour(_ light: String, _ dark: String? = nil) -> ShieldColor {
        ShieldColor(light: light, dark: dark ?? light)
    }

    static func text(_ text: String, light: String = "#000000FF", dark: String = "#FFFFFFFF")
        -> ShieldText
    {
        ShieldText(text: text, color: colour(light, dark))
    }

    static let english = ShieldAppearance(
        title: text("You promised"),
        subtitle: text("You wanted to stop after 30 minutes a day. They are used up until midnight."),
        primary: text("Close it", light: "#FFFFFFFF"),
        secondary: text("Ask for 15 more minutes", light: "#0A62DBFF", dark: "#7DB4FFFF"),
        submenu: []
    )

    static let korean = ShieldAppearance(
        title: text("오늘은 여기까지"),
        subtitle: text("게임 시간 한 시간을 모두 사용했어요. 밖에서 잠깐 걸어 보는 건 어떨까요?"),
        primary: text("확인", light: "#FFFFFFFF"),
        secondary: text("시간 더 요청하기", light: "#0A62DBFF", dark: "#7DB4FFFF"),
        submenu: []
    )

    static func long(_ count: Int) -> ShieldAppearance {
        let words = String(repeating: "words without an end ", count: count)
        return ShieldAppearance(
            title: text(words),
            subtitle: text(words),
            primary: text(words, light: "#FFFFFFFF"),
            secondary: text(words),
            submenu: []
        )
    }

    static let menu: ShieldAppearance = {
        var look = english
        look.submenu = ["15 minutes", "One hour", "The rest of the day"]
        return look
    }()

    static let nothing = ShieldAppearance(submenu: [])

    static func scene(_ look: ShieldAppearance, width: Int = 1280, height: Int = 800) -> ShieldDrawingRequest
    {
        ShieldDrawingRequest(look: look, name: "Firefox", width: width, height: height)
    }

    /// A PNG of one colour.
    static func png(_ width: Int, height: Int, ink: DrawColor = .black) throws -> [UInt8] {
        let canvas = try Canvas(width: width, height: height)
        canvas.fill(ink)
        return try canvas.png()
    }
}

extension DrawnShield {
    /// True if all texts, buttons and the icon are inside the window.
    func isInside() -> Bool {
        // Rounding can add half a pixel.
        let window = canvas.bounds.expanded(0.5)
        return texts.allSatisfy { window.contains($0.ink) && window.contains($0.box) }
            && buttons.allSatisfy { window.contains($0.box) }
            && icon.map { window.contains($0) } ?? true
    }
}

extension DrawnButton {
    var box: Box { Box(x: Double(x), y: Double(y), width: Double(width), height: Double(height)) }
}

/// Pixels in which two pictures of one size differ.
func differences(_ one: Canvas, _ other: Canvas) -> [Box] {
    let (bytes, others) = (one.argb32(), other.argb32())
    var found: [Box] = []
    for start in stride(from: 0, to: bytes.count, by: 4)
    where bytes[start..<start + 4] != others[start..<start + 4] {
        found.append(
            Box(x: Double(start / 4 % one.width), y: Double(start / 4 / one.width), width: 1, height: 1)
        )
    }
    return found
}
