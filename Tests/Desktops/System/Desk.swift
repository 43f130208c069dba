import Glibc
import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import Testing

/// A desktop with the actions of a person, so that one list of cases runs on all of them.
protocol Desk: House {
    static var session: String { get }
    var logind: LogindMock { get }
    /// Opens a window of `alpha` or `beta`. It is in the foreground when this returns.
    func open(_ app: String) async throws -> DeskWindow
    /// Activates the first window of the app, like a window switcher.
    func bring(_ app: String) async throws
    func put(_ app: String, _ frame: ScreenRect) async throws
    func minimize(_ app: String) async throws
    func type(_ text: String) async throws
    func click(x: Int, y: Int) async throws
    /// Moves the pointer to and fro over a part of the screen.
    func wave(_ count: Int, over frame: ScreenRect) async throws
    /// Returns one pixel of the screen, in the desktop's own notation.
    func pixel(x: Int, y: Int) async throws -> String
    /// The process that draws the screen: an X server or a compositor.
    var compositorPid: Int32 { get }
    func pid(_ service: ServiceName) throws -> Int32
    /// Kills a service. The supervisor starts another one.
    func kill(_ service: ServiceName) async throws
    /// Keeps a picture for people.
    func keepPicture(_ name: String) async throws
    /// Opens a menu of the window.
    func openMenu(of window: DeskWindow) async throws
    /// Returns true if the process is paused.
    func isStill(_ window: DeskWindow) -> Bool
    func fullscreen(_ window: DeskWindow) async throws
    /// Kills the program of the window, even if it is paused.
    func end(_ window: DeskWindow) async throws
    /// Shows workspace 0 or 1.
    func workspace(_ number: Int) async throws
    /// Creates an app of a developer in a place that the services can read.
    func bundle(_ id: String) throws -> String
    /// Returns an observer of one pixel of the screen.
    func watch(x: Int, y: Int) async throws -> any DeskEye
}

extension Desk {
    func killAgent() async throws {
        try await kill(.desktop)
        try await eventually(within: .seconds(60), "another agent runs") {
            guard try await ask(DesktopStatus.self, Empty()).isBlind != true else { throw NotYet("not yet") }
        }
    }

    /// Returns the corners of a window, well inside it, because the cover does not include the decorations of the window manager.
    func pixels(_ frame: ScreenRect) async throws -> [String] {
        let (left, right) = (frame.x + 14, frame.x + frame.width - 14)
        let (top, bottom) = (frame.y + 60, frame.y + frame.height - 14)
        var pixels: [String] = []
        for (x, y) in [(left, top), (right, top), (left, bottom), (right, bottom)] {
            pixels.append(try await pixel(x: x, y: y))
        }
        return pixels
    }

    func shows(_ own: String, in frame: ScreenRect, _ isShown: Bool) async throws {
        try await eventually(within: .seconds(20), "the window is \(isShown ? "shown" : "not shown") there") {
            let pixels = try await pixels(frame)
            guard pixels.allSatisfy({ ($0 == own) == isShown }) else {
                throw NotYet("\(pixels), its own \(own)")
            }
        }
    }

    /// Opens a window at its place. Returns it with its own colour.
    func alpha() async throws -> (window: DeskWindow, own: String) {
        let window = try await open("alpha")
        let own = try await eventually(within: .seconds(20), "the window is at its place") {
            try await put("alpha", DeskPlace.here)
            let pixels = try await pixels(DeskPlace.here)
            guard let own = pixels.first, pixels.allSatisfy({ $0 == own }),
                own != (try await pixel(x: 1_200, y: 700))
            else { throw NotYet("\(pixels)") }
            return own
        }
        return (window, own)
    }

    /// Opens the same window, uses up its app's time, and waits for the shield.
    func covered() async throws -> (window: DeskWindow, own: String) {
        let (window, own) = try await alpha()
        try await limit("alpha")
        try await isCovered(window, own)
        return (window, own)
    }

