import Glibc
import STDBus
package import STPlatform
package import STTestSupport

/// A real GNOME Shell without a screen, with this project's extension as installed by the command, on the test's own buses.
///
/// Debian's packages of it would change this machine. They are therefore in a separate folder below `.build`, which is the root
/// folder for the Shell. Its clients run outside.
package final class GnomeShell: WaylandDesktop {
    package enum Version: String, Sendable {
        case gnome43 = "bookworm"
        case gnome48 = "trixie"
        /// The newest version in Debian's archive.
        case newest = "sid"
    }

    private static let display = "wayland-gnome"
    private static let shell = "org.gnome.Shell"
    private static let deadlineMs: Int64 = 20_000

    package let scratch: ScratchDirectory
    package let environment: [String: String]
    package let starter: DesktopStarter
    package let process: SpawnedProcess
    private let bus: DBusConnection

    /// `screentime` is the path of the command. Each of `monitors` is a size in pixels, such as 1280x720.
    package init(
        _ version: Version,
        _ buses: DBusPair,
        screentime: String,
        monitors: [String],
        scale: Double
    ) async throws {
        let root = try await DebianRoot.installed(
            "gnome",
            suite: version.rawValue,
            packages: [
                "gnome-shell", "dconf-gsettings-backend", "adwaita-icon-theme", "librsvg2-common", "xwayland",
            ]
        )
        scratch = try ScratchDirectory()
        starter = try DesktopStarter()
        let folders = [
            "runtime", "home", "home/settings", "home/settings/glib-2.0", "home/settings/glib-2.0/settings",
        ].map(scratch.file)
        for folder in folders {
            guard mkdir(folder, 0o700) == 0 else { throw SystemError.last("mkdir") }
        }
        let environment = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": scratch.file("home"),
            "XDG_CONFIG_HOME": scratch.file("home/settings"), "XDG_RUNTIME_DIR": scratch.file("runtime"),
            "XDG_SESSION_TYPE": "wayland", "XDG_CURRENT_DESKTOP": "GNOME", "GSETTINGS_BACKEND": "keyfile",
            "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1", "GDK_BACKEND": "wayland",
        ].merging(buses.environment) { $1 }
        try Self.enable(
            screentime,
            root: root,
            scratch: scratch,
            starter: starter,
            environment: environment,
            folders: folders
        )
        var words = [
            "/usr/bin/setpriv", "--pdeathsig", "KILL", "--", "/usr/bin/gnome-shell", "--headless",
            "--wayland",
            "--unsafe-mode", "--wayland-display", Self.display,
        ]
        words += monitors.flatMap { ["--virtual-monitor", $0] }
        let command = root.within(scratch, words)
        process = try starter.start(
            command[0],
            arguments: Array(command.dropFirst()),
            environment: environment,
            log: scratch.file("shell.log"),
            asUser: false
        )
        self.environment = environment.merging(["WAYLAND_DISPLAY": Self.display]) { $1 }
        bus = try DBusConnection(address: buses.session.address)
        try await settle()
        if scale != 1 { try await set(scale) }
    }

    /// Sets the scale of all monitors, side by side, as a person does in the settings.
    private func set(_ scale: Double) async throws {
        try await evaluate(
            """
            const name = "org.gnome.Mutter.DisplayConfig";
            const call = (method, words, then) => imports.gi.Gio.DBus.session.call(
              name, "/org/gnome/Mutter/DisplayConfig", name, method, words, null, 0, 5000, null,
              (bus, reply) => then(bus.call_finish(reply).recursiveUnpack()));
            call("GetCurrentState", null, ([serial, monitors]) => {
              let x = 0;
              const all = monitors.map(([[connector], [[mode, width]]], index) => {
                const monitor = [x, 0, \(scale), 0, index === 0, [[connector, mode, {}]]];
                x += width / \(scale);
                return monitor;
              });
              const words = new imports.gi.GLib.Variant("(uua(iiduba(ssa{sv}))a{sv})", [serial, 1, all, {}]);
              call("ApplyMonitorsConfig", words, () => {});
            });
            1
            """
        )
        try await eventually(within: .seconds(20), "the scale is \(scale)") {
            let now = try await evaluate("global.display.get_monitor_scale(0)")
            guard Double(now) == scale else { throw NotYet("it is \(now); \(log)") }
        }
    }

    deinit { end() }

    package func end() {
        starter.endPrograms()
        process.signalGroup(SIGKILL)
        _ = process.wait(deadlineMs: 5_000)
        bus.closeWithoutFlush()
        scratch.remove()
    }

    /// Kills the Shell, as a crash does.
    package func kill() {
        process.signalGroup(SIGKILL)
        _ = process.wait(deadlineMs: 5_000)
    }

    // MARK: - Starting

    /// The Shell's output.
    package var log: String { ScratchDirectory.text(scratch.file("shell.log")) }

    /// Waits for the start, and hides the overview with which a session begins.
    private func settle() async throws {
        try await eventually(within: .seconds(120), "GNOME Shell answers") {
            if let ending = process.reap() { throw NotYet("it has ended: \(ending); \(log)") }
            // If it is hidden while it still opens, half of it stays.
            _ = try await evaluate("if (!Main.layoutManager._startingUp) Main.overview.hide()")
            let isBusy = "Main.layoutManager._startingUp || Main.overview.visible || Main.modalCount > 0"
            guard try await evaluate(isBusy) == "false" else { throw NotYet("its start is not over") }
            // Programs drop the first keys of a new keyboard.
            try await evaluate("\(Self.devices) 1")
        }
    }

    /// Enables the extension with the command, as a person does.
    private static func enable(
        _ screentime: String,
        root: DebianRoot,
        scratch: ScratchDirectory,
        starter: DesktopStarter,
        environment: [String: String],
        folders: [String]
    ) throws {
        // The desktop's programs that the command calls, from the other root folder.
        let programs = scratch.file("programs")
        guard mkdir(programs, 0o755) == 0 else { throw SystemError.last("mkdir") }
        for name in ["gsettings", "gnome-shell"] {
            let words = root.within(scratch, ["/usr/bin/" + name]).map { "'\($0)'" }.joined(
                separator: " "
            )
            try scratch.write("#!/bin/sh\nexec \(words) \"$@\"\n", to: "programs/\(name)", mode: 0o755)
        }
        // No welcome dialog, and no hot corner with which a test's pointer would open the overview.
        try scratch.write(
            """
            [org/gnome/shell]
            welcome-dialog-last-shown-version='99'
            [org/gnome/desktop/interface]
            enable-hot-corners=false
            [org/gnome/mutter]
            experimental-features=['scale-monitor-framebuffer']

            """,
            to: "home/settings/glib-2.0/settings/keyfile",
            mode: 0o600
        )
        try DesktopStarter.give(
            [scratch.path, scratch.file("home/settings/glib-2.0/settings/keyfile")] + folders
        )
        let install = try starter.start(
            screentime,
            arguments: ["desktop", "enable", "gnome"],
            environment: environment.merging(["PATH": programs + ":/usr/bin:/bin"]) { $1 },
            log: scratch.file("enable.log"),
            asUser: false
        )
        guard install.wait(deadlineMs: 60_000) == .exited(0) else {
            throw NotYet("not installed: \(ScratchDirectory.text(scratch.file("enable.log")))")
        }
        let give = SpawnPlan(
            executable: "/bin/chown",
            arguments: ["-R", "\(DesktopStarter.user)", scratch.file("home")]
        )
        _ = try SpawnedProcess(give).wait(deadlineMs: 20_000)
    }

    // MARK: - What a person does

    /// Runs JavaScript in the Shell, and returns the result as JSON.
    @discardableResult
    package func evaluate(_ script: String) async throws -> String {
        let call = DBusCall(
            Self.shell,
            path: "/org/gnome/Shell",
            interface: Self.shell,
            member: "Eval",
            arguments: [.string(script)]
        )
        let reply = try await bus.call(call, withinMs: Self.deadlineMs)
        let text = reply.dropFirst().first?.text ?? ""
        guard reply.first?.flag == true else { throw NotYet("\(script): \(text)") }
        return text
    }

    package var forX11: [String: String] {
        get async throws {
            var found: [String: String] = [:]
            for name in ["DISPLAY", "XAUTHORITY"] {
                let text = try await evaluate("imports.gi.GLib.getenv('\(name)')")
                found[name] = text.filter { $0 != "\"" }
            }
            return found
        }
    }

    private static let devices = """
        const { Clutter } = imports.gi;
        const backend = Clutter.get_default_backend?.() ?? global.stage.context.get_backend();
        const seat = backend.get_default_seat();
        globalThis.testHands ??= {
          pointer: seat.create_virtual_device(Clutter.InputDeviceType.POINTER_DEVICE),
          keyboard: seat.create_virtual_device(Clutter.InputDeviceType.KEYBOARD_DEVICE),
        };
        const { pointer, keyboard } = globalThis.testHands;
        const now = () => imports.gi.GLib.get_monotonic_time();
        """

    package func move(x: Int, y: Int) async throws {
        try await evaluate("\(Self.devices) pointer.notify_absolute_motion(now(), \(x), \(y)); 1")
    }

    package func click(x: Int, y: Int) async throws {
        try await move(x: x, y: y)
        for isDown in [true, false] { try await button(isDown: isDown) }
    }

    package func button(isDown: Bool) async throws {
        let state = isDown ? "PRESSED" : "RELEASED"
        try await evaluate(
            "\(Self.devices) pointer.notify_button(now(), Clutter.BUTTON_PRIMARY, Clutter.ButtonState.\(state)); 1"
        )
    }

    package func type(_ text: String) async throws {
        for character in text.unicodeScalars {
            for state in ["PRESSED", "RELEASED"] {
                try await evaluate(
                    "\(Self.devices) keyboard.notify_keyval(now(), Clutter.unicode_to_keysym(\(character.value)), Clutter.KeyState.\(state)); 1"
                )
            }
        }
    }

    /// Moves the pointer to and fro. A frame is drawn now and then, as with a hand.
    package func wave(_ count: Int, x: Int, y: Int, width: Int, height: Int) async throws {
        for start in stride(from: 0, to: count, by: 50) {
            try await evaluate(
                """
                \(Self.devices)
                for (let i = \(start); i < \(min(count, start + 50)); i++)
                  pointer.notify_absolute_motion(now(), \(x) + i % \(width), \(y) + (i * 7) % \(height));
                1
                """
            )
        }
    }

    package func picture(_ name: String) async throws -> String {
        let path = scratch.file("home/\(name).png")
        let interface = "\(Self.shell).Screenshot"
        let call = DBusCall(
            interface,
            path: "/org/gnome/Shell/Screenshot",
            interface: interface,
            member: "Screenshot",
            arguments: [.bool(false), .bool(false), .string(path)]
        )
        guard try await bus.call(call, withinMs: Self.deadlineMs).first?.flag == true else {
            throw NotYet("no picture")
        }
        return path
    }
}
