import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Sites in a real browser on Wayland desktops", .serialized)
struct WaylandSitesTests {
    @Test(
        "one counts while its window is in front, and is covered once it is shielded",
        arguments: DeskKind.possible.filter { $0 != .x11 }
    )
    func sites(kind: DeskKind) async throws {
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
            try house.screentime("browser", "enable", "chromium")
            try house.app(
                "/usr/bin/chromium",
                SiteGround.plain + [
                    "--ozone-platform=wayland", "--proxy-server=http://127.0.0.1:\(port)",
                    "http://www.example.org/",
                ],
                named: "chromium"
            )
            try await shows("example.org", desk)
            let window = try await desk.open("alpha")
            try await shows(nil, desk)
            try await desk.end(window)
            try await shows("example.org", desk)

            let seen = try await desk.ledger().filter { $0.domain == "example.org" }
            #expect(!seen.isEmpty && seen.allSatisfy { $0.app == "chromium" && $0.shielded != true })
            let rule = RuleSpec(
                kind: .limit,
                targets: [TokenItem(kind: .domain, id: "example.org")],
                durationMs: 1_000,
                then: .shield
            )
            _ = try await desk.ask(RuleAdd.self, rule)
            // Whether the agent still saw something while nothing came of it.
            var moved: [String] = []
            try await eventually(
                within: .seconds(60),
                "the page is covered, and its time is that of a shield"
            ) {
                let row = try await desk.ask(UsageNow.self, Empty()).open.last
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
            try await desk.keepPicture("sites-\(kind)")
        }
    }

    private func shows(_ site: String?, _ desk: any Desk) async throws {
        try await eventually(within: .seconds(90), "\(site ?? "no site") is in front") {
            let status = try await desk.ask(DesktopStatus.self, Empty())
            guard status.site == site else { throw NotYet("\(status)") }
        }
    }
}
