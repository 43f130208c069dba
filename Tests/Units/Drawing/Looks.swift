import STContracts
import STDrawing
import STPlatform

/// Looks that many tests draw.
enum Looks {
    static func colour(_ light: String, _ dark: String? = nil) -> ShieldColor {
        ShieldColor(light: light, dark: dark ?? light)
    }

    static func text(_ text: String, _ light: String = "#000000FF", _ dark: String = "#FFFFFFFF")
        -> ShieldText
    {
        ShieldText(text: text, color: colour(light, dark))
    }

    static let english = ShieldLook(
        title: text("You promised"),
        subtitle: text("You wanted to stop after 30 minutes a day. They are used up until midnight."),
        primary: text("Close it", "#FFFFFFFF"),
        secondary: text("Ask for 15 more minutes", "#0A62DBFF", "#7DB4FFFF"),
        submenu: []
    )

    static let korean = ShieldLook(
        title: text("오늘은 여기까지"),
        subtitle: text("게임 시간 한 시간을 모두 사용했어요. 밖에서 잠깐 걸어 보는 건 어떨까요?"),
        primary: text("확인", "#FFFFFFFF"),
        secondary: text("시간 더 요청하기", "#0A62DBFF", "#7DB4FFFF"),
        submenu: []
    )

    static func long(_ count: Int) -> ShieldLook {
        let words = String(repeating: "words without an end ", count: count)
        return ShieldLook(
            title: text(words),
            subtitle: text(words),
            primary: text(words, "#FFFFFFFF"),
            secondary: text(words),
            submenu: []
        )
    }

    static let menu: ShieldLook = {
        var look = english
        look.submenu = ["15 minutes", "One hour", "The rest of the day"]
        return look
    }()

    static let nothing = ShieldLook(submenu: [])

    static func scene(_ look: ShieldLook, _ width: Int = 1280, _ height: Int = 800) -> ShieldScene {
        ShieldScene(look: look, name: "Firefox", width: width, height: height)
    }

    /// A PNG of one colour.
    static func png(_ width: Int, _ height: Int, _ ink: Ink = .black) throws -> [UInt8] {
        let canvas = try Canvas(width: width, height: height)
        canvas.fill(ink)
        return try canvas.png()
    }
}

extension DrawnShield {
    /// Whether all that can be read or pressed is inside of the window.
    func isInside() -> Bool {
        // Half a pixel is what rounding can do.
        let window = canvas.bounds.grown(0.5)
        return texts.allSatisfy { window.contains($0.ink) && window.contains($0.box) }
            && buttons.allSatisfy { window.contains($0.box) }
            && icon.map { window.contains($0) } ?? true
    }
}

extension DrawnButton {
    var box: Box { Box(Double(x), Double(y), Double(width), Double(height)) }
}

/// Where two pictures of one size differ.
func differences(_ one: Canvas, _ other: Canvas) -> [Box] {
    let (bytes, others) = (one.argb32(), other.argb32())
    var found: [Box] = []
    for start in stride(from: 0, to: bytes.count, by: 4)
    where bytes[start..<start + 4] != others[start..<start + 4] {
        found.append(Box(Double(start / 4 % one.width), Double(start / 4 / one.width), 1, 1))
    }
    return found
}