    /// Waits until the app is paused and nothing of the window is visible.
    func isCovered(_ window: DeskWindow, _ own: String, in frame: ScreenRect = DeskPlace.here) async throws {
        try await reaches(.paused, "alpha")
        try await shows(own, in: frame, false)
        try await eventually("the app is paused") {
            guard isStill(window) else { throw NotYet("it moves") }
        }
    }

    /// Waits until the app has received `text` and accepts keys again.
    func takesKeys(_ window: DeskWindow, after text: String = "") async throws {
        try await eventually("the window receives keys again") {
            try await type("1")
            guard comesTrue(within: .seconds(1), { try window.text().hasPrefix(text + "1") }) else {
                throw NotYet(try window.text())
            }
        }
    }
}

/// Lower and upper bounds on the time that a person spent at each place.
struct VisitLog {
    private(set) var visits: [String: ClosedRange<Int64>] = [:]
    private var last: (place: String, beforeMs: Int64, afterMs: Int64)?

    /// Records a change of place. `nil` is none of the logged ones. An activated browser first shows its earlier tab, so the
    /// change can lead `through` that tab's site.
    mutating func goes(to place: String?, through: String? = nil, _ beforeMs: Int64, _ afterMs: Int64) {
        if let through, through != place, through != last?.place {
            let known = visits[through] ?? 0...0
            visits[through] = known.lowerBound...known.upperBound + afterMs - beforeMs
        }
        if let last {
            let known = visits[last.place] ?? 0...0
            visits[last.place] =
                known.lowerBound + beforeMs - last.afterMs...known.upperBound + afterMs - last.beforeMs
        }
        last = place.map { ($0, beforeMs, afterMs) }
    }
}

/// Observes one point of the screen, frame by frame.
protocol DeskEye {
    /// Returns the boot time in microseconds at which a window of the colour `own` was first visible, or no longer visible.
    func next(_ own: String, isSeen: Bool) async throws -> Int64
}

/// A program that writes `MICROSECONDS COLOUR` whenever the pixel changes.
struct LineEye: DeskEye {
    var program: LineProgram

    func next(_ own: String, isSeen: Bool) async throws -> Int64 {
        while true {
            let words = try program.nextLine(within: .seconds(60)).split(separator: " ")
            guard words.count == 2, let us = Int64(words[0]) else { throw NotYet("\(words)") }
            if (words[1].suffix(6).lowercased() == own.suffix(6).lowercased()) == isSeen { return us }
        }
    }
}

/// Checks after each frame, with a script in the Shell, if the topmost actor at the point is a window's own surface.
///
/// The Shell has no sufficiently fast way to read one pixel.
final class GnomeEye: DeskEye {
    private let shell: GnomeShell
    private var taken = 0

    init(_ shell: GnomeShell, x: Int, y: Int) async throws {
        self.shell = shell
        try await shell.evaluate(
            """
            globalThis.testLooks = [];
            if (globalThis.testEye) global.stage.disconnect(globalThis.testEye);
            globalThis.testEye = global.stage.connect('after-paint', () => {
              const actor = global.stage.get_actor_at_pos(imports.gi.Clutter.PickMode.REACTIVE, \(x), \(y));
              const isApp = String(actor).includes("SurfaceActor");
              const looks = globalThis.testLooks;
              if (looks.at(-1)?.[1] !== isApp) looks.push([imports.gi.GLib.get_monotonic_time(), isApp]);
            });
            1
            """
        )
    }

    func next(_ own: String, isSeen: Bool) async throws -> Int64 {
        try await eventually(within: .seconds(60), "an app is \(isSeen ? "" : "not ")seen") {
            let looks = try await shell.evaluate(
                "globalThis.testLooks.slice(\(taken)).map((l) => l.join(' ')).join()"
            )
            for look in looks.filter({ $0 != "\"" }).split(separator: ",") {
                taken += 1
                let words = look.split(separator: " ")
                guard words.count == 2, let us = Int64(words[0]) else { throw NotYet(looks) }
                // The Shell's clock stops during sleep.
                let sleptUs = Stopwatch.bootMicroseconds() - Stopwatch.nanoseconds() / 1_000
                if (words[1] == "true") == isSeen { return us + sleptUs }
            }
            throw NotYet(looks)
        }
    }
}

