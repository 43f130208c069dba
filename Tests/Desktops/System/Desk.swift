import Glibc
import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import Testing

/// A desktop as a person uses it, so that one list of cases runs on all of them.
protocol Desk: House {
    /// A new window of `alpha` or `beta`, in front when this returns.
    func open(_ app: String) async throws -> DeskWindow
    /// The first window of the app comes in front, as by a switcher.
    func bring(_ app: String) async throws
    func put(_ app: String, _ frame: ScreenRect) async throws
    func minimize(_ app: String) async throws
    func type(_ text: String) async throws
    func click(x: Int, y: Int) async throws
    /// The pointer goes to and fro over a part of the screen.
    func wave(_ count: Int, over frame: ScreenRect) async throws
    /// One pixel of the screen, in the desktop's own words.
    func pixel(x: Int, y: Int) async throws -> String
    func killAgent() async throws
    /// For people to look at.
    func keepPicture(_ name: String) async throws
    /// A menu of the window is open.
    func openMenu(of window: DeskWindow) async throws
    /// Whether the process stands still.
    func isStill(_ window: DeskWindow) -> Bool
}

/// A window of a test's own program.
struct DeskWindow {
    var program: LineProgram
    /// Its cgroup; nil where it has none of its own.
    var folder: String?
    var number: Int
    /// What was typed into it.
    var text: () throws -> String
}

/// The desktops of the cases.
enum DeskKind: String, CaseIterable, CustomTestStringConvertible {
    case x11
    case sway
    case gnome43
    case gnome48
    case gnomeNewest

    var testDescription: String { rawValue }

    /// All of them in the long form.
    static var possible: [DeskKind] {
        let every: [DeskKind] = XHouse.isSoak ? allCases : [.x11, .sway, .gnome43]
        return every.filter { [.x11, .sway].contains($0) || GnomeShell.isPossible }
    }

    func run(_ body: (any Desk) async throws -> Void) async throws {
        switch self {
        case .x11: try await XHouse.run { try await body($0) }
        case .sway: try await SwayHouse.run { try await body($0) }
        case .gnome43: try await GnomeHouse.run(.gnome43) { try await body($0) }
        case .gnome48: try await GnomeHouse.run(.gnome48) { try await body($0) }
        case .gnomeNewest: try await GnomeHouse.run(.newest) { try await body($0) }
        }
    }
}

extension XHouse: Desk {
    func open(_ app: String) async throws -> DeskWindow {
        let program = try program()
        let number = try await window(program, app.prefix(1).uppercased() + app.dropFirst())
        return DeskWindow(program: program, folder: nil, number: number) {
            try program.ask("\(number) text")
        }
    }

    func bring(_ app: String) async throws { try xdotool(app, "windowactivate", "--sync") }

    func put(_ app: String, _ frame: ScreenRect) async throws {
        try xdotool(app, "windowmove", "--sync", "\(frame.x)", "\(frame.y)")
        try xdotool(app, "windowsize", "\(frame.width)", "\(frame.height)")
    }

    func minimize(_ app: String) async throws { try xdotool(app, "windowminimize") }

    func type(_ text: String) async throws { try display.xdotool("type", "--delay", "10", text) }

    func click(x: Int, y: Int) async throws {
        try display.xdotool("mousemove", "--sync", "\(x)", "\(y)", "click", "1")
    }

    func wave(_ count: Int, over frame: ScreenRect) async throws {
        for start in stride(from: 0, to: count, by: 500) {
            let words = (start..<min(count, start + 500)).flatMap { index in
                ["mousemove", "\(frame.x + index % frame.width)", "\(frame.y + index * 7 % frame.height)"]
            }
            try display.run("xdotool", list: words)
        }
    }

    func pixel(x: Int, y: Int) async throws -> String { try display.colour(x: x, y: y) }

    func killAgent() async throws {
        try system.kill(.desktop)
        try system.restart(.desktop)
    }

    func openMenu(of window: DeskWindow) async throws { try window.program.ask("menu open") }

    func isStill(_ window: DeskWindow) -> Bool { state(window.program.process.pid) == "T" }

    private func xdotool(_ app: String, _ words: String...) throws {
        try display.run(
            "xdotool",
            list: ["search", "--limit", "1", "--class", "^\(app.prefix(1).uppercased() + app.dropFirst())$"]
                + words
        )
    }
}

