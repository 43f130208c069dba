import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// The household of a protected computer.
enum ProtectedHousehold {
    /// Starts a household as the administrator, and joins the computer. A guardian's account receives a message about who can do
    /// that.
    static func use(_ machine: Machine) async throws {
        for words in ["start", "show", "invite"] {
            let refused = try machine.attempt("screentime household \(words)", as: "mum")
            #expect(
                !refused.status.isSuccess && refused.output.contains("sudo screentime household"),
                "\(refused)"
            )
        }
        #expect(try !machine.attempt("find /home/mum -name '*.wanted' | grep .").status.isSuccess)
        try machine.run("screentime household start --address 127.0.0.1:7466")
        let invitation = try machine.run("screentime household invite --json")
        let code = try HouseholdInvite.Reply.decodedBody(Array(invitation.utf8)).code
        let screen = try await ProtectRootTests.type(
            "screentime household join \(code) --as ben=ben",
            machine
        )
        let number = try #require(screen.firstMatch(of: /number is ([0-9]+)/), "\(screen)").output.1
        try await ProtectRootTests.type("screentime household confirm \(number)", machine)
        try await eventually(within: .seconds(60), "ben's usage has arrived in the household") {
            let shown = try machine.run("screentime household show; screentime household report")
            guard shown.contains("and is connected"), shown.contains("ben  org.xfce.mousepad") else {
                throw NotYet(shown)
            }
            // No person's account can read the machine's key, so the household trusts the machine.
            #expect(!shown.contains("not trusted"), "\(shown)")
        }
        try await ProtectRootTests.type("screentime household leave", machine)
    }
}