/// A window of a test's own program.
struct DeskWindow {
    var program: LineProgram
    /// Its cgroup. `nil` if it has no separate one.
    var folder: String?
    var number: Int
    /// The text that was typed into it.
    var text: () throws -> String
}

/// The desktops of the cases.
enum DeskKind: String, CaseIterable, CustomTestStringConvertible {
    case x11
    /// The window managers of Xfce and MATE on X11.
    case xfwm
    case marco
    case sway
    case gnome43
    case gnome48
    case gnomeNewest
    case kwin5
    case kwin6
    case kwinNewest

    var testDescription: String { rawValue }

    /// The desktops of most cases: all in the long form, or those in `SCREENTIME_DESKS`.
    static var possible: [DeskKind] { chosen([.x11, .sway, .gnome43, .kwin5]) }

    /// The desktops of cases that a short run omits on slowly starting desktops.
    static var further: [DeskKind] { chosen([.x11, .sway]) }

    /// The desktops of cases that a short run performs on one desktop.
    static var longer: [DeskKind] { chosen([.x11]) }

    private static func chosen(_ short: [DeskKind]) -> [DeskKind] {
        let named = ProcessEnvironment.current()["SCREENTIME_DESKS"]?.split(separator: ",")
        let wanted = named.map { $0.compactMap { DeskKind(rawValue: String($0)) } }
        return (wanted ?? (XHouse.isSoak ? allCases : short)).filter {
            [.x11, .sway].contains($0) || DebianRoot.isPossible
        }
    }

    /// False for xfwm, which lets no program move a window to another monitor.
    var movesOverMonitors: Bool { self != .xfwm }

    var isX11: Bool { [.x11, .xfwm, .marco].contains(self) }

    /// The window manager of another Debian. `nil` means that of this computer.
    private var windowManager: (@Sendable (ScratchDirectory) -> [String])? {
        get async throws {
            guard self == .xfwm || self == .marco else { return nil }
            let root = try await DebianRoot.installed(
                "x11",
                suite: "bookworm",
                packages: ["xfwm4", "xfconf", "dbus", "marco", "mate-settings-daemon-common"]
            )
            let words = self == .xfwm ? "xfwm4 --compositor=off" : "marco --no-composite"
            // Use settings that are independent of this computer's.
            let script =
                "export HOME=$(mktemp -d -p /var/tmp) && export XDG_RUNTIME_DIR=$HOME && exec dbus-run-session \(words)"
            return { root.within($0, ["/bin/sh", "-c", script]) }
        }
    }

    /// The error of a two-second idle time. KWin's timers are exact to a twentieth of their time, the others to a millisecond.
    var idleErrorMs: Int64 { [.kwin5, .kwin6, .kwinNewest].contains(self) ? 110 : 0 }

