import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// Accounts of the computer that are deleted, change their number, or share a name or a number.
@Suite(
    "Accounts of a protected computer",
    .serialized,
    .enabled(if: Machine.isWanted, "needs root: starts a Debian with systemd in namespaces")
)
struct ComputerAccountRootTests {
    @Test("An account belongs to a person while it keeps its name, and problems of accounts are reported")
    func whole() async throws {
        try await Machine.run(PackageRootTests.desktop) { machine in
            try await ProtectRootTests.ready(machine)
            try Self.isSandboxed(machine)
            let number = try Self.number(of: "ben", machine)
            try machine.run("screentime limit add mousepad 1h --member ben --then shield", as: "mum")
            #expect(try machine.run("screentime rule list", as: "ben").contains("mousepad"))
            // Screen Time prompts for no passcode in a child's account, where other programs could record it.
            let loosen = try machine.attempt("screentime rule remove mousepad < /dev/null", as: "ben")
            #expect(!loosen.status.isSuccess && loosen.output.contains("could record it"), "\(loosen)")

            try machine.run(
                "userdel --remove ben; useradd --create-home --shell /bin/bash --uid \(number) carl"
            )
            for words in ["rule list", "request add mousepad 15m", "report", "member list"] {
                let run = try machine.attempt("screentime \(words)", as: "carl")
                #expect(!run.status.isSuccess, "\(words): \(run.output)")
                #expect(run.output.contains("The account carl does not belong to a member"), "\(run.output)")
            }
            try Self.expect("no longer has the account ben", machine)
            // The others are protected as before, and the number's door is closed.
            try machine.run("screentime protect on")
            #expect(try !machine.attempt("ls /run/screentime/accounts/\(number)").status.isSuccess)
            #expect(try machine.run("screentime rule list --member ben", as: "mum").contains("mousepad"))

            try machine.run("useradd --create-home --shell /bin/bash --uid 1500 ben")
            try Self.isRight(machine)
            try Self.reinstall(machine)
            try machine.run("usermod --uid 1600 ben")
            try Self.expect("The account of ben cannot reach the services", machine)
            try Self.isRight(machine)
            #expect(try machine.run("ls /run/screentime/accounts").split(separator: "\n").contains("1600"))

            try machine.run("useradd --non-unique --uid 1600 --shell /bin/bash benny")
            try await ProtectRootTests.type("screentime member account ben benny", machine)
            try Self.expect("benny is another name for the account ben", machine)
            try await ProtectRootTests.type("screentime member account ben ben", machine)
            try machine.run(
                "userdel --force benny; echo ben:x:1700:100::/home/other:/bin/bash >> /etc/passwd"
            )
            try Self.expect("Two accounts on this computer are called ben", machine)
        }
    }

    /// A removal ends the protection. The next installation reports that, and the records are still there.
    private static func reinstall(_ machine: Machine) throws {
        let apt = PackageRootTests.installing
        let printed = try machine.run("(\(apt) remove screentime; \(apt) install /root/screentime.deb) 2>&1")
        #expect(printed.contains("To switch it on: sudo screentime protect on"), "\(printed)")
        try isRight(machine)
    }

    /// SECURITY.md gives the rating of each service that does not use the network.
    private static func isSandboxed(_ machine: Machine) throws {
        let others = ["desktop-agent", "household-service", "link-service"]
        let services = ServiceName.all.map(\.rawValue).filter { !others.contains($0) }
        let units = services.map { "screentime-\($0).service" }.joined(separator: " ")
        let ratings = try machine.run("systemd-analyze security --no-pager --threshold=8 \(units) 2>&1")
        #expect(services.count == 6 && !ratings.contains("could not be loaded"), "\(ratings)")
    }

    private static func number(of account: String, _ machine: Machine) throws -> String {
        try machine.run("id -u \(account)").filter(\.isNumber)
    }

    private static func expect(_ words: String, _ machine: Machine) throws {
        // A terminal breaks lines anywhere.
        let status = try machine.run("screentime protect status --json")
        #expect(status.contains(words), "\(status)")
    }

    private static func isRight(_ machine: Machine) throws {
        #expect(try machine.run("screentime protect on").contains("no problems were found"))
        #expect(try machine.run("screentime rule list", as: "ben").contains("mousepad"))
    }
}
