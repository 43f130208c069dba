import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// Three computers with the package: one is protected, and on two a person has a personal Screen Time.
@Suite(
    "A household of three computers",
    .serialized,
    .enabled(if: Machine.isWanted, "needs root: starts Debian with systemd in namespaces")
)
struct HouseholdRootTests {
    private static let port = 7_466
    private static let linesPerMinuteMax: Int64 = 60

    @Test("A guardian's limit counts usage on all three computers, and each computer logs few lines")
    func story() async throws {
        try await Machine.run(PackageRootTests.desktop) { home in
            try await Machine.run(PackageRootTests.desktop) { laptop in
                try await Machine.run(PackageRootTests.desktop) { tablet in
                    try await ProtectRootTests.ready(home)
                    // Both reach the address that the household was started with.
                    for (number, machine) in [(1, laptop), (2, tablet)] {
                        try home.connect(to: machine, number: number)
                        try machine.run("ip route add 10.77.0.1 via 10.77.\(number).1")
                        try await Self.install(machine, named: number == 1 ? "laptop" : "tablet")
                    }
                    try home.run("ip address add 10.77.0.1/32 dev lo")
                    try await Self.use(home, laptop: laptop, tablet: tablet)
                }
            }
        }
    }

    /// Installs the package, and enables a personal Screen Time for the account `ben`.
    private static func install(_ machine: Machine, named name: String) async throws {
        try machine.run("hostname \(name); useradd --create-home --shell /bin/bash ben")
        try PackageRootTests.copy(try PackageRootTests.package(), to: "/root/screentime.deb", machine)
        try machine.run("\(PackageRootTests.installing) install /root/screentime.deb")
        try await machine.logIn("ben")
        try machine.run("screentime system enable", as: "ben")
        try await ProtectRootTests.isSeen(machine)
    }

    private static func use(_ home: Machine, laptop: Machine, tablet: Machine) async throws {
        let startMs = Stopwatch.milliseconds()
        try home.run("screentime household start --address 10.77.0.1:\(port)")
        try await join(home, home)
        try await join(laptop, home, as: "ben")
        try await join(tablet, home, as: "ben")
        try home.run("screentime limit add mousepad 20s --member ben --name editor --then shield", as: "mum")
        for machine in [laptop, tablet] {
            try await eventually(within: .seconds(60), "the limit is on the other machine") {
                let rules = try machine.run("screentime rule list", as: "ben")
                guard rules.contains("editor") else { throw NotYet(rules) }
            }
        }
        let sharedMs = Stopwatch.milliseconds()
        try PackageRootTests.edit(laptop, as: "ben")
        try await eventually(within: .seconds(60), "ben has used the editor on the laptop") {
            let report = try laptop.run("screentime report --json", as: "ben")
            guard report.contains("org.xfce.mousepad") else { throw NotYet(report) }
        }
        try await Task.sleep(for: .seconds(12))
        try laptop.run("pkill -x mousepad")
        let beganMs = Stopwatch.milliseconds()
        try PackageRootTests.edit(tablet, as: "ben")
        try await PackageRootTests.isHeld(tablet, as: "ben")
        let heldMs = Stopwatch.milliseconds()
        // The usage on the tablet does not reach the limit of 20 s by itself.
        #expect(heldMs - beganMs < 18_000, "\(heldMs - beganMs)")
        try PackageRootTests.edit(laptop, as: "ben")
        try await PackageRootTests.isHeld(laptop, as: "ben")

        print("household: the limit was shared after \((sharedMs - startMs) / 1_000) s")
        let minutes = Double(Stopwatch.milliseconds() - startMs) / 60_000
        for (name, machine) in [("home", home), ("laptop", laptop), ("tablet", tablet)] {
            let words = "journalctl --no-pager --since=-\(Int(minutes * 60))s"
            let text = try machine.run(
                "\(words) | grep -c 'link-service\\|household-service' || true"
            )
            let lines = Int64(text.filter(\.isNumber)) ?? 0
            let perMinute = Int64(Double(lines) / minutes)
            print("household: \(name) wrote \(perMinute) lines a minute about the household")
            #expect(perMinute <= linesPerMinuteMax, "\(name)")
        }
    }

    private static func join(_ machine: Machine, _ home: Machine, as account: String? = nil) async throws {
        let invitation = try home.run("screentime household invite --json")
        let code = try HouseholdInvite.Reply.decodedBody(Array(invitation.utf8)).code
        let words = "screentime household join \(code) --as ben=ben"
        let screen =
            try account == nil
            ? await ProtectRootTests.type(words, machine) : machine.run(words, as: account)
        let number = try #require(screen.firstMatch(of: /number is ([0-9]+)/), "\(screen)").output.1
        try await ProtectRootTests.type("screentime household confirm \(number)", home)
        try await eventually(within: .seconds(60), "the machine is connected") {
            let shown = try machine.run("screentime household show", as: account)
            guard shown.contains("and is connected") else { throw NotYet(shown) }
        }
    }
}
