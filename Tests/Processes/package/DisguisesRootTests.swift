import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// A child disguises programs on a protected computer.
@Suite(
    "Disguised programs of a child",
    .serialized,
    .enabled(if: Machine.isWanted, "needs root: starts a Debian with systemd in namespaces")
)
struct DisguisesRootTests {
    private struct Disguise {
        var name: String
        /// A shell script that opens the window. It runs in the child's account.
        var script: String
        /// The apps for which the window's usage may count.
        var apps: Set<String>

        init(_ name: String, script: String, apps: String...) {
            self.name = name
            self.script = script
            self.apps = Set(apps)
        }
    }

    private static let mousepad = "org.xfce.mousepad"
    private static let unknown = UsageObserve.unknownProgram
    /// A Python script that opens a window. All Python scripts share one executable.
    private static let window = """
        import ctypes
        gtk = ctypes.CDLL("libgtk-3.so.0")
        gtk.gtk_init(None, None)
        gtk.gtk_window_new.restype = ctypes.c_void_p
        gtk.gtk_widget_show_all(ctypes.c_void_p(gtk.gtk_window_new(0)))
        gtk.gtk_main()
        """

    private static let x11 =
        "export GDK_BACKEND=x11 DISPLAY=${DISPLAY:-:0} XAUTHORITY=$(ls $XDG_RUNTIME_DIR/.mutter-Xwaylandauth.* $XDG_RUNTIME_DIR/xauth_*)"

    private static let disguises = [
        Disguise("an installed program without disguise", script: "exec mousepad", apps: mousepad),
        Disguise("a renamed copy", script: "cp /usr/bin/mousepad ~/notes; exec ~/notes", apps: mousepad),
        Disguise("a symbolic link", script: "ln -sf /usr/bin/mousepad ~/sums; exec ~/sums", apps: mousepad),
        Disguise("another name as its first argument", script: "exec -a xterm mousepad", apps: mousepad),
        Disguise("another window class", script: "exec mousepad --class=XTerm --name=xterm", apps: mousepad),
        Disguise(
            "a changed copy",
            script: "cp /usr/bin/mousepad ~/more; echo >> ~/more; exec ~/more",
            apps: unknown
        ),
        Disguise(
            "the dynamic loader",
            script: "exec /lib64/ld-linux-x86-64.so.2 /usr/bin/mousepad",
            apps: unknown
        ),
        Disguise(
            "a file in memory",
            script: """
                exec python3 -c 'import os
                file = os.memfd_create("xterm")
                os.write(file, open("/usr/bin/mousepad", "rb").read() + b"x")
                os.execve(file, ["xterm"], os.environ)'
                """,
            apps: unknown
        ),
        Disguise(
            "a changed copy that is deleted while it runs",
            script: "cp /usr/bin/mousepad ~/gone; echo >> ~/gone; (sleep 1; rm ~/gone) & exec ~/gone",
            apps: unknown
        ),
        Disguise(
            "a script",
            script: "printf %s \"$WINDOW\" > ~/game.py; exec python3 ~/game.py",
            apps: unknown
        ),
        Disguise("a script as an argument", script: "exec python3 -c \"$WINDOW\"", apps: unknown),
        Disguise("a script on standard input", script: "exec python3 <<< \"$WINDOW\"", apps: unknown),
        Disguise("a container", script: "exec bwrap --dev-bind / / --unshare-pid mousepad", apps: mousepad),
        Disguise(
            "the path of another program, in a mount namespace",
            script:
                "exec unshare --user --map-root-user --mount sh -c 'mount --bind /usr/bin/mousepad /usr/bin/xterm; exec xterm'",
            apps: mousepad,
            unknown
        ),
        Disguise(
            "a changed copy at the path of a program, in a mount namespace",
            script: """
                cp /usr/bin/mousepad ~/over; echo >> ~/over
                exec unshare --user --map-root-user --mount sh -c 'mount --bind ~/over /usr/bin/xterm; exec xterm'
                """,
            apps: unknown
        ),
        Disguise(
            "an unpacked AppImage",
            script: """
                mkdir -p ~/squashfs-root/usr/bin; cp /usr/bin/mousepad ~/squashfs-root/usr/bin/
                exec ~/squashfs-root/usr/bin/mousepad
                """,
            apps: mousepad
        ),
        Disguise("a window of X11", script: "\(x11); exec mousepad", apps: mousepad),
        Disguise(
            "the process id of another program, as a property of an X11 window",
            script: """
                \(x11)
                sleep 1000 &
                other=$!
                mousepad &
                until id=$(xdotool search --onlyvisible --class mousepad | tail -1) && [ "$id" ]; do sleep 0.1; done
                xprop -id $id -f _NET_WM_PID 32c -set _NET_WM_PID $other
                wait
                """,
            apps: mousepad
        ),
    ]

