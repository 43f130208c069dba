import Glibc
package import STContracts
package import STPlatform
package import STTestSupport

/// A real sway without a screen, in its own runtime directory. If this process is root, it runs as an ordinary user, because sway
/// refuses root.
///
/// Everything that it starts dies with this process, even after a crash.
package final class Sway: WaylandDesktop {
    package struct Options: Sendable {
        /// Number of monitors, side by side, from `HEADLESS-1` on.
        package var outputs = 1
        package var width = 1280
        package var height = 720
        /// Pixels for one unit, such as 1, 1.5 or 2.
        package var scale = 1.0
        package var hasXWayland = false
        /// Further lines of its configuration.
        package var configuration = ""

        package init() {}
    }

    package let scratch: ScratchDirectory
    package let options: Options
    /// The environment of its clients: `WAYLAND_DISPLAY`, `SWAYSOCK`, `XDG_RUNTIME_DIR`, and `DISPLAY` if it has XWayland.
    package let environment: [String: String]
    package let process: SpawnedProcess
    package let starter: DesktopStarter

    package convenience init(_ configure: (inout Options) -> Void = { _ in }) throws {
        var options = Options()
        configure(&options)
        try self.init(options)
    }

    package init(_ options: Options) throws {
        self.options = options
        let scratch = try ScratchDirectory()
        self.scratch = scratch
        let starter = try DesktopStarter()
        self.starter = starter
        for name in ["runtime", "home"] {
            guard mkdir(scratch.file(name), 0o700) == 0 else { throw SystemError.last("mkdir") }
        }
        try scratch.write(Self.configuration(options), to: "config", mode: 0o644)
        try DesktopStarter.give([scratch.path, scratch.file("runtime"), scratch.file("home")])
        var environment = Self.base(scratch)
        environment["WLR_BACKENDS"] = "headless"
        environment["WLR_RENDERER"] = "pixman"
        environment["WLR_LIBINPUT_NO_DEVICES"] = "1"
        environment["WLR_HEADLESS_OUTPUTS"] = String(options.outputs)
        process = try starter.start(
            "/usr/bin/sway",
            arguments: ["--config", scratch.file("config")],
            environment: environment,
            log: scratch.file("sway.log")
        )
        do {
            var environment = try Self.found(scratch, options)
            if options.hasXWayland {
                environment["DISPLAY"] = try Self.display(starter, scratch: scratch, environment: environment)
            }
            self.environment = environment
        } catch {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 5_000)
            throw error
        }
        try settle()
    }

    deinit { end() }

    /// Ends everything that was started here, then sway. May be called again.
    package func end() {
        starter.endPrograms()
        process.signalGroup(SIGCONT)
        process.signal(SIGTERM)
        if process.wait(deadlineMs: 5_000) == nil {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 5_000)
        }
        scratch.remove()
    }

    /// Kills sway, as a crash does.
    package func kill() {
        process.signalGroup(SIGKILL)
        _ = process.wait(deadlineMs: 5_000)
    }

    // MARK: - Starting

    private static func configuration(_ options: Options) -> String {
        var lines = [
            "output * resolution \(options.width)x\(options.height) scale \(options.scale)",
            "output * bg #203040 solid_color",
            "xwayland \(options.hasXWayland ? "enable" : "disable")",
            // With these bindings tests check that the desktop's own keys still work.
            "bindsym Mod4+j focus next",
            "bindsym Mod4+k focus prev",
            "floating_modifier Mod4",
            "focus_follows_mouse no",
            "mouse_warping none",
            "focus_on_window_activation focus",
        ]
        for index in 0..<options.outputs {
            let left = Int(Double(options.width) / options.scale) * index
            lines.append("output HEADLESS-\(index + 1) position \(left) 0")
        }
        return (lines + [options.configuration, ""]).joined(separator: "\n")
    }

    private static func base(_ scratch: ScratchDirectory) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": scratch.file("home"), "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": scratch.file("runtime"), "XDG_SESSION_TYPE": "wayland",
            "XDG_CURRENT_DESKTOP": "sway",
            // No settings daemon, and no assistive technology unless a test starts it.
            "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1", "GDK_BACKEND": "wayland",
        ]
    }

    /// Returns the sockets, once sway has made them.
    private static func found(_ scratch: ScratchDirectory, _ options: Options) throws -> [String: String] {
        let folder = scratch.file("runtime")
        return try eventuallyBlocking(within: .seconds(60), "sway starts") {
            let names = try DirectoryTree.names(in: folder)
            guard let display = names.first(where: { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }),
                let ipc = names.first(where: { $0.hasPrefix("sway-ipc.") })
            else {
                throw NotYet("no socket yet; it said: \(ScratchDirectory.text(scratch.file("sway.log")))")
            }
            var environment = base(scratch)
            environment["WAYLAND_DISPLAY"] = display
            environment["SWAYSOCK"] = "\(folder)/\(ipc)"
            return environment
        }
    }

    /// Returns the name of the X display, which only sway's children receive.
    private static func display(
        _ starter: DesktopStarter,
        scratch: ScratchDirectory,
        environment: [String: String]
    ) throws -> String {
        let path = scratch.file("home/display")
        return try eventuallyBlocking(within: .seconds(60), "sway has an X display") {
            let words = ["--", "exec", "echo \"$DISPLAY\" > \(path)"]
            let asked = try starter.start("/usr/bin/swaymsg", arguments: words, environment: environment)
            _ = asked.wait(deadlineMs: 5_000)
            guard comesTrue(within: .seconds(2), { ScratchDirectory.text(path).hasPrefix(":") }) else {
                throw NotYet("no display yet")
            }
            return String(ScratchDirectory.text(path).prefix { $0 != "\n" })
        }
    }

    /// Waits until sway answers and has all its monitors.
    private func settle() throws {
        try eventuallyBlocking(within: .seconds(60), "sway answers") {
            let text = try output("/usr/bin/swaymsg", ["-r", "-t", "get_outputs"])
            let missing = (1...options.outputs).filter { !text.contains("\"HEADLESS-\($0)\"") }
            guard missing.isEmpty else { throw NotYet("monitors \(missing) are missing: \(text)") }
        }
    }

    /// Sends one of sway's commands, such as `[app_id=foot] focus`. Throws if sway refuses it.
    package func command(_ words: String) throws {
        try output("/usr/bin/swaymsg", ["--", words])
    }

    /// Returns sway's reply to a message type such as `get_tree`, as JSON.
    package func ask(_ type: String) throws -> JSONValue {
        try JSONValue(text: Array(output("/usr/bin/swaymsg", ["-r", "-t", type]).utf8))
    }

    package func picture(_ name: String) throws -> String { try picture(name, output: nil) }

    /// Takes a picture of one monitor, or of the whole desktop.
    package func picture(_ name: String, output monitor: String?) throws -> String {
        // Use sway's own folder, because grim runs as a user who can write only there.
        let path = scratch.file("home/\(name).png")
        try output("/usr/bin/grim", (monitor.map { ["-o", $0] } ?? []) + [path])
        return path
    }

    /// Types text as a keyboard does.
    package func type(_ text: String) throws {
        // Programs drop keys while they still read the keymap.
        try output("/usr/bin/wtype", ["-s", "200", "-d", "15", "--", text])
    }

    /// Presses one key by its name, with modifiers held down: `press("j", with: ["logo"])`.
    package func press(_ key: String, with modifiers: [String] = []) throws {
        let down = modifiers.flatMap { ["-M", $0] }
        let up = modifiers.reversed().flatMap { ["-m", $0] }
        try output("/usr/bin/wtype", down + ["-k", key] + up)
    }
}
