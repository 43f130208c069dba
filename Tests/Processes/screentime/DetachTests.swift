import Glibc
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("The command `system up --detach`")
struct DetachTests {
    @Test("A detached start returns once all services are ready, in its own session, and down ends it")
    func detach() throws {
        let system = try CommandSystem()

        let start = try system.run("system", "up", "--detach")

        #expect(start.status == .exited(0), "\(start.output)")
        #expect(start.output.contains("Screen Time is ready: 7 services in "))
        #expect(start.output.contains("  stop   screentime system down"))
        let file = try #require(system.file)
        #expect(file.services.count == 7)
        #expect(file.services.allSatisfy { $0.state == "ready" })
        #expect(getsid(file.pid) == file.pid)
        #expect(
            comesTrue {
                let text = ScratchDirectory.text(system.directories.log(service: "system"))
                return text.contains("auth-service is ready")
            }
        )

        let pids = system.pids
        #expect(try system.run("system", "down").status == .exited(0))
        #expect(pids.count == 7 && CommandSystem.areGone(pids + [file.pid]))
        #expect(system.owners.isEmpty)
        #expect(try system.run("system", "down").status == .exited(3))
    }

    @Test("The command down finds a system whose run folder is gone and cannot be created again")
    func lostFolder() throws {
        let system = try CommandSystem()
        #expect(try system.run("system", "up", "--detach").status == .exited(0))
        let supervisor = try #require(system.file).pid
        let pids = system.pids
        // They would immediately create their folders again, unless something is in the way.
        for pid in [supervisor] + pids { try ProcessState.stop(pid) }
        let run = system.directories.run
        try DirectoryTree.remove(run)
        try AtomicFile.write(Array("in the way".utf8), to: run, durable: false)
        // While they are stopped: afterwards the services end, and a slow command would find none.
        let down = try system.start("system", "down")
        try eventuallyBlocking(within: .seconds(60), "down has found the supervisor") {
            let pending = ScratchDirectory.text("/proc/\(supervisor)/status").firstMatch(
                of: /ShdPnd:\s+([0-9a-f]+)/
            )
            let signals = pending.flatMap { UInt64($0.output.1, radix: 16) } ?? 0
            guard signals & 1 << UInt64(SIGTERM - 1) != 0 else { throw NotYet(down.output) }
        }
        for pid in [supervisor] + pids { #expect(kill(pid, SIGCONT) == 0) }

        #expect(down.wait(withinMs: 60_000) == .exited(0), "\(down.output)")
        #expect(CommandSystem.areGone(pids + [supervisor]))
        unlink(system.directories.run)
    }

    @Test("A detached start that fails shows the service's last lines and leaves nothing running")
    func failure() throws {
        let system = try CommandSystem()
        // A folder in place of the database.
        try Directories.prepare(system.directories.state + "/report-service/report-service.sqlite")

        let start = try system.run("system", "up", "--detach")

        #expect(start.status == .exited(1))
        #expect(start.output.contains("report-service did not start: exited with status 74"))
        #expect(start.output.contains("cannot_start") || start.output.contains("failed"))
        #expect(start.output.contains("report-service.log"))
        #expect(comesTrue { system.owners.isEmpty && InstanceLock.holder(path: system.lockPath) == nil })
    }

    @Test("A slow start reports its progress to the command that started it")
    func progress() throws {
        let stand = try StandIns([
            "notifier": """
            trap 'exit 0' TERM
            systemd-notify EXTEND_TIMEOUT_USEC=60000000 'STATUS=45 % of its records are updated'
            sleep 1; systemd-notify --ready; while :; do sleep 60 & wait $!; done
            """
        ])
        let system = try CommandSystem(binary: stand.screentime)
        let pipe = try DescriptorPipe()
        let up = try RunningCommand(
            stand.screentime,
            ["system", "up", "--only", "notifier"],
            environment: system.environment.merging(["SCREENTIME_START_REPORT": "7"]) { $1 },
            outputPath: system.scratch.file("output"),
            descriptors: [7: pipe.writeEnd.number]
        )
        var report = ""
        let isTold = comesTrue(within: .seconds(20)) {
            var part = [UInt8](repeating: 0, count: 4_096)
            guard Readiness.wait(pipe.readEnd.number, withinMs: 100) else { return false }
            let count = read(pipe.readEnd.number, &part, part.count)
            report += String(decoding: part.prefix(max(0, count)), as: UTF8.self)
            return report.contains(" is ready")
        }
        #expect(isTold, "\(report)\n\(up.output)")
        let first =
            "\u{1}Updating the records of notifier: █████████            45 %\n"
        #expect(report.hasPrefix(first + "\u{1}\nready\n"), "\(report)")
        up.process.signal(SIGTERM)
        #expect(up.wait() == .exited(0))
    }

    fileprivate static func target(_ link: String) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(link, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    }
}

@Suite(
    "Pipe for the report of a start",
    .enabled(
        if: RootAccount.isHere,
        "needs root: looks into services, which other programs of an account may not"
    )
)
struct DetachRootTests {
    @Test("The pipe for the report of a start is not inherited by services")
    func reportPipe() throws {
        let system = try CommandSystem()
        let pipe = try DescriptorPipe()
        let up = try RunningCommand(
            BuiltTree.programs + "/screentime",
            ["system", "up", "--only", "notifier"],
            environment: system.environment.merging(["SCREENTIME_START_REPORT": "7"]) { $1 },
            outputPath: system.scratch.file("output"),
            descriptors: [7: pipe.writeEnd.number]
        )
        #expect(Readiness.wait(pipe.readEnd.number, withinMs: 20_000))
        let service = try #require(system.pid("notifier"))

        let ours = DetachTests.target("/proc/self/fd/\(pipe.writeEnd.number)")
        let theirs = try DirectoryTree.names(in: "/proc/\(service)/fd").map {
            DetachTests.target("/proc/\(service)/fd/\($0)")
        }

        #expect(ours.hasPrefix("pipe:") && theirs.count > 3)
        #expect(!theirs.contains(ours))
        up.process.signal(SIGTERM)
        #expect(up.wait() == .exited(0))
    }
}
