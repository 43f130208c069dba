import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// A computer whose services run under their own account, with a child and a guardian: real accounts, systemd, logind, polkit.
@Suite("A protected computer", .serialized, .enabled(if: Machine.isWanted))
struct ProtectTests {
    private static let passcode = "2468"

    private static func ready(_ machine: Machine) async throws {
        try machine.run(
            "useradd --create-home --shell /bin/bash ben; useradd --create-home --shell /bin/bash mum"
        )
        try PackageTests.copy(try PackageTests.package(), to: "/root/screentime.deb", machine)
        try machine.run("\(PackageTests.installing) install /root/screentime.deb")
        let terminal = try PseudoTerminal()
        let words = machine.words("screentime protect on --guardian mum --child ben")
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/setsid",
                arguments: ["--ctty", "--wait"] + words,
                environment: ["TERM": "xterm"],
                standardOutput: terminal.number,
                standardError: terminal.number,
                descriptors: [0: terminal.number]
            )
        )
        try await terminal.answer("New passcode of mum", passcode)
        try await terminal.answer("The same again", passcode)
        #expect(process.wait(deadlineMs: 60_000) == .exited(0), "\(terminal.screen)")
        #expect(terminal.screen.contains("nothing is missing"), "\(terminal.screen)")
    }

    private static func isSeen(_ machine: Machine) async throws {
        try await eventually(within: .seconds(60), "ben's screen is seen") {
            let status = try machine.run("screentime status", as: "ben")
            guard status.contains("Observed by: x11") else { throw NotYet(status) }
        }
    }

    @Test(
        "a child's session is seen and shielded, a guardian decides from an account of their own, and it holds"
    )
    func whole() async throws {
        try await Machine.run(PackageTests.desktop) { machine in
            try await Self.ready(machine)
            try await machine.logIn("ben")
            try await Self.isSeen(machine)

            try PackageTests.edit(machine, as: "ben")
            try await eventually(within: .seconds(60), "mum sees what ben uses") {
                let report = try machine.run("screentime report --member ben", as: "mum")
                guard report.contains("Mousepad") else { throw NotYet(report) }
            }
            try machine.run("screentime limit add mousepad 3s --member ben --then shield", as: "mum")
            try await PackageTests.isHeld(machine, as: "ben")
            try machine.keepPicture("protect-shield")

            try Self.loosen(machine)
            try await Self.ask(machine)
            #expect(try machine.run("screentime protect check").contains("All of it holds"))
            try await Self.endAgent(machine)

            try await machine.restart()
            try await machine.logIn("ben")
            try await Self.isSeen(machine)
            try PackageTests.edit(machine, as: "ben")
            try await PackageTests.isHeld(machine, as: "ben")

            try machine.run("screentime protect off --yes")
            #expect(try machine.attempt("pgrep -f /usr/lib/screentime/bin").output == "")
            #expect(try machine.attempt("ls /run/screentime").status.isSuccess == false)
            try machine.run("test -d /var/lib/screentime/activity-center")
        }
    }

    /// What a child might try with Screen Time's own words.
    private static func loosen(_ machine: Machine) throws {
        let refused = [
            ("screentime rule remove Mousepad", "takes a guardian's passcode|needs an answer|terminal"),
            ("screentime member set ben --role individual", "guardian"),
            ("screentime report --member mum", "their own"),
            ("screentime data backup /tmp/x", "administrator"),
        ]
        for (words, reason) in refused {
            let run = try machine.attempt(words, as: "ben")
            #expect(!run.status.isSuccess, "\(words): \(run.output)")
            #expect(run.output.firstMatch(of: try Regex(reason)) != nil, "\(words): \(run.output)")
        }
        #expect(try machine.run("screentime rule list", as: "ben").contains("Mousepad"))
    }

    /// A request goes to the guardian, and the answer comes back.
    private static func ask(_ machine: Machine) async throws {
        try machine.run("screentime request add mousepad 15m", as: "ben")
        try await eventually("the request is there for mum") {
            let list = try machine.run("screentime request list", as: "mum")
            guard list.contains("R1") else { throw NotYet(list) }
        }
    }

    /// The agent is the child's own process: when it is gone, that is seen.
    private static func endAgent(_ machine: Machine) async throws {
        try machine.run("pkill -KILL -x desktop-agent", as: "ben")
        try await isSeen(machine)
        try machine.run("systemctl --user stop screentime-agent.service", as: "ben")
        try await eventually(within: .seconds(150), "the guardian hears of it") {
            let history = try machine.run("screentime history", as: "mum")
            guard history.contains("counts as Unseen") else { throw NotYet(history) }
        }
        try machine.run("systemctl --user start screentime-agent.service", as: "ben")
        try await isSeen(machine)
    }
}
