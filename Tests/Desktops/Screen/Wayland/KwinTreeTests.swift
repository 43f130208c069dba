import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STScreen

@Suite("Messages of the KWin script")
struct KwinTreeTests {
    private static let id = "{052962c8-f2b9-4c31-b8a7-447549bafa67}"

    @Test("A message of the KWin script is decoded as windows with the titles that covers need")
    func windows() throws {
        let said = """
            {"windows": [{"id": "\(Self.id)", "pid": 42, "app": "foot", "frame": [1, 2, 3, 4], "away": false, "full": true,
              "shown": true}], "front": "\(Self.id)", "keyed": null}
            """

        let tree = try #require(WindowTree(kwin: said) { _ in 7 })

        #expect(tree.foreground == 7 && tree.keyboardFocus == nil)
        #expect(
            tree.windows == [
                TreeWindow(
                    container: 7,
                    appID: "foot",
                    pid: 42,
                    content: ScreenRect(x: 1, y: 2, width: 3, height: 4),
                    isVisible: true,
                    isFullscreen: true,
                    isHidden: false,
                    coverTitle: "screentime \(Self.id)"
                )
            ]
        )
    }

    @Test(
        "A window ID that is unsafe in a KWin script names no window",
        arguments: [
            "", "\"); quit(); (\"", "{x}", String(repeating: "a", count: 65), "{0\u{202E}}",
        ]
    )
    func names(id: String) throws {
        let window: JSONValue = ["id": .string(id), "frame": [0, 0, 1, 1]]
        let said: JSONValue = ["windows": [window], "front": .string(id)]

        let tree = try #require(WindowTree(kwin: String(decoding: said.text, as: UTF8.self)) { _ in 1 })

        #expect(tree.windows.isEmpty && tree.foreground == nil)
    }

    @Test("Random messages of the KWin script are bounded and sanitized", arguments: 0..<200)
    func wild(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let keys = ["windows", "front", "keyed", "id", "pid", "app", "frame", "away", "full", "shown"]
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0...(depth < 4 ? 8 : 6), using: &random) {
            case 0: .null
            case 1: .bool(Bool.random(using: &random))
            case 2: .integer([.min, .max, 0, -1, 1 << 53].randomElement(using: &random) ?? 0)
            case 3: .number([1e308, -1e308, 0.5].randomElement(using: &random) ?? 0)
            case 4: .string(String(repeating: "\u{202E}x\u{1B}", count: 400))
            case 5: .string(Self.id)
            case 6: .array((0..<4).map { _ in .integer(Int64.random(in: .min ... .max, using: &random)) })
            case 7: .array((0..<4).map { _ in value(depth + 1) })
            default: object(depth + 1)
            }
        }
        func object(_ depth: Int) -> JSONValue {
            let names = (0..<8).compactMap { _ in keys.randomElement(using: &random) }
            return .object(Dictionary(names.map { ($0, value(depth)) }) { $1 })
        }
        let windows = (0..<20).map { _ in
            let window: JSONValue = [
                "id": .string(Self.id), "frame": value(9), "app": value(9), "pid": value(9),
                "shown": value(9),
            ]
            return Bool.random(using: &random) ? window : object(0)
        }
        let said: JSONValue = ["windows": .array(windows), "front": value(0), "keyed": value(0)]

        let tree = WindowTree(kwin: String(decoding: said.text, as: UTF8.self)) { _ in 1 }

        #expect(tree != nil)
        for window in tree?.windows ?? [] {
            #expect(abs(window.content.x) <= 1_000_000 && (0...1_000_000).contains(window.content.width))
            #expect((window.appID ?? "").utf8.count <= DesktopWindow.textBytesMax)
            #expect(window.appID?.contains("\u{202E}") != true)
        }
    }

    @Test("Unreadable messages of the KWin script are ignored", arguments: ["", "[", "{}", "\u{0}"])
    func unreadable(text: String) { #expect(WindowTree(kwin: text) { _ in 1 } == nil) }
}
