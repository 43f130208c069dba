import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport

/// The whole system on a real KWin, which needs no preparation.
final class KwinHouse: WaylandHouse {
    let kwin: Kwin

    private init(
        _ kwin: Kwin,
        options: Options,
        scratch: ScratchDirectory,
        buses: DBusPair,
        logind: LogindMock
    ) throws {
        self.kwin = kwin
        try super.init(on: kwin, options, scratch, buses, logind)
    }

    static func run(
        _ version: Kwin.Version,
        options: Options,
        body: (KwinHouse) async throws -> Void
    ) async throws {
        var options = options
        options.source = "kwin"
        try await run(
            options,
            make: { options, scratch, buses, logind in
                // It contains the sockets of the buses.
                chmod(scratch.path, 0o711)
                let kwin = try await Kwin(
                    version,
                    buses,
                    width: options.width,
                    height: options.height,
                    outputs: options.outputs,
                    scale: options.scale,
                    hasXWayland: options.hasXWayland
                )
                return try KwinHouse(kwin, options: options, scratch: scratch, buses: buses, logind: logind)
            },
            body: body
        )
    }
}

extension KwinHouse: Desk {
    var compositorPid: Int32 { kwin.pid }

    func bring(_ app: String) async throws {
        try await kwin.with(
            app,
            "if (isSix) workspace.activeWindow = window; else workspace.activeClient = window;"
        )
    }

    func put(_ app: String, _ frame: ScreenRect) async throws {
        let words = "x: \(frame.x), y: \(frame.y), width: \(frame.width), height: \(frame.height)"
        try await kwin.with(app, "window.frameGeometry = { \(words) };")
    }

    func minimize(_ app: String) async throws { try await kwin.with(app, "window.minimized = true;") }

    func workspace(_ number: Int) async throws {
        try await kwin.run(
            """
            if (workspace.windowList === undefined) {
              workspace.desktops = 2;
              workspace.currentDesktop = \(number + 1);
            } else {
              if (workspace.desktops.length < 2) workspace.createDesktop(1, "two");
              workspace.currentDesktop = workspace.desktops[\(number)];
            }
            """
        )
    }

    func watch(x: Int, y: Int) async throws -> any DeskEye { try kwin.screen.eye(x: x, y: y) }

    func type(_ text: String) async throws { try kwin.screen.xdotool("type", "--delay", "10", text) }

    func click(x: Int, y: Int) async throws {
        let place = [x, y].map { "\(Int(Double($0) * scale))" }
        try kwin.screen.xdotool("mousemove", "--sync", place[0], place[1], "click", "1")
    }

    func wave(_ count: Int, over frame: ScreenRect) async throws { try kwin.screen.wave(count, over: frame) }

    func openMenu(of window: DeskWindow) async throws {
        try await openMenu(of: window) { try self.kwin.screen.xdotool($0 ? "mousedown" : "mouseup", "1") }
    }
}
