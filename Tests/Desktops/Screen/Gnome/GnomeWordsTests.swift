import STContracts
import STDesktop
import STPlatform
import STScreen
import Testing

@Suite("Messages of the GNOME Shell extension")
struct GnomeWordsTests {
    @Test("Messages of the GNOME extension are decoded as events of the screen")
    func events() throws {
        let said = """
            [{"outputs": [{"name": "Monitor 1", "frame": [0, 0, 1280, 800], "scale": 2}]},
             {"window": {"id": "7", "pid": 42, "class": "foot", "instance": "foot", "entry": null, "frame": [1, 2, 3, 4],
              "minimized": false, "fullscreen": true, "shown": true, "chrome": false}},
             {"focus": "7", "at": 5}, {"focus": null}, {"gone": "7"}, {"pane": "p", "shown": [3, 4], "scale": 2, "at": 5},
             {"pane": "p", "hovered": null}, {"pane": "p", "key": "next"}, {"pane": "p", "text": "ㄱ"},
             {"pane": "p", "held": false, "why": "x"}, {"chosen": 2}, {"chosen": 4294967296}, {"ready": true}, {"ended": "off"}, {"future": 1}]
            """
        let events = try GnomeMessages.events(said)

        #expect(events.count == 13)
        #expect(
            events.prefix(2) == [
                .outputs([
                    DesktopOutput(
                        name: "Monitor 1",
                        frame: ScreenRect(x: 0, y: 0, width: 1280, height: 800),
                        scale: 2
                    )
                ]),
                .window(
                    DesktopWindow(
                        id: WindowID("gnome:7"),
                        windowClass: "foot",
                        instance: "foot",
                        pid: 42,
                        frame: ScreenRect(x: 1, y: 2, width: 3, height: 4),
                        isFullscreen: true
                    )
                ),
            ]
        )
        #expect(events.contains(.pane(PaneID("p"), .key(.text("ㄱ")))))
        #expect(events.contains(.pane(PaneID("p"), .held(false, Message(verbatim: "x")))))
        #expect(events.contains(.chosen(2)))
        guard case .focus(WindowID("gnome:7"), let atBootMs) = events[2] else {
            Issue.record("\(events[2])")
            return
        }
        #expect(atBootMs <= Stopwatch.bootMilliseconds())
    }

    @Test("Random messages of the GNOME extension are bounded and sanitized", arguments: 0..<200)
    func wild(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let keys = [
            "window", "gone", "focus", "at", "pane", "shown", "hidden", "hovered", "pressed", "key", "text",
            "held", "chosen",
            "why", "failed", "quiet", "idle", "touched", "outputs", "ready", "ended", "id", "pid", "class",
            "entry",
            "frame", "scale", "name", "covers",
        ]
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0...(depth < 3 ? 8 : 6), using: &random) {
            case 0: .null
            case 1: .bool(Bool.random(using: &random))
            case 2: .integer([.min, .max, 0, -1, 1 << 53].randomElement(using: &random) ?? 0)
            case 3: .number([1e308, -1e308, 0.5, 1e-300].randomElement(using: &random) ?? 0)
            case 4: .string(String(repeating: "\u{202E}x\u{1B}", count: 400))
            case 5: .string(["next", "7", "", "off"].randomElement(using: &random) ?? "")
            case 6: .array([])
            case 7: .array((0..<4).map { _ in value(depth + 1) })
            default: object(depth + 1)
            }
        }
        func object(_ depth: Int) -> JSONValue {
            let names = (0..<6).compactMap { _ in keys.randomElement(using: &random) }
            return .object(Dictionary(names.map { ($0, value(depth)) }) { $1 })
        }
        let said = JSONValue.array((0..<20).map { _ in object(0) })

        for event in try GnomeMessages.events(String(decoding: said.text, as: UTF8.self)) {
            #expect(!"\(event)".contains("\u{202E}"))
            guard case .window(let window) = event, let frame = window.frame else { continue }
            #expect(abs(frame.x) <= 1_000_000 && (0...1_000_000).contains(frame.width))
            #expect((window.windowClass ?? "").utf8.count <= DesktopWindow.textBytesMax)
        }
    }

    @Test(
        "Unreadable messages of the GNOME extension are refused",
        arguments: ["", "[", "[[[[[[[[[[[[1]]]]]]]]]]]]", "\u{0}"]
    )
    func unreadable(text: String) { #expect(throws: (any Error).self) { try GnomeMessages.events(text) } }

    @Test("Requests to the GNOME extension encode windows, panes and panel items as it reads them")
    func acts() {
        let order = PaneRequest(
            id: PaneID("p"),
            place: .over(WindowID("gnome:7")),
            background: 0x80FF_0010,
            name: "Shield",
            takesKeys: true
        )
        #expect(
            GnomeMessages.encode(.openPane(order)) == [
                "do": "open", "pane": "p", "over": "7", "background": "rgba(255, 0, 16, 0.5019607843137255)",
                "name": "Shield", "keys": true,
            ]
        )
        #expect(GnomeMessages.encode(.activate(nil)) == ["do": "activate", "window": .null])
        #expect(
            GnomeMessages.encode(.minimize([WindowID("gnome:1"), WindowID("gnome:2")])) == [
                "do": "minimize", "windows": ["1", "2"],
            ]
        )
        let item = PanelItem(name: "N", label: "1 h", lines: ["a"], choices: [.init(id: 2, text: "Ask")])
        #expect(
            GnomeMessages.encode(.showItem(item)) == [
                "do": "item",
                "item": [
                    "name": "N", "label": "1 h", "lines": ["a"], "choices": [["id": 2, "text": "Ask"]],
                ],
            ]
        )
        #expect(GnomeMessages.encode(.showItem(nil)) == ["do": "item", "item": .null])
    }
}
