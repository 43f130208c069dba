import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Wayland displays that fail") struct BadDisplayTests {
    private func code(_ environment: [String: String]) -> String? {
        do {
            let screen = WaylandScreen(environment: environment)
            try screen.start(idleAfterMs: 1_000) { _ in }
            screen.close()
            return nil
        } catch {
            return (error as? Problem)?.code
        }
    }

    /// Returns a socket that accepts and is silent, or that closes immediately.
    private func listener(_ path: String, closes: Bool) throws -> OwnedDescriptor {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8) + [0]) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(number, 8) == 0 else { throw SystemError.last("bind") }
        let owned = OwnedDescriptor(number)
        guard closes else { return owned }
        let thread = try LoopThread(name: "closer")
        thread.post {
            thread.currentWaiter.watch(descriptor: owned.number) {
                let peer = accept(owned.number, nil, nil)
                if peer >= 0 { close(peer) }
            }
        }
        closers.append(thread)
        return owned
    }

    private let closers = Closers()

    @Test("An environment without a reachable Wayland display fails with desktop.no_display")
    func noDisplayIsSaid() throws {
        #expect(code([:]) == "desktop.no_display")
        #expect(code(["WAYLAND_DISPLAY": "wayland-0"]) == "desktop.no_display")
        let folder = try ScratchDirectory()
        let unreachable = ["WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": folder.path]
        #expect(code(unreachable) == "desktop.no_display")
        #expect(code(["WAYLAND_DISPLAY": "/" + String(repeating: "x", count: 300)]) == "desktop.no_display")
        let facts = WaylandScreen.probe(environment: unreachable)
        #expect(!facts.isReachable && facts.problem != nil)
    }

    @Test("A Wayland socket that never answers fails with desktop.display_silent")
    func neverAnswers() throws {
        let folder = try ScratchDirectory()
        let socket = try listener(folder.file("silent"), closes: false)
        let environment = ["WAYLAND_DISPLAY": folder.file("silent")]
        let facts = WaylandScreen.probe(environment: environment)
        #expect(facts.isReachable && !facts.hasAnswered && facts.globals.isEmpty)
        #expect(facts.compositorPid == getpid())
        #expect(code(environment) == "desktop.display_silent")
        _ = socket
    }

    @Test("A Wayland socket that closes immediately fails with desktop.display_silent")
    func closesAtOnce() throws {
        let folder = try ScratchDirectory()
        let socket = try listener(folder.file("rude"), closes: true)
        defer { closers.end() }
        let environment = ["WAYLAND_DISPLAY": folder.file("rude")]
        #expect(!WaylandScreen.probe(environment: environment).hasAnswered)
        #expect(code(environment) == "desktop.display_silent")
        _ = socket
    }

    @Test("A probe of sway finds its process, socket and protocols")
    func factsOfARealOne() throws {
        let sway = try Sway()
        defer { sway.end() }
        let facts = WaylandScreen.probe(environment: sway.environment)
        #expect(facts.hasAnswered && facts.hasSwaySocket)
        #expect(facts.compositorPid == sway.process.pid && facts.compositorProgram == "sway")
        let needed = WaylandScreen.needed + ["zwlr_layer_shell_v1", "org_kde_kwin_idle"]
        #expect(Set(facts.globals.map(\.interface)).isSuperset(of: needed))
    }

    @Test("A compositor that dies is reported as lost")
    func aCompositorThatDiesIsLost() throws {
        let sway = try Sway()
        defer { sway.end() }
        let windows = try sway.window()
        try windows.ask("map one app.one")
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let one = try watched.wait("one")
        watched.screen.perform([CoverTests().order(one.id)])
        #expect(comesTrue { watched.shown(PaneID("cover")) })
        sway.kill()
        #expect(comesTrue { if case .lost? = watched.events.last { true } else { false } })
        #expect(!watched.scene.isKnown && watched.scene.windows.isEmpty)
        watched.screen.perform([CoverTests().order(one.id), .activate(nil)])
    }

    @Test("Without sway's own socket, covers fill whole monitors")
    func withoutSwaysSocketWholeMonitorsAreCovered() throws {
        let sway = try Sway()
        defer { sway.end() }
        let windows = try sway.window()
        let hands = try sway.hands()
        try windows.ask("map one app.one")
        let watched = try Watched(sway, hasSwaySocket: false)
        defer { watched.screen.close() }
        let one = try watched.wait("one")
        #expect(one.pid == nil && one.frame == nil)
        #expect(comesTrue { watched.front == "one" })
        #expect(!watched.scene.abilities.reportsFrames && watched.scene.abilities.covers)
        watched.screen.perform([CoverTests().order(one.id), .holdInput(PaneID("cover"))])
        #expect(comesTrue { try sway.colour(x: 2, y: 2) == CoverTests.plain })
        #expect(comesTrue { watched.held(PaneID("cover")) == true })
        #expect(
            comesTrue {
                try hands.ask("type k")
                return watched.paneEvents(PaneID("cover")).contains(.key(.text("k")))
            }
        )
        #expect(watched.front == "one")
        #expect(try windows.ask("text") == "")
    }
}

final class Closers: @unchecked Sendable {
    // @unchecked: used by one test at a time.
    private var threads: [LoopThread] = []

    func append(_ thread: LoopThread) { threads.append(thread) }

    func end() {
        for thread in threads {
            thread.stop()
            thread.join()
        }
        threads = []
    }
}

@Suite("Acts that wait for the compositor")
struct WaitingActsTests {
    @Test("The queue of waiting acts discards acts beyond its limit, except those that close panes")
    func closing() {
        var waiting = PendingActions()
        waiting.add((0..<PendingActions.actionsMax).map { .holdInput(PaneID("pane:\($0)")) })
        waiting.add([.activate(nil), .closePane(PaneID("one")), .activate(nil), .closePane(PaneID("two"))])

        let acts = waiting.takeAll()

        #expect(acts.count == PendingActions.actionsMax + 2)
        #expect(Array(acts.suffix(2)) == [.closePane(PaneID("one")), .closePane(PaneID("two"))])
        #expect(waiting.takeAll() == [])
    }
}