extension WaylandHouse {
    func open(_ app: String) async throws -> DeskWindow {
        let windows = try windows(named: app)
        let number = Int(try windows.program.ask("map \(app) \(app)")) ?? 0
        try await inFront(app)
        return DeskWindow(program: windows.program, folder: windows.folder, number: number) {
            try windows.program.ask("text")
        }
    }

    func pixel(x: Int, y: Int) async throws -> String { String(try await colour((x: x, y: y)), radix: 16) }

    func keepPicture(_ name: String) async throws { if Self.pictures != nil { try await picture(name) } }

    fileprivate func hasMenu(_ window: DeskWindow) async throws {
        try await eventually("the menu is open") {
            try window.program.send("menu \(window.number) state")
            guard try window.program.nextLine() == "ok" else { throw NotYet("it is not") }
        }
    }

    func killAgent() async throws {
        let agents = ProcessTable.children(of: supervisor.pid).filter {
            ProcFile.link("/proc/\($0)/exe")?.hasSuffix("/desktop-agent") ?? false
                || ProcFile.text("/proc/\($0)/comm", limit: 64)?.hasPrefix("desktop-agent") == true
        }
        guard let agent = agents.first, kill(agent, SIGKILL) == 0 else { throw NotYet("no agent to kill") }
        try await eventually(within: .seconds(60), "another agent runs") {
            guard try ask(DesktopStatus.self, Empty()).isBlind == false else { throw NotYet("not yet") }
        }
    }

    func isStill(_ window: DeskWindow) -> Bool { isStill(window.program.process.pid, window.folder) }
}

extension SwayHouse: Desk {
    func bring(_ app: String) async throws { try line.command("[app_id=^\(app)$] focus") }

    func put(_ app: String, _ frame: ScreenRect) async throws {
        let size = "resize set \(frame.width) px \(frame.height) px"
        try line.command(
            "[app_id=^\(app)$] floating enable, \(size), move position \(frame.x) px \(frame.y) px"
        )
    }

    func minimize(_ app: String) async throws { try line.command("[app_id=^\(app)$] move scratchpad") }

    func type(_ text: String) async throws {
        try handsOfDesk().ask("key 0")
        try handsOfDesk().ask("type \(text)")
    }

    func click(x: Int, y: Int) async throws {
        try handsOfDesk().ask("motion \(x) \(y)")
        try handsOfDesk().ask("button click")
    }

    func openMenu(of window: DeskWindow) async throws {
        try window.program.ask("menu \(window.number) open")
        try await hasMenu(window)
    }

    func wave(_ count: Int, over frame: ScreenRect) async throws {
        let words = "\(frame.x) \(frame.y) \(frame.x + frame.width) \(frame.y + frame.height)"
        try handsOfDesk().ask("motions \(count) \(words)", within: .seconds(120))
    }

    /// The same for all of a test: without a keyboard no window has the focus.
    private func handsOfDesk() throws -> LineProgram {
        if let kept = deskHands { return kept }
        let hands = try hands()
        deskHands = hands
        return hands
    }
}

extension GnomeHouse: Desk {
    func bring(_ app: String) async throws { try await with(app, "activate(global.get_current_time())") }

    func put(_ app: String, _ frame: ScreenRect) async throws {
        try await with(
            app,
            "move_resize_frame(true, \(frame.x), \(frame.y), \(frame.width), \(frame.height))"
        )
    }

    func minimize(_ app: String) async throws { try await with(app, "minimize()") }

    func type(_ text: String) async throws { try await shell.type(text) }

    func click(x: Int, y: Int) async throws { try await shell.click(x: x, y: y) }

    func wave(_ count: Int, over frame: ScreenRect) async throws {
        try await shell.wave(count, x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }

    /// While the button is down that it comes from; another moment would be refused.
    func openMenu(of window: DeskWindow) async throws {
        try await shell.button(isDown: true)
        try await eventually("the window has heard of the press") {
            try window.program.ask("menu \(window.number) open")
            guard
                comesTrue(
                    within: .seconds(1),
                    {
                        try window.program.send("menu \(window.number) state")
                        return try window.program.nextLine() == "ok"
                    }
                )
            else {
                try window.program.ask("menu \(window.number) close")
                throw NotYet("no menu")
            }
        }
        try await shell.button(isDown: false)
        try await hasMenu(window)
    }

    private func with(_ app: String, _ act: String) async throws {
        try await shell.evaluate(
            "global.get_window_actors().map((a) => a.meta_window).find((w) => w.get_wm_class() === '\(app)').\(act); 1"
        )
    }
}
