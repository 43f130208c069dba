import Glibc
import STContracts
import STDBus
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import Synchronization
import Testing

@Suite("Tray item", .serialized)
struct TrayTests {
    private static let watcher = "org.kde.StatusNotifierWatcher"
    private static let item = "org.kde.StatusNotifierItem"
    private static let menu = "com.canonical.dbusmenu"

    /// Writes a browser that records the addresses to open, and a `systemd-run` that records its arguments and runs the program.
    ///
    /// The agent starts the browser with `systemd-run` in a separate unit, because the browser would otherwise end with the agent.
    private static func writePrograms(_ scratch: ScratchDirectory) throws {
        try #require(mkdir(scratch.file("bin"), 0o700) == 0)
        try scratch.write(
            "#!/bin/sh\necho \"$1\" >> '\(scratch.file("opened"))'\n",
            to: "bin/xdg-open",
            mode: 0o755
        )
        try scratch.write(
            """
            #!/bin/sh
            echo "$@" >> '\(scratch.file("units"))'
            while [ "${1#--}" != "$1" ]; do shift; done
            exec "$@"
            """,
            to: "bin/systemd-run",
            mode: 0o755
        )
    }

    /// Returns the same programs for Wayland desktops, which run as another user if the test is root.
    fileprivate static func programs() throws -> ScratchDirectory {
        let scratch = try ScratchDirectory()
        try writePrograms(scratch)
        try scratch.write("", to: "opened")
        try DesktopStarter.give([
            scratch.path, scratch.file("bin"), scratch.file("bin/xdg-open"), scratch.file("opened"),
        ])
        return scratch
    }

    /// Kills the server of the page. A click has started it, and it outlives the agent.
    fileprivate static func endPage(in run: String) {
        let lock = ScratchDirectory.text(run + "/console/lock")
        if let pid = Int32(lock.prefix { $0.isNumber }) { _ = Glibc.kill(pid, SIGKILL) }
    }

    /// A tray like those of desktops: items register with it, and it reads and clicks them.
    fileprivate final class Host: Sendable {
        let bus: DBusConnection
        private let found = Mutex<[String]>([])
        private let heard = Mutex<[String]>([])

        init(_ address: String) async throws {
            bus = try DBusConnection(address: address)
            try await bus.serve(path: "/StatusNotifierWatcher") { [weak self] call in
                guard call.member == "RegisterStatusNotifierItem", let name = call.arguments.first?.text
                else {
                    return .failure(Problem("test", verbatim: "no \(call.member)"))
                }
                self?.found.withLock { $0.append(name) }
                return .success([])
            }
            try await bus.match("type='signal',path='/StatusNotifierItem'", withinMs: 10_000) {
                [weak self] signal in
                self?.heard.withLock { $0.append(signal.member) }
            }
            try await bus.requestName(TrayTests.watcher, withinMs: 10_000)
        }

        var isEmpty: Bool { found.withLock { $0.isEmpty } }

        var signals: Set<String> { heard.withLock { Set($0) } }

        func item() async throws -> String {
            try await eventually(within: .seconds(60), "the item is offered") {
                guard let name = found.withLock({ $0.last }) else { throw NotYet("no item") }
                return name
            }
        }

        func ask(_ path: String, interface: String, member: String, arguments: [DBusValue] = [])
            async throws -> [DBusValue]
        {
            try await bus.call(
                DBusCall(
                    try await item(),
                    path: path,
                    interface: interface,
                    member: member,
                    arguments: arguments
                ),
                withinMs: 10_000
            )
        }

        func property(_ name: String) async throws -> DBusValue {
            let values = try await ask(
                "/StatusNotifierItem",
                interface: "org.freedesktop.DBus.Properties",
                member: "Get",
                arguments: [.string(TrayTests.item), .string(name)]
            )
            return try #require(values.first)
        }

        func tip() async throws -> String {
            guard let parts = try await property("ToolTip").elements, parts.count == 4 else { return "" }
            return parts[3].text ?? ""
        }

        func entries() async throws -> [Int64: String] {
            let reply = try await ask(
                "/MenuBar",
                interface: TrayTests.menu,
                member: "GetLayout",
                arguments: [.int32(0), .int32(-1), .strings([])]
            )
            let children = reply.last?.elements?.last?.elements ?? []
            let pairs = children.compactMap { entry -> (Int64, String)? in
                guard let parts = entry.elements, let id = parts[0].number else { return nil }
                return (id, parts[1]["label"]?.text ?? "")
            }
            return Dictionary(pairs) { first, _ in first }
        }

        func click(_ id: Int64) async throws {
            _ = try await ask(
                "/MenuBar",
                interface: TrayTests.menu,
                member: "Event",
                arguments: [.int32(Int32(id)), .string("clicked"), .variant(.int32(0)), .uint32(0)]
            )
        }
    }

