import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Sites in a real browser on Wayland desktops", .serialized)
struct WaylandSitesTests {
    @Test(
        "A site in Chromium counts while its window is in the foreground, and is covered once it is shielded",
        arguments: DeskKind.possible.filter { !$0.isX11 }
    )
    func sites(kind: DeskKind) async throws {
        try await counts(.chromium, kind)
    }

    @Test(
        "A site in Firefox counts while its window is in the foreground, and is covered once it is shielded",
        arguments: DeskKind.longer.filter { !$0.isX11 }
    )
    func firefox(kind: DeskKind) async throws {
        try await counts(.firefox, kind)
    }

    private func open(_ browser: SiteGround.Browser, port: Int, house: WaylandHouse) async throws {
        let page = "http://www.example.org/"
        switch browser {
        case .chromium:
            try house.screentime("browser", "enable", "chromium")
            let proxy = ["--ozone-platform=wayland", "--proxy-server=http://127.0.0.1:\(port)"]
            try house.app("/usr/bin/chromium", SiteGround.plain + proxy + [page], named: browser.app)
        case .firefox:
            let folder = try await DebianFirefox.folder()
            let entry = SiteGround.entry(ofFirefox: folder)
            try house.scratch.write(entry, to: "applications/firefox-esr.desktop", mode: 0o644)
            let script = "exec sh -c \"$0\" \"$HOME\" \"$1\""
            try house.desktop.output("/bin/sh", ["-c", script, SiteGround.profile, "\(port)"])
            try house.screentime("browser", "enable", "firefox", "--unsigned", path: folder)
            let words = ["MOZ_ENABLE_WAYLAND=1", "\(folder)/firefox-esr", "-P", "test", "--no-remote", page]
            try house.app("/usr/bin/env", words, named: browser.app)
        }
    }

    private func counts(_ browser: SiteGround.Browser, _ kind: DeskKind) async throws {
        try await kind.run { desk in
            let house = try #require(desk as? WaylandHouse)
            let log = house.scratch.file("proxy")
            try house.desktop.run("/usr/bin/python3", ["-c", SiteGround.proxy], log: log)
            let port = try await eventually("the proxy answers") {
                guard let port = Int(ScratchDirectory.text(log).prefix { $0.isNumber }) else {
                    throw NotYet(ScratchDirectory.text(log))
                }
                return port
            }
            try await open(browser, port: port, house: house)
            try await shows("example.org", desk)
            let window = try await desk.open("alpha")
            try await shows(nil, desk)
            try await desk.end(window)
            try await shows("example.org", desk)

            let seen = try await desk.ledger().filter { $0.domain == "example.org" }
            #expect(!seen.isEmpty && seen.allSatisfy { $0.app == browser.app && $0.shielded != true })
            let bare = try await desk.pixel(x: 1_000, y: 600)
            let rule = RuleSpec(
                kind: .limit,
                targets: [TokenItem(kind: .domain, id: "example.org")],
                durationMs: 1_000,
                then: .shield
            )
            _ = try await desk.ask(RuleAdd.self, .init(rule))
            // The agent's observations meanwhile, for the failure message.
            var moved: [String] = []
            try await eventually(
                within: .seconds(60),
                "the page is covered, and its usage is marked as shielded"
            ) {
                let row = try await desk.ask(UsageNow.self, Empty()).open
                    .max { $0.startBootMs < $1.startBootMs }
                let said = ScratchDirectory.text(log)
                guard row?.domain == "example.org", row?.shielded == true, said.contains("covered=true")
                else {
                    let status = try await desk.ask(DesktopStatus.self, Empty())
                    let step = "seen \(status.seen), row to \(row?.endBootMs ?? 0)"
                    if moved.last?.hasSuffix(step) != true {
                        moved.append("\(Stopwatch.bootMilliseconds()): \(step)")
                    }
                    throw NotYet("\(String(describing: row)) \(status) \(said) \(moved)")
                }
            }
            try await eventually("no part of the page is visible") {
                let pixel = try await desk.pixel(x: 1_000, y: 600)
                guard pixel != bare else { throw NotYet(pixel) }
            }
            try await desk.keepPicture("sites-\(browser)-\(kind)")
        }
    }

    private func shows(_ site: String?, _ desk: any Desk) async throws {
        try await eventually(within: .seconds(90), "\(site ?? "no site") is in front") {
            let status = try await desk.ask(DesktopStatus.self, Empty())
            guard status.site == site else { throw NotYet("\(status)") }
        }
    }
}
