import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Covers on an X display")
struct X11PaneTests {
    private static let red = "#AA1122"

    private func expectCovered(_ stage: XStage, handle: XHandle, what: String) throws {
        try stage.waits("covered: \(what)") {
            guard let frame = stage.seen(handle)?.frame else { return false }
            let corners = [
                (frame.x, frame.y), (frame.x + frame.width - 1, frame.y + frame.height - 1),
            ]
            return try corners.allSatisfy { try stage.display.colour(x: $0.0, y: $0.1) == Self.red }
        }
    }

    @Test("A cover on X follows moves, sizes, minimizing, workspaces and full screen")
    func follows() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "covered")
        let frame = try #require(stage.seen(handle)?.frame)
        try stage.cover(handle)
        try expectCovered(stage, handle: handle, what: "at first")
        // The decorations of the window manager stay usable.
        #expect(try stage.display.colour(x: frame.x + 20, y: frame.y - 8) != Self.red)
        #expect(stage.told("cover").contains { if case .shown(400, 300, 1, _) = $0 { true } else { false } })

        try handle.tell("move 500 300")
        try stage.waits("it has moved") { stage.seen(handle)?.frame.map { $0.x >= 500 } ?? false }
        try expectCovered(stage, handle: handle, what: "moved")
        try stage.waits("the old position is uncovered") {
            try stage.display.colour(x: frame.x + 5, y: frame.y + 5) != Self.red
        }
        try handle.tell("resize 600 350")
        try stage.waits("its size is reported") {
            stage.told("cover").contains { if case .shown(600, 350, 1, _) = $0 { true } else { false } }
        }
        try expectCovered(stage, handle: handle, what: "resized")
        try handle.tell("minimize")
        try stage.waits("it is hidden") { !stage.isShown("cover") }
        try handle.tell("activate")
        try stage.waits("it is back") { stage.isShown("cover") }
        try expectCovered(stage, handle: handle, what: "back")
        try stage.display.xdotool("set_desktop", "1")
        try stage.waits("it is hidden") { !stage.isShown("cover") }
        try stage.display.xdotool("set_desktop", "0")
        try stage.waits("it is back") { stage.isShown("cover") }
        try handle.tell("fullscreen on")
        try stage.waits("it is large") { stage.seen(handle)?.frame?.width == 1280 }
        try expectCovered(stage, handle: handle, what: "fullscreen")
        try handle.tell("fullscreen off")
        try stage.waits("it is small") { stage.seen(handle)?.frame?.width == 600 }
        try expectCovered(stage, handle: handle, what: "small again")

        stage.perform(.closePane(PaneID("cover")))
        try stage.waits("the app is visible again") {
            guard let frame = stage.seen(handle)?.frame else { return false }
            return try stage.display.colour(x: frame.x + 5, y: frame.y + 5) == "#3366CC"
        }
    }

    @Test("Windows above a cover on X stay above, and a covered window that raises itself stays covered")
    func stacking() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let covered = try stage.window(program, title: "covered")
        let other = try stage.window(program, title: "other", x: 200, y: 200)
        try other.tell("colour 00ff00")
        try stage.cover(covered)
        let frame = try #require(stage.seen(other)?.frame)
        #expect(try stage.display.colour(x: frame.x + 5, y: frame.y + 5) == "#00FF00")

        try covered.tell("raise")
        try stage.waits("the cover came along") {
            try stage.display.colour(x: frame.x + 5, y: frame.y + 5) == Self.red
        }
        try other.tell("raise")
        try stage.waits("the other one is above") {
            try stage.display.colour(x: frame.x + 5, y: frame.y + 5) == "#00FF00"
        }
        try covered.tell("fight 1")
        try stage.waits("it fights") { try stage.display.colour(x: frame.x + 5, y: frame.y + 5) != "#00FF00" }
        try covered.tell("fight 0")
        try expectCovered(stage, handle: covered, what: "after the fight")
    }

    @Test("A cover on X fits a window across two monitors and a full-screen window on one")
    func monitors() throws {
        let halves = [
            ScreenRect(x: 0, y: 0, width: 640, height: 800),
            ScreenRect(x: 640, y: 0, width: 640, height: 800),
        ]
        let stage = try XStage(monitors: halves, dpi: 192)
        defer { stage.end() }
        #expect(stage.scene.outputs.map(\.frame) == halves)
        #expect(stage.scene.outputs.map(\.scale) == [2, 2])
        let handle = try stage.window(try stage.program(), title: "wide", x: 400, width: 500)
        try stage.cover(handle)
        try expectCovered(stage, handle: handle, what: "across the border")
        try handle.tell("move 700 100")
        try expectCovered(stage, handle: handle, what: "on the second")
        #expect(stage.told("cover").contains { if case .shown(_, _, 2, _) = $0 { true } else { false } })
        // On a dense screen a fullscreen window is covered on its monitor, and the other monitor is not.
        try handle.tell("fullscreen on")
        try stage.waits("it fills the second") { stage.seen(handle)?.frame == halves[1] }
        try expectCovered(stage, handle: handle, what: "fullscreen on the second")
        #expect(try stage.display.colour(x: 100, y: 700) != Self.red)

        // A monitor is removed while the cover is shown.
        try stage.display.run("xrandr", "--delmonitor", "MONITOR-2")
        try stage.waits("one is gone") { stage.scene.outputs.count == 1 }
    }

    @Test("A picture on X is shown exactly, and a press is reported with its spot")
    func picture() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "painted", width: 320, height: 200)
        try stage.cover(handle)
        let path = try paint(stage, width: 320, height: 200)
        let frame = try #require(stage.seen(handle)?.frame)

        try stage.waits("it is painted") {
            try stage.display.colour(x: frame.x + 10, y: frame.y + 10) == "#0000FF"
                && stage.display.colour(x: frame.x + 300, y: frame.y + 190) == "#00FF00"
        }
        // The whole window, as seen by another program.
        try stage.display.run(
            "import",
            "-window",
            "root",
            "-crop",
            "320x200+\(frame.x)+\(frame.y)",
            "-depth",
            "8",
            "rgb:\(stage.scratch.file("seen.rgb"))"
        )
        let seen = try AtomicFile.read(stage.scratch.file("seen.rgb"), limitBytes: 1 << 20)
        let drawn = try AtomicFile.read(path, limitBytes: 1 << 20)
        var wanted: [UInt8] = []
        for start in stride(from: 0, to: drawn.count, by: 4) {
            wanted += drawn[start..<(start + 3)].reversed()
        }
        #expect(seen == wanted)

        // Another window passes over it: nothing has to be painted again.
        try stage.display.xdotool("mousemove", "\(frame.x + 10)", "\(frame.y + 10)")
        try stage.waits("the spot is hovered") { stage.told("cover").contains(.hovered("left")) }
        try stage.display.xdotool("click", "1")
        try stage.waits("the press arrives") { stage.told("cover").contains(.pressed("left")) }
        stage.forgetEvents()
        try stage.display.xdotool(
            "mousedown",
            "1",
            "mousemove",
            "\(frame.x + 300)",
            "\(frame.y + 10)",
            "mouseup",
            "1"
        )
        try stage.waits("the other spot is hovered") { stage.told("cover").contains(.hovered("right")) }
        #expect(!stage.told("cover").contains { if case .pressed = $0 { true } else { false } })
    }

    /// Paints blue on the left and green on the right, with a spot for each.
    private func paint(_ stage: XStage, width: Int, height: Int) throws -> String {
        var bytes: [UInt8] = []
        for _ in 0..<height {
            for x in 0..<width { bytes += x < width / 2 ? [0xFF, 0, 0, 0xFF] : [0, 0xFF, 0, 0xFF] }
        }
        let path = stage.scratch.file("picture")
        try AtomicFile.write(bytes, to: path, mode: 0o600, durable: false)
        let half = width / 2
        stage.perform(
            .paint(
                PaneID("cover"),
                PanePicture(
                    path: path,
                    width: width,
                    height: height,
                    scale: 1,
                    spots: [
                        PaneSpot(id: "left", frame: ScreenRect(x: 0, y: 0, width: half, height: height)),
                        PaneSpot(id: "right", frame: ScreenRect(x: half, y: 0, width: half, height: height)),
                    ]
                )
            )
        )
        return path
    }

    @Test("Panes on X have names, a corner pane takes no input, and a middle pane has the keyboard")
    func places() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(
            try stage.program(),
            title: "below",
            x: 0,
            y: 0,
            width: 1200,
            height: 700
        )
        stage.perform(
            .openPane(
                PaneRequest(
                    id: PaneID("count"),
                    place: .corner(width: 200, height: 100),
                    background: 0xFF_AA_11_22,
                    name: "5 minutes",
                    takesKeys: false
                )
            ),
            .openPane(
                PaneRequest(
                    id: PaneID("ask"),
                    place: .middle(width: 300, height: 200),
                    background: 0xFF_11_22_33,
                    name: "허용할까요?",
                    takesKeys: true
                )
            )
        )
        try stage.waits("both are shown") { stage.isShown("count") && stage.isShown("ask") }
        try stage.waits("both are seen") {
            try stage.display.colour(x: 1280 - 50, y: 800 - 50) == Self.red
                && stage.display.colour(x: 640, y: 400) == "#112233"
        }
        let names = try stage.display.run("xwininfo", "-root", "-tree")
        #expect(names.contains("5 minutes") && names.contains("screentime-shield"))
        try stage.display.xdotool("type", "a")
        try stage.waits("keys arrive") { stage.told("ask").contains(.key(.text("a"))) }
        stage.perform(.closePane(PaneID("ask")))
        try stage.waits("the window has the keyboard again") {
            try stage.display.xdotool("type", "z")
            return try handle.tell("text").contains("z")
        }
        try stage.waits("the screen reports the focus") { stage.scene.focusedWindow == handle.window }
        try stage.display.xdotool("mousemove", "1150", "690", "click", "1")
        #expect(try handle.tell("input").split(separator: " ")[1] != "0")
    }
}