    @Test(
        "The tray item shows the tightest limit, opens pages, pauses own rules, and returns with a new tray",
        arguments: [false, true]
    )
    func story(isUnit: Bool) async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try Self.writePrograms(scratch)
        var environment = ["PATH": scratch.file("bin") + ":/usr/bin:/bin"]
        environment["INVOCATION_ID"] = isUnit ? "of the agent" : nil
        try await XHouse.run(environment: environment) { house in
            defer { Self.endPage(in: house.system.directories.run) }
            let program = try house.program()
            _ = try await house.window(program, "Alpha")
            try await house.inFront("alpha")
            // A desktop whose panel starts after the agent.
            let host = try await Host(house.buses.session.address)
            #expect(try await host.property("Title").text == "Screen Time")
            #expect(try await host.tip() == "No limit applies now.")
            #expect(try await host.entries() == [1: "Open Screen Time", 2: "Ask for more time …"])

            try await house.limit("alpha", ms: 3_600_000, name: "games_first")
            _ = try await house.window(program, "Beta")
            try await eventually(within: .seconds(60), "the item shows the remaining time") {
                let (tip, label) = (try await host.tip(), try await host.property("XAyatanaLabel").text)
                guard tip == "games_first: 1 h left", label == "1 h" else { throw NotYet(tip) }
            }
            #expect(host.signals.isSuperset(of: ["NewToolTip", "XAyatanaNewLabel"]))

            #expect(try await host.entries()[3] == "Pause my rules for 15 minutes")
            try await host.click(3)
            try await eventually(within: .seconds(30), "the rule is paused") {
                let rules = try await house.ask(RuleList.self, .init()).rules
                guard rules.allSatisfy({ $0.pausedUntil != nil }) else { throw NotYet("\(rules)") }
            }
            try await host.click(9)
            try await host.click(2)
            _ = try await host.ask(
                "/StatusNotifierItem",
                interface: Self.item,
                member: "Activate",
                arguments: [.int32(1), .int32(1)]
            )
            try await eventually(within: .seconds(60), "both pages are opened") {
                let opened = ScratchDirectory.text(scratch.file("opened"))
                guard opened.contains("&to=requests\n"), opened.contains("&to=today\n") else {
                    throw NotYet(opened)
                }
            }
            #expect(
                ScratchDirectory.text(scratch.file("units")).contains("--property=KillMode=process") == isUnit
            )
            await #expect(throws: Problem.self) { try await host.property("Nothing") }
            await #expect(throws: Problem.self) {
                try await host.ask("/StatusNotifierItem", interface: Self.item, member: "Explode")
            }

            // The panel dies, and another one starts.
            host.bus.close()
            let next = try await eventually(within: .seconds(20), "the name is free again") {
                try await Host(house.buses.session.address)
            }
            #expect(try await next.property("Id").text == "screentime")
            next.bus.close()
        }
    }

    @Test("If the tray setting is off, no item is registered")
    func off() async throws {
        try await XHouse.run(settings: ["tray": "off"]) { house in
            let host = try await Host(house.buses.session.address)
            let program = try house.program()
            _ = try await house.window(program, "Alpha")
            try await house.inFront("alpha")
            try await Task.sleep(for: .seconds(1))
            #expect(host.isEmpty)
            host.bus.close()
        }
    }

    @Test("The tray item appears in sway's bar, and a click opens the page")
    func swaybar() async throws {
        let scratch = try Self.programs()
        defer { scratch.remove() }
        try await SwayHouse.run {
            // The test starts the bar when the session bus is known.
            $0.configuration = """
                bar bar-0 {
                    swaybar_command true
                    position top
                    tray_output *
                    icon_theme Adwaita
                }
                """
            $0.environment = ["PATH": scratch.file("bin") + ":/usr/bin:/bin"]
        } _: { house in
            let address = house.buses.session.address
            try house.sway.run(
                "/usr/bin/swaybar",
                ["-b", "bar-0"],
                environment: ["DBUS_SESSION_BUS_ADDRESS": address]
            )
            let bus = try DBusConnection(address: address)
            defer { bus.close() }
            try await eventually(within: .seconds(60), "the bar has the item") {
                let call = DBusCall(
                    Self.watcher,
                    path: "/StatusNotifierWatcher",
                    interface: "org.freedesktop.DBus.Properties",
                    member: "Get",
                    arguments: [.string(Self.watcher), .string("RegisteredStatusNotifierItems")]
                )
                let items = try await bus.call(call, withinMs: 5_000).first?.elements ?? []
                guard items.count == 1 else { throw NotYet("\(items)") }
            }
            if let folder = SwayHouse.pictures {
                // The bar requests one property after the other.
                try await Task.sleep(for: .seconds(1))
                let path = try house.sway.picture("tray")
                try AtomicFile.write(try AtomicFile.read(path, limitBytes: 1 << 22), to: "\(folder)/tray.png")
            }
            defer { Self.endPage(in: house.scratch.file("run")) }
            let hands = try house.hands()
            try await eventually(within: .seconds(90), "a click opens the page") {
                // The icon is at the right end, as wide as the bar is high.
                try hands.ask("motion \(house.sway.options.width - 12) 10")
                try hands.ask("button click")
                try await eventually(within: .seconds(10), "it is opened") {
                    let opened = ScratchDirectory.text(scratch.file("opened"))
                    guard opened.contains("&to=today") else { throw NotYet(opened) }
                }
            }
        }
    }
}

