import Glibc
import STCommandCore
import STPlatform
import STTestSupport
import Testing

@Suite("Fresh starts and demonstrations")
struct FreshAndDemoTests {
    @Test("The option --fresh removes only Screen Time's own files and requires --yes")
    func fresh() throws {
        let system = try CommandSystem()
        let first = try system.up("--only", "auth-service")
        first.process.signal(SIGTERM)
        #expect(first.wait() == .exited(0))
        try system.scratch.write("mine", to: "state/letter.txt")
        try system.scratch.write("mine", to: "precious")
        symlink(system.scratch.file("precious"), system.directories.state + "/auth-service/link")
        symlink(system.scratch.path, system.directories.state + "/notifier")

        let refused = try system.run("system", "up", "--fresh", "--only", "auth-service")
        #expect(refused.status == .exited(2))
        #expect(refused.output.contains("Add --yes"))
        #expect(access(system.directories.database(service: "auth-service"), F_OK) == 0)

        let again = try system.up("--fresh", "--yes", "--only", "report-service")
        #expect(access(system.directories.state + "/auth-service", F_OK) != 0)
        #expect(access(system.directories.state + "/notifier", F_OK) != 0)
        #expect(ScratchDirectory.text(system.directories.state + "/letter.txt") == "mine")
        #expect(ScratchDirectory.text(system.scratch.file("precious")) == "mine")
        again.process.signal(SIGTERM)
        #expect(again.wait() == .exited(0))
    }

    @Test("A demonstration shows sample days with the names of apps, and is marked as a demonstration")
    func demo() throws {
        let system = try CommandSystem()
        let up = try system.up("--demo")

        #expect(up.output.contains("A DEMONSTRATION of Screen Time is ready"))
        #expect(
            up.output.contains(
                "sample days of “teen”: the two weeks before today, the last 5 h 15 min and the next 1 h"
            )
        )
        #expect(system.file?.isDemo == true)
        let isPlayed = comesTrue {
            // Shortly after midnight nearly all usage was yesterday.
            let report = try system.run("report", "--member", "teen", "--from", "yesterday")
            // Its apps have names, even if they are not installed.
            return report.output.contains("Text Editor") && report.output.contains("Steam")
                && !report.output.contains("org.gnome")
        }
        #expect(isPlayed)
        #expect(try system.run("system", "down", "--demo").status == .exited(0))

        let plain = try system.run("system", "up")
        #expect(plain.status == .exited(1) && plain.output.contains("contains a demonstration"))
    }

    @Test("A demonstration refuses to replace a person's own data")
    func notInto() throws {
        let system = try CommandSystem()
        let own = try system.up("--only", "auth-service")
        own.process.signal(SIGTERM)
        #expect(own.wait() == .exited(0))

        let demo = try system.run("system", "up", "--demo", "--fresh", "--yes")

        #expect(demo.status == .exited(1))
        #expect(demo.output.contains("contains your own data"))
        #expect(access(system.directories.database(service: "auth-service"), F_OK) == 0)
    }
}