    /// Runs with the usual apps and `more`. Most cases have no input, and this must not count as absence.
    ///
    /// `scale` applies only to Wayland. A monitor always has the same size for a person.
    func run(
        _ more: [String] = [],
        settings: [String: String] = ["idle_ms": "3600000"],
        scale: Double = 1,
        outputs: Int = 1,
        hasXWayland: Bool = false,
        isTall: Bool = false,
        body: (any Desk) async throws -> Void
    ) async throws {
        var options = WaylandHouse.Options()
        options.settings = settings
        options.names += more
        options.outputs = outputs
        options.scale = scale
        options.hasXWayland = hasXWayland
        options.width = Int(Double(options.width) * scale)
        options.height = Int(Double(isTall ? 840 : options.height) * scale)
        switch self {
        case .x11, .xfwm, .marco:
            try await XHouse.run(
                settings: settings,
                width: 1280 * outputs,
                monitors: outputs == 1
                    ? [] : (0..<outputs).map { ScreenRect(x: 1280 * $0, y: 0, width: 1280, height: 800) },
                classes: XHouse.classes + more.map { $0.prefix(1).uppercased() + $0.dropFirst() },
                windowManager: try await windowManager
            ) { try await body($0) }
        case .sway:
            try await SwayHouse.run {
                $0 = options
            } _: {
                // A window that is older than the keyboard could miss the first keys.
                _ = try $0.handsOfDesk()
                try await body($0)
            }
        case .gnome43: try await GnomeHouse.run(.gnome43, options: options) { try await body($0) }
        case .gnome48: try await GnomeHouse.run(.gnome48, options: options) { try await body($0) }
        case .gnomeNewest: try await GnomeHouse.run(.newest, options: options) { try await body($0) }
        case .kwin5: try await KwinHouse.run(.kwin5, options: options) { try await body($0) }
        case .kwin6: try await KwinHouse.run(.kwin6, options: options) { try await body($0) }
        case .kwinNewest: try await KwinHouse.run(.newest, options: options) { try await body($0) }
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
        // Without `--sync`, which would wait forever if the window is already there.
        try xdotool(app, "windowmove", "\(frame.x)", "\(frame.y)")
        try xdotool(app, "windowsize", "\(frame.width)", "\(frame.height)")
    }

    func minimize(_ app: String) async throws { try xdotool(app, "windowminimize") }

    func type(_ text: String) async throws { try display.xdotool("type", "--delay", "10", text) }

    func click(x: Int, y: Int) async throws {
        try display.xdotool("mousemove", "--sync", "\(x)", "\(y)", "click", "1")
    }

    func wave(_ count: Int, over frame: ScreenRect) async throws { try display.wave(count, over: frame) }

    func pixel(x: Int, y: Int) async throws -> String { try display.colour(x: x, y: y) }

    var compositorPid: Int32 { display.serverPid }
    func pid(_ service: ServiceName) throws -> Int32 { try system.pid(service) }

    func kill(_ service: ServiceName) async throws {
        try system.kill(service)
        try system.restart(service)
    }

    func openMenu(of window: DeskWindow) async throws { try window.program.ask("menu open") }

    func isStill(_ window: DeskWindow) -> Bool { ProcessState.of(window.program.process.pid) == "T" }
    func fullscreen(_ window: DeskWindow) async throws {
        try window.program.ask("\(window.number) fullscreen on")
    }

    func end(_ window: DeskWindow) async throws { window.program.process.signal(SIGKILL) }

    func workspace(_ number: Int) async throws { try display.xdotool("set_desktop", "\(number)") }

    func bundle(_ id: String) throws -> String { try AppBundle(in: system.scratch, id: id).path }

    func watch(x: Int, y: Int) async throws -> any DeskEye { try display.eye(x: x, y: y) }

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
        let windows = try windows(named: app, hasXWayland ? try await desktop.forX11 : nil)
        let answer = try windows.program.ask("map \(app) \(app)")
        let number = answer.split(separator: " ").first.flatMap { Int($0) } ?? 0
        try await inFront(app)
        return DeskWindow(program: windows.program, folder: windows.folder, number: number) {
            try windows.program.ask("text")
        }
    }

    func pixel(x: Int, y: Int) async throws -> String {
        let place = (x: Int(Double(x) * scale), y: Int(Double(y) * scale))
        return String(try await colour(place), radix: 16)
    }

    func bundle(_ id: String) throws -> String {
        let bundle = try AppBundle(in: scratch, id: id)
        let all = ["manifest.json", "app", "monitor"].map(bundle.file)
        try DesktopStarter.give([bundle.path] + all)
        return bundle.path
    }

    func keepPicture(_ name: String) async throws { if Self.pictures != nil { try await picture(name) } }

    fileprivate func hasMenu(_ window: DeskWindow) async throws {
        try await eventually("the menu is open") {
            try window.program.send("menu \(window.number) state")
            guard try window.program.nextLine() == "ok" else { throw NotYet("it is not") }
        }
    }