@Suite(
    "Panel item of the GNOME extension",
    .serialized,
    .enabled(if: DebianRoot.isPossible, "needs root: runs GNOME Shell in a root folder of its own")
)
struct TrayRootTests {
    @Test("The GNOME extension shows the item on the panel while there is no tray", arguments: gnomes)
    func gnome(version: GnomeShell.Version) async throws {
        let scratch = try TrayTests.programs()
        defer { scratch.remove() }
        var options = WaylandHouse.Options()
        options.environment = ["PATH": scratch.file("bin") + ":/usr/bin:/bin"]
        try await GnomeHouse.run(version, options: options) { house in
            defer { TrayTests.endPage(in: house.scratch.file("run")) }
            func panel(_ script: String) async throws -> String {
                try await house.shell.evaluate("const item = Main.panel.statusArea.screentime; \(script)")
            }
            func says(_ name: String) async throws {
                try await eventually(within: .seconds(60), "the panel item is named \(name)") {
                    let said = try await panel("item?.visible ? item.accessible_name : null")
                    guard said == name else { throw NotYet(said) }
                }
            }
            /// Clicks an actor once it no longer moves.
            func click(_ actor: String) async throws {
                let place =
                    "const at = \(actor).get_transformed_position(), size = \(actor).get_transformed_size();"
                let middle = "[at[0] + size[0] / 2, at[1] + size[1] / 2].map(Math.round).join(' ')"
                let said = try await panel("\(place) \(middle)")
                let words = said.filter { $0 != "\"" }.split(separator: " ").compactMap { Int($0) }
                guard words.count == 2 else { throw NotYet(said) }
                try await house.click(x: words[0], y: words[1])
            }
            try await says("\"Screen Time\"")
            _ = try await house.open("alpha")
            try await house.limit("alpha", ms: 3_600_000, name: "games_first")
            _ = try await house.open("beta")
            try await says("\"Screen Time, 1 h\"")

            try await click("item")
            try await eventually("its menu is open") {
                guard try await panel("item.menu.isOpen && item.menu.actor.opacity === 255") == "true" else {
                    throw NotYet("it is not")
                }
            }
            try await Task.sleep(for: .milliseconds(500))
            try await house.keepPicture("panel-\(version)")
            let entries = "item.menu._getMenuItems()"
            #expect(
                try await panel("\(entries).map((i) => i.label?.text ?? '').join('|')")
                    == "\"games_first: 1 h left||Open Screen Time|Ask for more time …|Pause my rules for 15 minutes\""
            )
            try await click("\(entries)[3]")
            try await eventually(within: .seconds(60), "the page is opened") {
                let opened = ScratchDirectory.text(scratch.file("opened"))
                guard opened.contains("&to=requests") else { throw NotYet(opened) }
            }

            // The tray of another extension has the item instead, as long as it exists.
            let host = try await TrayTests.Host(house.buses.session.address)
            try await says("null")
            try await eventually("the tray shows the same time") {
                let label = try await host.property("XAyatanaLabel").text
                guard label == "1 h" else { throw NotYet("\(String(describing: label))") }
            }
            host.bus.close()
            try await says("\"Screen Time, 1 h\"")
            try await house.killAgent()
            try await says("\"Screen Time, 1 h\"")
        }
    }

    /// The versions of GNOME Shell, more of them in the long form.
    private static let gnomes: [GnomeShell.Version] =
        XHouse.isSoak ? [.gnome43, .gnome48, .newest] : [.gnome43]
}