@Suite("Forged input on an X display")
struct X11ForgeryTests {
    @Test("Clicks and keys that other clients send to a pane are ignored, and real clicks are accepted")
    func sent() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "covered", width: 320, height: 200)
        let path = stage.scratch.file("picture")
        try AtomicFile.write([UInt8](repeating: 0x55, count: 320 * 200 * 4), to: path, durable: false)
        let spot = PaneSpot(id: "ok", frame: ScreenRect(x: 0, y: 0, width: 320, height: 200))
        try stage.cover(handle)
        stage.perform(
            .paint(
                PaneID("cover"),
                PanePicture(path: path, width: 320, height: 200, scale: 1, spots: [spot])
            )
        )
        let frame = try #require(stage.seen(handle)?.frame)
        try stage.display.xdotool("mousemove", "\(frame.x + 10)", "\(frame.y + 10)")
        try stage.waits("the spot is hovered") { stage.told("cover").contains(.hovered("ok")) }
        // xdotool sends events to a window if one is given, and moves the real pointer otherwise.
        let pane = try #require(
            try stage.display.run("xdotool", "getmouselocation", "--shell").split(separator: "\n")
                .first { $0.hasPrefix("WINDOW=") }.map { String($0.dropFirst(7)) }
        )
        try stage.display.xdotool("click", "--window", pane, "1")
        try stage.display.xdotool("key", "--window", pane, "Return")
        try stage.display.xdotool("mousemove", "\(frame.x + 20)", "\(frame.y + 20)", "click", "3")
        try stage.display.xdotool("mousemove", "1200", "700")
        try stage.waits("it has left") { stage.told("cover").contains(.hovered(nil)) }
        #expect(!stage.told("cover").contains(.pressed("ok")))
        #expect(!stage.told("cover").contains { if case .key = $0 { true } else { false } })
        try stage.display.xdotool("mousemove", "\(frame.x + 10)", "\(frame.y + 10)", "click", "1")
        try stage.waits("the press arrives") { stage.told("cover").contains(.pressed("ok")) }
    }
}
