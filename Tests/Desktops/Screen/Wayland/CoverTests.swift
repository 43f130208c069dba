import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Covers on sway") struct CoverTests {
    static let red: UInt32 = 0xFFC0_2030
    static let plain: UInt32 = 0xC02030
    static let green: UInt32 = 0x20A040
    let pane = PaneID("cover")

    func order(_ window: WindowID, keys: Bool = true) -> DesktopAction {
        .openPane(
            PaneRequest(id: pane, place: .over(window), background: Self.red, name: "Shield", takesKeys: keys)
        )
    }

    @Test(arguments: [1.0, 1.5, 2.0])
    func coversFollowTheirWindow(scale: Double) throws {
        let sway = try Sway { $0.scale = scale }
        defer { sway.end() }
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let windows = try sway.window()
        try windows.ask("map one app.one")
        let one = try watched.wait("one")
        watched.screen.perform([order(one.id)])
        #expect(comesTrue { watched.shown(pane) })
        let whole = try watched.frameBelowItsBar("one")
        func inside(_ rect: ScreenRect) throws -> UInt32 {
            try sway.colour(
                x: Int(Double(rect.x + rect.width / 2) * scale),
                y: Int(Double(rect.y + rect.height / 2) * scale)
            )
        }
        #expect(comesTrue { try inside(whole) == Self.plain })
        #expect(
            comesTrue {
                guard case .shown(_, let height, _, _)? = watched.paneEvents(pane).last else { return false }
                return height == Int((Double(whole.height) * scale).rounded(.up))
            }
        )
        guard case .shown(let width, let height, let told, _)? = watched.paneEvents(pane).last else {
            Issue.record("\(watched.paneEvents(pane))")
            return
        }
        #expect(told == scale)
        #expect(width == Int((Double(whole.width) * scale).rounded(.up)))
        #expect(height == Int((Double(whole.height) * scale).rounded(.up)))
        // With another window beside it, the cover shrinks with its own window.
        try windows.ask("map two app.two")
        #expect(comesTrue { (watched.window("one")?.frame?.width ?? 9_999) < whole.width })
        let half = try #require(watched.window("one")?.frame)
        let other = try watched.wait("two")
        #expect(comesTrue { try inside(half) == Self.plain })
        #expect(comesTrue { try inside(try #require(watched.window("two")?.frame)) == Self.green })
        _ = other
        // Floating, moved and made smaller.
        try sway.command("[title=^one$] floating enable, resize set 300 200, move position 100 50")
        #expect(comesTrue { watched.window("one")?.frame.map { $0.x < 110 && $0.width < 310 } ?? false })
        var moved = whole
        #expect(
            comesTrue {
                moved = try watched.frameBelowItsBar("one")
                let past = ScreenRect(x: moved.right + 10, y: moved.y, width: 2, height: 20)
                return try inside(moved) == Self.plain && inside(past) == Self.green
            }
        )
        // Hidden, and shown again.
        try sway.command("workspace 5")
        #expect(comesTrue { watched.paneEvents(pane).last == .hidden })
        #expect(comesTrue { try inside(moved) == 0x203040 })
        try sway.command("workspace 1")
        #expect(comesTrue { try inside(moved) == Self.plain })
        try sway.command("[title=^one$] fullscreen enable")
        #expect(comesTrue { try sway.colour(x: 3, y: 3) == Self.plain })
        watched.screen.perform([.closePane(pane)])
        #expect(comesTrue { try sway.colour(x: 3, y: 3) == Self.green })
    }

    @Test("A cover on sway leaves out the windows above it")
    func windowsAboveAreLeftOut() throws {
        let sway = try Sway()
        defer { sway.end() }
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let windows = try sway.window()
        try windows.ask("map below app.below")
        try windows.ask("map above app.above")
        _ = try watched.wait("above")
        let below = try watched.wait("below")
        watched.screen.perform([order(below.id), .holdInput(pane)])
        try sway.float(watched, title: "above", frame: ScreenRect(x: 300, y: 200, width: 200, height: 200))
        #expect(comesTrue { try sway.colour(x: 100, y: 100) == Self.plain })
        #expect(comesTrue { try sway.colour(x: 400, y: 300) == Self.green })
        #expect(comesTrue { try sway.colour(x: 600, y: 300) == Self.plain })
        #expect(comesTrue { watched.held(pane) == true })
        for x in [299, 500] { #expect(comesTrue { try sway.colour(x: x, y: 300) == Self.plain }) }
        for y in [199, 400] { #expect(comesTrue { try sway.colour(x: 400, y: y) == Self.plain }) }
        // Only now, because the earlier pictures would contain a cursor.
        let hands = try sway.hands()
        // The window above can be used once it has received the pointer. The window beneath receives no input.
        #expect(
            comesTrue {
                try hands.ask("motions 200 310 210 150 150")
                return try windows.ask("motions") != "0"
            }
        )
        let felt = try windows.ask("motions")
        try hands.ask("motions 200 50 50 150 150")
        #expect(try windows.ask("motions") == felt)
        try sway.command("[title=^above$] focus")
        try hands.ask("type abc")
        #expect(comesTrue { try windows.ask("text") == "abc" })
        try sway.command("[title=^below$] focus")
        #expect(comesTrue { watched.front == "below" })
        #expect(
            comesTrue {
                try hands.ask("type x")
                return watched.paneEvents(pane).contains(.key(.text("x")))
            }
        )
        // From then on no key reaches another window.
        let text = try windows.ask("text")
        try hands.ask("type yz")
        #expect(comesTrue { watched.paneEvents(pane).contains(.key(.text("z"))) })
        #expect(try windows.ask("text") == text)
    }

    @Test("A cover on sway follows its window across two monitors")
    func twoMonitorsAndAWindowAcross() throws {
        let sway = try Sway { $0.outputs = 2 }
        defer { sway.end() }
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        #expect(comesTrue { watched.scene.outputs.map(\.name).sorted() == ["HEADLESS-1", "HEADLESS-2"] })
        let windows = try sway.window()
        try windows.ask("map wide app.wide")
        let wide = try watched.wait("wide")
        watched.screen.perform([order(wide.id)])
        try sway.float(watched, title: "wide", frame: ScreenRect(x: 1000, y: 100, width: 600, height: 300))
        #expect(comesTrue { try sway.colour(x: 1100, y: 250) == Self.plain })
        #expect(comesTrue { try sway.colour(x: 1500, y: 250) == Self.plain })
        #expect(try sway.colour(x: 1700, y: 250) != Self.plain)
        // A monitor is added while the adapter runs. sway 1.7 cannot remove one without a screen again.
        try sway.command("create_output")
        #expect(comesTrue { watched.scene.outputs.count == 3 })
        try sway.command("output HEADLESS-2 position 1280 400")
        let there = ScreenRect(x: 1280, y: 400, width: 1280, height: 720)
        #expect(comesTrue { watched.scene.outputs.contains { $0.frame == there } })
        #expect(
            comesTrue {
                guard let frame = watched.window("wide")?.frame else { return false }
                return try sway.colour(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
                    == Self.plain
            }
        )
    }

    @Test("Pictures on sway are shown as drawn, and their buttons receive the pointer")
    func picturesAreShownAsTheyWereDrawn() throws {
        let sway = try Sway()
        defer { sway.end() }
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let windows = try sway.window()
        let hands = try sway.hands()
        try windows.ask("map one app.one")
        let one = try watched.wait("one")
        watched.screen.perform([order(one.id)])
        let frame = try watched.frameBelowItsBar("one")
        #expect(
            comesTrue {
                guard case .shown(let width, let height, _, _)? = watched.paneEvents(pane).last else {
                    return false
                }
                return width == frame.width && height == frame.height
            }
        )
        guard case .shown(let width, let height, let scale, _)? = watched.paneEvents(pane).last else {
            Issue.record("\(watched.paneEvents(pane))")
            return
        }
        let scratch = try ScratchDirectory(inMemory: true)
        var pixels = [UInt32](repeating: 0xFF10_2030, count: width * height)
        for y in 100..<200 { for x in 100..<300 { pixels[y * width + x] = 0xFFF0_C040 } }
        let bytes = pixels.withUnsafeBytes { Array($0) }
        try AtomicFile.write(bytes, to: scratch.file("picture"), durable: false)
        let button = PaneSpot(id: "more", frame: ScreenRect(x: 100, y: 100, width: 200, height: 100))
        let picture = PanePicture(
            path: scratch.file("picture"),
            width: width,
            height: height,
            scale: scale,
            spots: [button]
        )
        watched.screen.perform([.paint(pane, picture)])
        #expect(comesTrue { try sway.colour(x: frame.x + 50, y: frame.y + 50) == 0x102030 })
        #expect(try sway.colour(x: frame.x + 100, y: frame.y + 100) == 0xF0C040)
        #expect(try sway.colour(x: frame.x + 99, y: frame.y + 99) == 0x102030)
        #expect(try sway.colour(x: frame.x + 299, y: frame.y + 199) == 0xF0C040)
        #expect(try sway.colour(x: frame.x + 300, y: frame.y + 200) == 0x102030)
        try hands.ask("motion \(frame.x + 20) \(frame.y + 20)")
        try hands.ask("motion \(frame.x + 150) \(frame.y + 150)")
        #expect(comesTrue { watched.paneEvents(pane).contains(.hovered("more")) })
        try hands.ask("button click")
        #expect(comesTrue { watched.paneEvents(pane).contains(.pressed("more")) })
        try hands.ask("motion \(frame.x + 350) \(frame.y + 350)")
        #expect(comesTrue { watched.paneEvents(pane).last == .hovered(nil) })
        for key in ["key 15", "key 28", "key 1", "key 14"] { try hands.ask(key) }
        let keys = [PaneKey.next, .press, .cancel, .backspace]
        #expect(comesTrue { keys.allSatisfy { watched.paneEvents(pane).contains(.key($0)) } })
        // A file that is smaller than declared is ignored, and the old picture stays: the pane has not failed.
        try scratch.write("short", to: "short")
        var wrong = picture
        wrong.path = scratch.file("short")
        watched.screen.perform([.paint(pane, wrong), .holdInput(pane)])
        #expect(comesTrue { watched.held(pane) == true })
        #expect(!watched.paneEvents(pane).contains { if case .failed = $0 { true } else { false } })
        #expect(try sway.colour(x: frame.x + 100, y: frame.y + 100) == 0xF0C040)
    }
}

extension ScreenRect {
    var right: Int { x + width }
}