    private static let desktops:
        [(name: String, desktop: Machine.Desktop, adapter: String, packages: [String])] = [
            ("x11", .openbox(9), "x11", []), ("sway", .sway, "wlroots", []),
            ("gnome", .gnome, "gnome", PackageRootTests.gnome),
            ("kwin", .kwin, "kwin", PackageRootTests.kwin),
        ]
    /// The desktops to test, separated by commas. `SCREENTIME_DESKS` overrides this list.
    private static let names =
        ProcessEnvironment.current()["SCREENTIME_DESKS"]
        ?? (TestScale.isSoak ? "x11,sway,gnome,kwin" : "sway")

    @Test(
        "A disguised program counts as the program that it runs, or as Unknown program",
        arguments: names.split(separator: ",")
    )
    func count(on name: Substring) async throws {
        let (_, desktop, adapter, packages) = try #require(Self.desktops.first { $0.name == name })
        let named = packages.isEmpty ? "machine" : "machine-\(name)"
        try await Machine.run(PackageRootTests.desktop + packages, named: named) { machine in
            try await ProtectRootTests.ready(machine)
            try await machine.logIn("ben", to: desktop)
            try await ProtectRootTests.isSeen(machine, by: adapter)
            let every = TestScale.isSoak ? 1 : 3
            for disguise in stride(from: 0, to: Self.disguises.count, by: every).map({ Self.disguises[$0] }) {
                do {
                    print("\(name): \(disguise.name): \(try await Self.measure(disguise, machine))")
                } catch {
                    Issue.record("\(name): \(disguise.name): \(error)")
                }
            }
        }
    }

    /// Runs a disguised program for some seconds, and compares the ledger with the true time.
    private static func measure(_ disguise: Disguise, _ machine: Machine) async throws -> String {
        try machine.run("cat > /tmp/disguise <<'TEXT'\n\(disguise.script)\nTEXT\nchmod 644 /tmp/disguise")
        try machine.run(
            """
            systemd-run --user --quiet --collect --unit disguise --setenv DISPLAY=$DISPLAY \
                --setenv WAYLAND_DISPLAY=$WAYLAND_DISPLAY --setenv GDK_BACKEND=${GDK_BACKEND:-x11} \
                --setenv WINDOW='\(window)' bash /tmp/disguise
            """,
            as: "ben"
        )
        defer { _ = try? machine.run("systemctl --user stop disguise", as: "ben") }
        func call<R: Route>(_ route: R.Type, _ request: R.Request) throws -> R.Reply {
            let body = String(decoding: try request.encodedBody(), as: UTF8.self)
            let text = try machine.run("screentime bus call \(R.name) '\(body)'", as: "ben")
            return try R.Reply.decodedBody(Array(text.utf8))
        }
        let app = try await eventually(within: .seconds(30), "a window is in the foreground") {
            let status = try call(DesktopStatus.self, Empty())
            guard let app = status.app, status.presence == .active else { throw NotYet("\(status)") }
            return app
        }
        try machine.run("sleep 1")
        let fromWallMs = Int64(time(nil)) * 1_000
        let fromMs = Stopwatch.bootMilliseconds()
        try machine.run("sleep \(TestScale.isSoak ? 10 : 3)")
        let toMs = Stopwatch.bootMilliseconds()
        func sum(_ rows: [Segment], _ isIncluded: (Segment) -> Bool) -> Int64 {
            rows.filter(isIncluded).reduce(0) {
                $0 + max(0, min($1.endBootMs, toMs) - max($1.startBootMs, fromMs))
            }
        }
        let rows = try await eventually(within: .seconds(20), "the ledger has that time") {
            let rows =
                try call(UsageNow.self, Empty()).open
                + call(UsageList.self, .init(fromWallMs: fromWallMs)).rows
            guard rows.contains(where: { $0.endBootMs >= toMs }) else { throw NotYet("\(rows)") }
            return rows
        }
        let counted = sum(rows) { $0.presence == .active && disguise.apps.contains($0.app ?? "") }
        let wrong = sum(rows) { $0.presence == .active && !disguise.apps.contains($0.app ?? "") }
        let unobserved = sum(rows) { $0.presence == .unobserved }
        let text =
            "counted \(counted) ms as \(app), for other apps \(wrong) ms, unobserved \(unobserved) ms, true time \(toMs - fromMs) ms"
        guard wrong == 0, abs(counted + unobserved - (toMs - fromMs)) <= 1_000 else {
            throw NotYet("\(text): \(rows)")
        }
        return text
    }
}
