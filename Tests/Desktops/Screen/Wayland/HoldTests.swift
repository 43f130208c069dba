import Glibc
import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Held input on sway") struct HoldTests {
    let pane = PaneID("cover")
    /// The kernel's number of the key.
    let tabulator = 15

    func order(_ window: WindowID) -> DesktopAction {
        .openPane(
            PaneRequest(
                id: pane,
                place: .over(window),
                background: CoverTests.red,
                name: "Shield",
                takesKeys: true
            )
        )
    }

    /// The limit in desktop.md: after 8,000 motions the compositor closes the connection of a client that does not read.
    @Test("A paused app on sway keeps its text under a cover and receives no keys")
    func aPausedAppLosesNothingUnderItsCover() throws {
        let sway = try Sway()
        defer { sway.end() }
        let hands = try sway.hands()
        let windows = try sway.window()
        try windows.ask("map one app.one")
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let one = try watched.wait("one")
        try hands.ask("type kept")
        #expect(comesTrue { try windows.ask("text") == "kept" })
        watched.screen.perform([order(one.id), .holdInput(pane)])
        #expect(comesTrue { watched.held(pane) == true })
        windows.process.signal(SIGSTOP)
        try hands.ask("motions 20000 200 200 700 300", within: .seconds(120))
        try hands.ask("keys 1000", within: .seconds(120))
        #expect(watched.held(pane) == true)
        windows.process.signal(SIGCONT)
        #expect(try windows.ask("text") == "kept")
        watched.screen.perform([.closePane(pane)])
        #expect(comesTrue { try sway.colour(x: 640, y: 360) == CoverTests.green })
        #expect(
            comesTrue {
                try hands.ask("type !")
                return try windows.ask("text").hasPrefix("kept!")
            }
        )
        #expect(watched.scene.windows.count == 1)
    }

    @Test("An open menu on sway is closed before its input is reported as held")
    func anOpenMenuIsClosedBeforeInputIsPromised() throws {
        let sway = try Sway()
        defer { sway.end() }
        let hands = try sway.hands()
        let windows = try sway.window()
        try windows.ask("map one app.one")
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let one = try watched.wait("one")
        try hands.ask("motion 300 300")
        try hands.ask("button click")
        try windows.ask("menu 1 open")
        #expect(
            comesTrue {
                try windows.send("menu 1 state")
                return try windows.nextLine() == "ok"
            }
        )
        watched.screen.perform([order(one.id), .holdInput(pane)])
        #expect(comesTrue { watched.held(pane) == true }, "\(watched.paneEvents(pane))")
        try windows.send("menu 1 state")
        #expect(try windows.nextLine() == "no menu 1 state")
        let text = try windows.ask("text")
        try hands.ask("type abc")
        #expect(comesTrue { watched.paneEvents(pane).contains(.key(.text("c"))) })
        #expect(try windows.ask("text") == text)
    }

    @Test("Windows beside a cover on sway stay usable by keyboard and pointer")
    func otherWindowsStayUsable() throws {
        let sway = try Sway()
        defer { sway.end() }
        let hands = try sway.hands()
        let windows = try sway.window()
        let other = try sway.window()
        try windows.ask("map one app.one")
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let one = try watched.wait("one")
        try other.ask("map two app.two")
        _ = try watched.wait("two")
        try sway.command("[title=^one$] focus")
        #expect(comesTrue { watched.front == "one" })
        watched.screen.perform([order(one.id), .holdInput(pane)])
        #expect(comesTrue { watched.held(pane) == true })
        windows.process.signal(SIGSTOP)
        // With the desktop's own keys, although the cover has the keyboard.
        try hands.ask("key 0")
        try sway.press("j", with: ["logo"])
        #expect(comesTrue { watched.front == "two" })
        #expect(
            comesTrue {
                try hands.ask("type a")
                return try !other.ask("text").isEmpty
            }
        )
        try sway.press("k", with: ["logo"])
        #expect(comesTrue { watched.front == "one" })
        // The cover requests the keyboard once it is shown. A key at that moment still reaches its window.
        #expect(
            comesTrue {
                try hands.ask("key \(tabulator)")
                return watched.paneEvents(pane).contains(.key(.next))
            }
        )
        try hands.ask("type q")
        #expect(comesTrue { watched.paneEvents(pane).contains(.key(.text("q"))) })
        // With the pointer, too.
        let there = try watched.frameBelowItsBar("two")
        try hands.ask("motion \(there.x + 50) \(there.y + 50)")
        try hands.ask("button click")
        #expect(comesTrue { watched.front == "two" }, "\(watched.events.suffix(5))")
        // A press on the cover activates its window.
        let here = try watched.frameBelowItsBar("one")
        try hands.ask("motion \(here.x + 50) \(here.y + 50)")
        try hands.ask("button click")
        #expect(comesTrue { watched.front == "one" })
        #expect(watched.held(pane) == true)
        windows.process.signal(SIGCONT)
        #expect(try windows.ask("text").allSatisfy { $0 == "\t" })
    }

    @Test(
        "Windows on sway are activated, minimized and asked to close, and panes open in the corner and middle"
    )
    func actsDoWhatTheySay() throws {
        let sway = try Sway()
        defer { sway.end() }
        let windows = try sway.window()
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        for name in ["one", "two"] { try windows.ask("map \(name) app.\(name)") }
        let one = try watched.wait("one")
        let two = try watched.wait("two")
        #expect(comesTrue { watched.front == "two" })
        watched.screen.perform([.activate(one.id)])
        #expect(comesTrue { watched.front == "one" })
        watched.screen.perform([.minimize([one.id]), .activate(nil)])
        #expect(comesTrue { watched.window("one")?.isMinimized == true && watched.front == "two" })
        watched.screen.perform([.activate(one.id)])
        #expect(comesTrue { watched.window("one")?.isMinimized == false && watched.front == "one" })
        watched.screen.perform([.askToClose(two.id)])
        #expect(try windows.nextLine() == "closed")
        let small = PaneID("small")
        let middle = PaneID("middle")
        watched.screen.perform([
            .openPane(
                PaneRequest(
                    id: small,
                    place: .corner(width: 160, height: 40),
                    background: 0xFF11_2233,
                    name: "Time left",
                    takesKeys: false
                )
            ),
            .openPane(
                PaneRequest(
                    id: middle,
                    place: .middle(width: 400, height: 200),
                    background: 0xFF44_5566,
                    name: "Permission",
                    takesKeys: true
                )
            ),
        ])
        #expect(comesTrue { try sway.colour(x: 1280 - 60, y: 30) == 0x112233 })
        #expect(comesTrue { try sway.colour(x: 640, y: 360) == 0x445566 })
        #expect(watched.shown(small) && watched.shown(middle))
        let hands = try sway.hands()
        #expect(
            comesTrue {
                try hands.ask("type n")
                return watched.paneEvents(middle).contains(.key(.text("n")))
            }
        )
        #expect(watched.front == "one")
        watched.screen.perform([.closePane(middle), .closePane(small)])
        #expect(comesTrue { try sway.colour(x: 640, y: 360) != 0x445566 })
    }
}
