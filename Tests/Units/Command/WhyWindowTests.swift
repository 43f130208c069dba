import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("why window:")
struct WhyWindowTests {
    private static let window = WindowView(
        window: "x11:0x1a00003",
        title: "Home\u{1B}[2J",
        app: "firefox-esr",
        name: "Firefox",
        clue: .windowClass,
        steps: [
            Message(verbatim: "The entry “firefox-esr” starts its process."),
            Message(verbatim: "So it is “firefox-esr”: because."),
        ],
        pid: 4242,
        isInFront: true,
        isShown: true
    )

    private struct House: Sendable {
        var status = DesktopStatus.Reply(
            source: "x11",
            reason: Message(verbatim: "There is a display."),
            seen: 1,
            waiting: 0,
            member: "kid"
        )
        var windows: [WindowView] = [WhyWindowTests.window]
        var shields = DesktopShields.Reply(shields: [], escalation: .pause)
        var hasShieldService = true
    }

    private func run(_ house: House, _ line: [String], desktop: Bool = true) async throws -> (
        ExitCode, CommandOutput, String?
    ) {
        let scratch = try ScratchDirectory()
        let asked = Mutex<String?>(nil)
        var services: [FakeService] = []
        for name in (desktop ? [ServiceName.desktop] : [])
            + (house.hasShieldService ? [.shield, .activity] : [])
        {
            let service = try FakeService(name) { route, body in
                switch route {
                case DesktopStatus.name: return try house.status.encodedBody()
                case DesktopShields.name: return try house.shields.encodedBody()
                case DesktopWindows.name:
                    let wanted = try DesktopWindows.Request.decodedBody(body).window
                    let found = house.windows.filter {
                        wanted == "front" ? $0.isInFront : $0.window == wanted
                    }
                    guard !found.isEmpty else {
                        throw Problem(
                            "window.not_found",
                            verbatim: "There is no window \(wanted ?? "") on the screen."
                        )
                    }
                    return try DesktopWindows.Reply(windows: found).encodedBody()
                case ShieldExplain.name:
                    let request = try ShieldExplain.Request.decodedBody(body)
                    asked.withLock { $0 = "\(request.member ?? "?") \(request.subject.app ?? "?")" }
                    return try Self.explained.encodedBody()
                case ActivityExplain.name: return try ActivityExplain.Reply(activities: []).encodedBody()
                default: throw Problem("route.unknown", "No.")
                }
            }
            try await service.start(Directories(run: scratch.path, state: scratch.path, config: scratch.path))
            services.append(service)
        }
        let (code, output) = await CommandOutput.run(line, in: scratch.path)
        for service in services { await service.stop() }
        return (code, output, asked.withLock { $0 })
    }

    private static var explained: ShieldExplain.Reply {
        ShieldExplain.Reply(
            member: "kid",
            policy: 3,
            wallMs: 0,
            category: "utilities",
            decision: ShieldDecisionBody(isShielded: false, causes: [], isAlwaysAllowed: false),
            causes: [],
            lifts: [],
            sinceWallMs: 0
        )
    }

    @Test("`why window:` prints the app, how it was identified, its shield state and the effect of a shield")
    func told() async throws {
        let (code, output, asked) = try await run(House(), ["why", "window:front"])

        #expect(code == .done, "\(output.error)")
        let text = output.standard
        #expect(text.hasPrefix("x11:0x1a00003 “Home·[2J” belongs to Firefox (firefox-esr).\n  The entry"))
        #expect(text.contains("It is in the foreground, process 4242."))
        #expect(text.contains("A shield would cover it and pause it."))
        #expect(text.contains("Firefox is not shielded: no rule and no app shields it."))
        #expect(asked == "kid firefox-esr")
    }

    @Test("`why window:` prints the current shield and why the app is not paused")
    func shielded() async throws {
        var house = House()
        house.windows[0].neverPaused = Message(
            verbatim: "It is a terminal: the programs in it would stop too."
        )
        house.shields.shields = [
            ScreenShield(
                app: "firefox-esr",
                stage: .covered,
                windows: ["x11:0x1a00003"],
                notPaused: Message(verbatim: "It is a terminal."),
                steps: [.init(wallMs: 0, text: Message(verbatim: "covered"))]
            )
        ]
        let (_, output, _) = try await run(house, ["why", "window:x11:0x1a00003", "--member", "kid"])
        // It shows what was done, and not what would be done.
        #expect(output.standard.contains("On the screen: covered, not paused: It is a terminal."))
    }

    @Test("`why window:front --json` prints the clue and the escalation")
    func json() async throws {
        let (code, output, _) = try await run(House(), ["why", "window:front", "--json"])
        #expect(code == .done)
        #expect(
            output.standard.contains("\"clue\": \"window_class\"")
                && output.standard.contains("\"escalation\": \"pause\"")
        )
    }

    @Test("`why window:` works without shield-service and reports that it is not running")
    func noShield() async throws {
        var house = House()
        house.hasShieldService = false
        let (code, output, _) = try await run(house, ["why", "window:front"])
        #expect(code == .done)
        #expect(
            output.standard.contains(
                "Screen Time cannot determine whether it is shielded. "
                    + "Either Screen Time or its shield-service is not running."
            )
        )
    }

    @Test("`why window:` reports that a window does not belong to an app")
    func noApp() async throws {
        var house = House()
        house.windows = [
            WindowView(
                window: "wl:3",
                steps: [Message(verbatim: "It is a part of the desktop itself.")],
                isInFront: true,
                isShown: true
            )
        ]
        let (code, output, asked) = try await run(house, ["why", "window:front"])
        #expect(code == .done && output.standard.hasPrefix("wl:3 does not belong to an app.") && asked == nil)
    }

    @Test("`why window:` fails with a message for an unobserved desktop, no agent, or an invalid window")
    func refused() async throws {
        var blind = House()
        blind.status.isBlind = true
        blind.status.wayOut = Message(verbatim: "Log in to an X11 session.")
        let (code, output, _) = try await run(blind, ["why", "window:front"])
        #expect(
            code == .no
                && output.error.contains(
                    "Screen Time cannot see anything on this screen. There is a display."
                )
        )
        let (off, told, _) = try await run(House(), ["why", "window:front"], desktop: false)
        #expect(off == .notRunning && told.error.contains("the screen is not observed"))
        let (none, missing, _) = try await run(House(), ["why", "window:x11:0x9"])
        #expect(none == .no && missing.error.contains("There is no window x11:0x9"))
        for id in ["", "3", "x12:3", "x11:", "wl:a b", "x11:" + String(repeating: "1", count: 80)] {
            let (bad, why, _) = try await run(House(), ["why", "window:" + id])
            #expect(bad == .usage && why.error.contains("is not a window"), "\(id)")
        }
        let (at, why, _) = try await run(House(), ["why", "window:front", "--at", "17:00"])
        #expect(at == .usage && why.error.contains("--at cannot be combined with a window"))
    }
}