    func pid(_ service: ServiceName) throws -> Int32 {
        let name = service.rawValue
        let running = ProcessTable.children(of: supervisor.pid).filter {
            ProcFile.link("/proc/\($0)/exe")?.hasSuffix("/\(name)") ?? false
                || ProcFile.text("/proc/\($0)/comm", limit: 64)?.hasPrefix(name) == true
        }
        guard let pid = running.first else { throw NotYet("\(name) has no process") }
        return pid
    }

    func kill(_ service: ServiceName) async throws {
        guard Glibc.kill(try pid(service), SIGKILL) == 0 else { throw NotYet("no \(service) to kill") }
    }

    func isStill(_ window: DeskWindow) -> Bool { isStill(window.program.process.pid, window.folder) }

    func fullscreen(_ window: DeskWindow) async throws {
        try window.program.ask(hasXWayland ? "fullscreen on" : "fullscreen \(window.number) on")
    }

    func end(_ window: DeskWindow) async throws {
        window.program.process.signal(SIGKILL)
        if let folder = window.folder { try ground?.end(folder) }
    }

    /// Opens the menu while the button is down, because a menu at another moment would be refused.
    func openMenu(of window: DeskWindow, _ button: (Bool) async throws -> Void) async throws {
        try await button(true)
        try await eventually("the window has received the press") {
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
        try await button(false)
        try await hasMenu(window)
    }
}

extension SwayHouse: Desk {
    var compositorPid: Int32 { sway.process.pid }

    private func window(_ app: String) -> String { "[\(hasXWayland ? "class" : "app_id")=^\(app)$]" }

    func bring(_ app: String) async throws { try line.command("\(window(app)) focus") }

    func put(_ app: String, _ frame: ScreenRect) async throws {
        let size = "resize set \(frame.width) px \(frame.height) px"
        try line.command(
            "\(window(app)) floating enable, \(size), move position \(frame.x) px \(frame.y) px"
        )
    }

    func minimize(_ app: String) async throws { try line.command("\(window(app)) move scratchpad") }

    func workspace(_ number: Int) async throws { try line.command("workspace number \(number + 1)") }

    func watch(x: Int, y: Int) async throws -> any DeskEye {
        LineEye(program: try eye(x: x, y: y).program)
    }

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

    /// Returns the same hands for a whole test. Without a keyboard no window has the focus.
    fileprivate func handsOfDesk() throws -> LineProgram {
        let hands = try deskHands ?? hands()
        deskHands = hands
        return hands
    }
}

extension GnomeHouse: Desk {
    var compositorPid: Int32 { shell.process.pid }

    func bring(_ app: String) async throws { try await with(app, "activate(global.get_current_time())") }

    func put(_ app: String, _ frame: ScreenRect) async throws {
        try await with(
            app,
            "move_resize_frame(true, \(frame.x), \(frame.y), \(frame.width), \(frame.height))"
        )
    }

    func minimize(_ app: String) async throws { try await with(app, "minimize()") }

    func workspace(_ number: Int) async throws {
        try await shell.evaluate(
            "global.workspace_manager.get_workspace_by_index(\(number)).activate(global.get_current_time()); 1"
        )
    }

    func watch(x: Int, y: Int) async throws -> any DeskEye { try await GnomeEye(shell, x: x, y: y) }

    func type(_ text: String) async throws { try await shell.type(text) }

    func click(x: Int, y: Int) async throws { try await shell.click(x: x, y: y) }

    func wave(_ count: Int, over frame: ScreenRect) async throws {
        try await shell.wave(count, x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }

    func openMenu(of window: DeskWindow) async throws {
        try await openMenu(of: window) { try await self.shell.button(isDown: $0) }
    }

    private func with(_ app: String, _ act: String) async throws {
        try await shell.evaluate(
            "global.get_window_actors().map((a) => a.meta_window).find((w) => w.get_wm_class() === '\(app)').\(act); 1"
        )
    }
}

extension XDisplay {
    func eye(x: Int, y: Int) throws -> LineEye {
        LineEye(
            program: try LineProgram(
                self,
                LineProgram.built("screentime-x11-observer"),
                arguments: "\(x)",
                "\(y)"
            )
        )
    }
}
