import Glibc
import STDBus
import STPlatform
package import STTestSupport
import Synchronization

/// A real KWin on Wayland, as a window on an X server without a screen, so that pointer, keys and pictures are those of X.
package final class Kwin: WaylandDesktop {
    package enum Version: String, Sendable {
        case kwin5 = "bookworm"
        case kwin6 = "trixie"
        /// The newest version in Debian's archive.
        case newest = "sid"
    }

    private static let display = "wayland-kwin"
    private static let deadlineMs: Int64 = 20_000

    package let scratch: ScratchDirectory
    package let environment: [String: String]
    package let starter: DesktopStarter
    package let screen: XDisplay
    private let bus: DBusConnection
    private let scripts = Mutex(0)
    private let begin: @Sendable () throws -> SpawnedProcess
    private let running: Mutex<SpawnedProcess>

    package var pid: Int32 { running.withLock { $0.pid } }

    package init(
        _ version: Version,
        _ buses: DBusPair,
        width: Int,
        height: Int,
        outputs: Int,
        scale: Double,
        hasXWayland: Bool
    ) async throws {
        let root = try await DebianRoot.installed(
            "kwin",
            suite: version.rawValue,
            packages: ["kwin-wayland", "kwin-style-breeze", version == .kwin5 ? "qtwayland5" : "qt6-wayland"]
        )
        scratch = try ScratchDirectory()
        starter = try DesktopStarter()
        for name in ["runtime", "home", "home/settings", "screen"] {
            guard mkdir(scratch.file(name), 0o700) == 0 else { throw SystemError.last("mkdir") }
        }
        // No animations, because they show windows that have already changed.
        try scratch.write("[KDE]\nAnimationDurationFactor=0\n", to: "home/settings/kdeglobals", mode: 0o644)
        // KWin passes the address of its X11 only to programs that it starts.
        try scratch.write(
            "#!/bin/sh\necho \"$DISPLAY $XAUTHORITY\" > \"$HOME/x11\"\n",
            to: "home/started",
            mode: 0o755
        )
        try DesktopStarter.give(
            [scratch.path] + ["runtime", "home", "home/settings"].map(scratch.file)
        )
        screen = try XDisplay(
            scratch,
            width: width * outputs,
            height: height,
            hasWindowManager: false,
            serverOptions: ["-ac"]
        )
        let environment = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": scratch.file("home"),
            "XDG_CONFIG_HOME": scratch.file("home/settings"), "XDG_RUNTIME_DIR": scratch.file("runtime"),
            "XDG_SESSION_TYPE": "wayland", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1",
            "GDK_BACKEND": "wayland", "GSETTINGS_BACKEND": "memory",
        ].merging(buses.environment) { $1 }
        // The packaged program has a capability, so the loader would treat it as another user's program. A copy has none.
        var words = [
            "/bin/sh", "-c", "cp /usr/bin/kwin_wayland \"$0\" && exec \"$0\" \"$@\"",
            scratch.file("home/kwin_wayland"), "--x11-display", screen.name, "--width", "\(width)",
            "--height", "\(height)", "--output-count", "\(outputs)", "--scale",
            "\(version == .kwin5 ? scale : 1)", "--socket", Self.display, "--no-lockscreen",
        ]
        if hasXWayland { words += ["--xwayland", scratch.file("home/started")] }
        let command = root.within(scratch, ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] + words)
        begin = { [starter, scratch] in
            try starter.start(
                command[0],
                arguments: Array(command.dropFirst()),
                environment: environment,
                log: scratch.file("kwin.log"),
                asUser: false
            )
        }
        running = Mutex(try begin())
        self.environment = environment.merging([
            "WAYLAND_DISPLAY": Self.display, "XDG_CURRENT_DESKTOP": "KDE",
        ]) { $1 }
        bus = try DBusConnection(address: buses.session.address)
        try await answers()
        if outputs > 1 { try await arrange(outputs, width) }
        if version != .kwin5, scale != 1 { try await set(scale) }
    }

    package var forX11: [String: String] {
        get async throws {
            try await eventually(within: .seconds(60), "KWin has started its X11") {
                let words = ScratchDirectory.text(scratch.file("home/x11")).split(
                    whereSeparator: \.isWhitespace
                )
                guard let display = words.first else { throw NotYet(log) }
                return [
                    "DISPLAY": String(display), "XAUTHORITY": words.dropFirst().first.map(String.init) ?? "",
                ]
            }
        }
    }

    /// Sets the scale, as a person does. KWin 6 reads it only from its own file.
    private func set(_ scale: Double) async throws {
        let path = scratch.file("home/settings/kwinoutputconfig.json")
        let text = try await eventually("KWin has written its output settings") {
            let text = ScratchDirectory.text(path)
            guard text.contains("\"scale\": 1,") else { throw NotYet(text) }
            return text
        }
        try AtomicFile.write(
            Array(text.replacing("\"scale\": 1,", with: "\"scale\": \(scale),").utf8),
            to: path,
            mode: 0o644
        )
        try DesktopStarter.give([path])
        try await crash()
    }

    /// Places the outputs side by side. They are windows without a window manager, on top of each other at first.
    private func arrange(_ outputs: Int, _ width: Int) async throws {
        try await eventually(within: .seconds(20), "its outputs are side by side") {
            let lines = try screen.run("xwininfo", "-root", "-tree").split(separator: "\n")
            let names = lines.filter { $0.contains("KDE Wayland") }.compactMap {
                $0.split(separator: " ").first
            }
            guard names.count == outputs else { throw NotYet("\(lines)") }
            for (index, name) in names.sorted().enumerated() {
                try screen.xdotool("windowmove", String(name), "\(width * index)", "0")
            }
        }
    }

    private func answers() async throws {
        try await eventually(within: .seconds(120), "KWin answers") {
            if let ending = running.withLock({ $0.reap() }) {
                throw NotYet("it has ended: \(ending); \(log)")
            }
            try await run("1;")
        }
    }

    /// Kills KWin and starts it again, as a KDE session does. Its programs have lost their windows.
    package func crash() async throws {
        try running.withLock {
            $0.signalGroup(SIGKILL)
            _ = $0.wait(deadlineMs: 5_000)
            $0 = try begin()
        }
        try await answers()
    }

    deinit { end() }

    package func end() {
        starter.endPrograms()
        running.withLock {
            $0.signalGroup(SIGKILL)
            _ = $0.wait(deadlineMs: 5_000)
        }
        screen.stop()
        bus.closeWithoutFlush()
        scratch.remove()
    }

    /// KWin's output.
    package var log: String { ScratchDirectory.text(scratch.file("kwin.log")) }

    /// Runs JavaScript in KWin once.
    package func run(_ script: String) async throws {
        let number = scripts.withLock { number in
            number += 1
            return number
        }
        try scratch.write(script, to: "home/test-\(number).js", mode: 0o644)
        let words: [DBusValue] = [.string(scratch.file("home/test-\(number).js")), .string("test-\(number)")]
        guard let loaded = try await ask("loadScript", words).first?.number, loaded >= 0 else {
            throw NotYet("not loaded")
        }
        _ = try await ask("start")
        _ = try await ask("unloadScript", [.string("test-\(number - 8)")])
    }

    /// Runs JavaScript in which `window` is the first window of an app.
    package func with(_ app: String, _ act: String) async throws {
        try await run(
            """
            const isSix = workspace.windowList !== undefined;
            const window = (isSix ? workspace.windowList() : workspace.clientList()).find((w) => String(w.resourceClass) === "\(app)");
            \(act)
            """
        )
    }

    /// Returns true if KWin runs this project's script. Any program of the account can remove it.
    package func hasOurs() async throws -> Bool {
        try await ask("isScriptLoaded", [.string("screentime")]).first?.flag == true
    }

    package func takeOursOut() async throws { _ = try await ask("unloadScript", [.string("screentime")]) }

    private func ask(_ member: String, _ words: [DBusValue] = []) async throws -> [DBusValue] {
        let call = DBusCall(
            "org.kde.KWin",
            path: "/Scripting",
            interface: "org.kde.kwin.Scripting",
            member: member,
            arguments: words
        )
        return try await bus.call(call, withinMs: Self.deadlineMs)
    }

    package func picture(_ name: String) async throws -> String {
        let path = scratch.file("home/\(name).png")
        try screen.picture(path)
        return path
    }
}
