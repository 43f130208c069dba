import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

extension SystemSuite {
    @Suite("A request from another account")
    struct AccountTests {
        @Test(
            "is denied what is the owner's, and told whose, while an administrator may ask for health",
            .enabled(if: geteuid() == 0, "needs root, to run a service under another account")
        )
        func otherAccount() throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let directories = Accounts.directories(in: scratch)
            let service = try LoneService(
                .auth,
                directories,
                logPath: scratch.file("log"),
                wrapper: Accounts.asOther,
                executable: try Accounts.program(.auth, in: scratch)
            )
            let peer = try service.waitUntilItAnswers()

            let routes = [
                MemberList.name, MemberAdd.name, EventsSince.name, EventsSnapshot.name, DataBackup.name,
            ]
            for route in routes {
                let problem = try #require(try peer.ask(route).problem, "\(route)")
                #expect(problem.code == "access.denied", "\(route)")
                #expect(problem.message.contains("to uid \(Accounts.other) only"))
                #expect(problem.message.contains("from uid 0"))
            }
            for route in [HealthPing.name, HealthReport.name, BusDescribe.name] {
                #expect(try peer.ask(route).header.ok, "\(route)")
            }
            peer.close()
            #expect(try service.stop() == .exited(0))
        }
    }
}
