import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Sites in a real browser on sway", .serialized)
struct SwaySitesTests {
    @Test("one counts while its window is in front, and is covered once it is shielded")
    func sites() async throws {
        try await SwayHouse.run { house in
            // Without a keyboard no window has the focus, and browsers know it.
            let hands = try house.hands()
            try hands.ask("motion 600 400")
            let log = house.scratch.file("proxy")
            try house.sway.run("/usr/bin/python3", ["-c", SiteGround.proxy], log: log)
            let port = try await eventually("the proxy answers") {
                guard let port = Int(ScratchDirectory.text(log).prefix { $0.isNumber }) else {
                    throw NotYet(ScratchDirectory.text(log))
                }
                return port
            }
            try house.screentime("browser", "enable", "chromium")
            try house.app(
                "/usr/bin/chromium",
                [
                    "--ozone-platform=wayland", "--no-sandbox", "--no-first-run", "--disable-gpu",
                    "--password-store=basic", "--disable-features=HttpsUpgrades,HttpsFirstBalancedMode",
                    "--proxy-server=http://127.0.0.1:\(port)", "http://www.example.org/",
                ],
                named: "chromium"
            )
            try await shows("example.org", house)
            let windows = try house.windows(named: "windows")
            try windows.program.ask("map alpha alpha")
            try await house.inFront("alpha")
            try await shows(nil, house)
            _ = try house.line.command("[app_id=^chromium] focus")
            try await shows("example.org", house)

            let seen = try await house.ledger().filter { $0.domain == "example.org" }
            #expect(!seen.isEmpty && seen.allSatisfy { $0.app == "chromium" && $0.shielded != true })
            let rule = RuleSpec(
                kind: .limit,
                targets: [TokenItem(kind: .domain, id: "example.org")],
                durationMs: 1_000,
                then: .shield
            )
            _ = try house.ask(RuleAdd.self, rule)
            try await eventually(
                within: .seconds(60),
                "the page is covered, and its time is that of a shield"
            ) {
                let row = try house.ask(UsageNow.self, Empty()).open.first
                let said = ScratchDirectory.text(log)
                guard row?.domain == "example.org", row?.shielded == true, said.contains("covered=true")
                else {
                    let status = try house.ask(DesktopStatus.self, Empty())
                    throw NotYet("\(String(describing: row)) \(status) \(said)")
                }
            }
        }
    }

    private func shows(_ site: String?, _ house: SwayHouse) async throws {
        try await eventually(within: .seconds(90), "\(site ?? "no site") is in front") {
            let status = try house.ask(DesktopStatus.self, Empty())
            guard status.site == site else { throw NotYet("\(status)") }
        }
    }
}
