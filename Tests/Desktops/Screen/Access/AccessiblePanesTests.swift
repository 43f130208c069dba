import Glibc
import STDBus
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Synchronization
import Testing

@Suite(
    "Shields in assistive technology",
    .enabled(if: AccessibilityGround.isAvailable, "needs at-spi2-core, gir1.2-atspi-2.0")
)
struct AccessiblePanesTests {
    private static let shield = AccessiblePane(
        id: PaneID("shield-1"),
        title: "시간이 다 되었습니다",
        subtitle: "You have used Films for 1 h today.",
        frame: ScreenRect(x: 100, y: 50, width: 800, height: 600),
        spots: [
            AccessibleSpot(
                id: "primary",
                name: "OK",
                frame: ScreenRect(x: 400, y: 500, width: 120, height: 40)
            ),
            AccessibleSpot(
                id: "more",
                name: "Ask for more time",
                frame: ScreenRect(x: 400, y: 550, width: 120, height: 40)
            ),
        ]
    )

    private final class Presses: Sendable {
        let list = Mutex<[String]>([])
    }

    private func run(
        isEnabled: Bool = true,
        _ body: (AccessiblePanes, AccessibilityGround, SessionBus, Presses) async throws -> Void
    ) async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let bus = try SessionBus(scratch)
        defer { bus.stop() }
        let ground = try AccessibilityGround(bus, scratch, isEnabled: isEnabled)
        defer { ground.stop() }
        let loop = try LoopThread(name: "panes")
        let presses = Presses()
        let panes = AccessiblePanes(thread: loop, sessionBus: bus.address) { pane, spot in
            presses.list.withLock { $0.append("\(pane) \(spot)") }
        }
        do {
            try await body(panes, ground, bus, presses)
        } catch {
            await panes.closeAll()
            loop.stop()
            loop.join()
            throw error
        }
        await panes.closeAll()
        loop.stop()
        loop.join()
    }

    private func reads(_ ground: AccessibilityGround, _ lines: [String]) async throws {
        try await eventually(within: .seconds(60), "the tree is \(lines)") {
            let tree = try ground.tree().split(separator: "\n").map(String.init)
            guard tree == lines else { throw NotYet("\(tree)") }
        }
    }

    private static let application = "application|Screen Time||SENSITIVE SHOWING|"
    private static func dialog(_ states: String) -> String {
        "  dialog|시간이 다 되었습니다|You have used Films for 1 h today.|\(states)|100,50 800x600"
    }

    @Test(
        "Assistive technology finds a shield's texts, buttons and focus, presses buttons, and sees it close"
    )
    func story() async throws {
        try await run { panes, ground, _, presses in
            #expect(try ground.tree().isEmpty)
            panes.show(Self.shield)
            try await reads(
                ground,
                [
                    Self.application, Self.dialog("SENSITIVE SHOWING"),
                    "    push button|OK||FOCUSABLE SENSITIVE SHOWING|400,500 120x40",
                    "    push button|Ask for more time||FOCUSABLE SENSITIVE SHOWING|400,550 120x40",
                ]
            )
            panes.focus(Self.shield.id, "more")
            try await reads(
                ground,
                [
                    Self.application, Self.dialog("ACTIVE SENSITIVE SHOWING"),
                    "    push button|OK||FOCUSABLE SENSITIVE SHOWING|400,500 120x40",
                    "    push button|Ask for more time||FOCUSED FOCUSABLE SENSITIVE SHOWING|400,550 120x40",
                ]
            )
            #expect(try ground.press("Ask for more time") == "True\n")
            #expect(presses.list.withLock { $0 } == ["shield-1 more"])
            panes.close(Self.shield.id)
            try await reads(ground, [])
        }
    }

    @Test(
        "Assistive technology that starts after the shield finds it, even if the bus appears later",
        arguments: [true, false]
    )
    func afterwards(hasBus: Bool) async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let bus = try SessionBus(scratch)
        defer { bus.stop() }
        let loop = try LoopThread(name: "panes")
        defer {
            loop.stop()
            loop.join()
        }
        let later = scratch.file("later")
        let address = hasBus ? bus.address : "unix:path=" + later
        let panes = AccessiblePanes(thread: loop, sessionBus: address) { _, _ in }
        panes.show(Self.shield)
        try await Task.sleep(for: .milliseconds(200))
        #expect(symlink(String(bus.address.dropFirst("unix:path=".count)), later) == 0)
        let ground = try AccessibilityGround(bus, scratch, isEnabled: true)
        defer { ground.stop() }
        try await eventually(within: .seconds(60), "the shield is in the tree") {
            let tree = try ground.tree()
            guard tree.contains("dialog|\(Self.shield.title)|") else { throw NotYet(tree) }
        }
        await panes.closeAll()
    }

    @Test("Assistive technology receives an event for every change of a shield")
    func events() async throws {
        try await run { panes, ground, _, _ in
            let (listener, path) = try ground.listen()
            defer {
                listener.signal(SIGKILL)
                _ = listener.wait(deadlineMs: 5_000)
            }
            try await eventually(within: .seconds(60), "the listener is ready") {
                guard ScratchDirectory.text(path).contains("ready\n") else { throw NotYet("not yet") }
            }
            panes.show(Self.shield)
            try await hears(path, "window:activate 0 시간이 다 되었습니다")
            panes.focus(Self.shield.id, "primary")
            try await hears(path, "object:state-changed:focused 1 OK")
            panes.focus(Self.shield.id, "more")
            try await hears(path, "object:state-changed:focused 0 OK")
            try await hears(path, "object:state-changed:focused 1 Ask for more time")
            var second = Self.shield
            second.id = PaneID("shield-2")
            second.title = "Second"
            panes.show(second)
            try await hears(path, "window:activate 0 Second")
            second.title = "Changed"
            panes.show(second)
            try await hears(path, "object:property-change:accessible-name 0 Changed")
            panes.close(second.id)
            try await hears(path, "object:children-changed:remove 1 Screen Time")
            #expect(
                heard(path) == [
                    "object:children-changed:add 0 Screen Time", "window:activate 0 시간이 다 되었습니다",
                    "window:activate 0 시간이 다 되었습니다", "object:state-changed:focused 1 OK",
                    "object:state-changed:focused 0 OK", "window:activate 0 시간이 다 되었습니다",
                    "object:state-changed:focused 1 Ask for more time",
                    "object:children-changed:add 1 Screen Time", "window:activate 0 Second",
                    "object:property-change:accessible-name 0 Changed",
                    "object:children-changed:remove 1 Screen Time",
                ]
            )
        }
    }

    private func hears(_ path: String, _ line: String) async throws {
        try await eventually(within: .seconds(60), line) {
            guard heard(path).contains(line) else { throw NotYet(ScratchDirectory.text(path)) }
        }
    }

    /// Returns every event of this project's objects, except those of a closed window that is no longer active. It has no name by
    /// then.
    private func heard(_ path: String) -> [String] {
        ScratchDirectory.text(path).split(separator: "\n").map(String.init).filter { line in
            ["object:", "window:activate"].contains(where: line.hasPrefix) && !line.hasSuffix(" main")
        }
    }

    @Test("Disabled assistive technology costs no connection and receives the shields when enabled")
    func switchedOff() async throws {
        try await run(isEnabled: false) { panes, ground, bus, _ in
            panes.show(Self.shield)
            // The panes read the setting, and then keep no connection.
            let other = try DBusConnection(address: bus.address)
            defer { other.close() }
            try await Task.sleep(for: .milliseconds(300))
            #expect(try ground.tree().isEmpty)
            #expect(try await Self.connections(other) == 0)
            let set: [DBusValue] = [.string("org.a11y.Status"), .string("IsEnabled"), .variant(.bool(true))]
            _ = try await other.call(
                .init(
                    "org.a11y.Bus",
                    path: "/org/a11y/bus",
                    interface: "org.freedesktop.DBus.Properties",
                    member: "Set",
                    arguments: set
                ),
                withinMs: 20_000
            )
            try await eventually(within: .seconds(60), "the event comes") {
                guard try ground.tree().contains("Ask for more time") else { throw NotYet("not yet") }
            }
            #expect(try await Self.connections(other) == 1)
        }
    }

    /// Returns the number of this process's connections to the accessibility bus, without the one that counts.
    private static func connections(_ session: DBusConnection) async throws -> Int {
        let found = try await session.call(
            .init("org.a11y.Bus", path: "/org/a11y/bus", interface: "org.a11y.Bus", member: "GetAddress"),
            withinMs: 20_000
        )
        let bus = try DBusConnection(address: try #require(found.first?.text))
        defer { bus.close() }
        let dbus = "org.freedesktop.DBus"
        let names = try await bus.call(
            .init(dbus, path: "/org/freedesktop/DBus", interface: dbus, member: "ListNames"),
            withinMs: 20_000
        )
        var count = -1
        for name in names.first?.elements?.compactMap(\.text) ?? [] where name.hasPrefix(":") {
            // A connection that has ended meanwhile belongs to another process.
            let pid = try? await bus.call(
                .init(
                    dbus,
                    path: "/org/freedesktop/DBus",
                    interface: dbus,
                    member: "GetConnectionUnixProcessID",
                    arguments: [.string(name)]
                ),
                withinMs: 20_000
            )
            if pid?.first?.number == Int64(getpid()) { count += 1 }
        }
        return count
    }

    @Test("Accessible panes without a reachable bus report no presses and do not block the loop")
    func absent() async throws {
        let loop = try LoopThread(name: "panes")
        defer {
            loop.stop()
            loop.join()
        }
        let story = Presses()
        let addresses = ["unix:path=/nonexistent", "nonsense"]
        for address in addresses {
            let panes = AccessiblePanes(thread: loop, sessionBus: address) { pane, spot in
                story.list.withLock { $0.append("\(pane) \(spot)") }
            }
            panes.show(Self.shield)
            panes.focus(Self.shield.id, "primary")
            panes.close(Self.shield.id)
            panes.show(Self.shield)
            try await Task.sleep(for: .milliseconds(100))
            await panes.closeAll()
            loop.post { story.list.withLock { $0.append(address) } }
            try await eventually("the loop has handled the last event") {
                let list = story.list.withLock { $0 }
                guard list.last == address else { throw NotYet("\(list)") }
            }
        }
        #expect(story.list.withLock { $0 } == addresses, "a press that no person made")
    }
}
