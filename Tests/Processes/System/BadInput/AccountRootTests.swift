import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

extension SystemSuite {
    @Suite(
        "Requests from another account",
        .enabled(if: RootAccount.isHere, "needs root: runs a service as another account")
    )
    struct AccountRootTests {
        @Test(
            "An administrator's requests for the owner's data are refused, and requests for health are answered"
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
                #expect(problem.message.contains("Only uid \(Accounts.other) may call"))
                #expect(problem.message.contains("from uid 0"))
            }
            for route in [HealthPing.name, HealthReport.name, BusDescribe.name] {
                #expect(try peer.ask(route).header.ok, "\(route)")
            }
            peer.close()
            #expect(try service.stop() == .exited(0))
        }

        @Test("Another program of the account cannot read a service's memory, environment or open files")
        func closed() throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let service = try LoneService(
                .auth,
                Accounts.directories(in: scratch),
                logPath: scratch.file("log"),
                wrapper: Accounts.asOther,
                executable: try Accounts.program(.auth, in: scratch)
            )
            let peer = try service.waitUntilItAnswers()
            defer { peer.close() }
            let pid = service.process.pid
            let script = """
                import os
                def tried(what):
                    try: what()
                    except OSError as problem: return problem.errno
                    return 0
                print("mem", tried(lambda: open("/proc/\(pid)/mem", "rb").read(1)),
                      "fd", tried(lambda: os.listdir("/proc/\(pid)/fd")),
                      "environ", tried(lambda: open("/proc/\(pid)/environ", "rb").read(1)),
                      "status", tried(lambda: open("/proc/\(pid)/status", "rb").read(1)))
                """
            let path = scratch.file("tried")
            let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard number >= 0 else { throw SystemError.last("open") }
            let output = OwnedDescriptor(number)
            let command = Accounts.asOther + ["/usr/bin/python3", "-c", script]
            let process = try SpawnedProcess(
                SpawnPlan(
                    executable: command[0],
                    arguments: Array(command.dropFirst()),
                    standardOutput: output.number,
                    standardError: output.number
                )
            )
            #expect(process.wait(deadlineMs: 20_000) == .exited(0))
            #expect(ScratchDirectory.text(path) == "mem 13 fd 13 environ 13 status 0\n")
            #expect(try service.stop() == .exited(0))
        }

        @Test(
            "An administrator can reset a forgotten passcode but not read members"
        )
        func reset() throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let service = try LoneService(
                .auth,
                Accounts.directories(in: scratch),
                logPath: scratch.file("log"),
                wrapper: Accounts.asOther,
                executable: try Accounts.program(.auth, in: scratch)
            )
            let peer = try service.waitUntilItAnswers()
            // The service's name for its owner. The test cannot request it, because it runs as another account.
            let owner =
                getpwuid(Accounts.other).map { String(cString: $0.pointee.pw_name) }
                ?? "user\(Accounts.other)"
            func code(_ reset: Bool?, _ passcode: String) throws -> String? {
                let request = MemberPasscode.Request(
                    member: owner,
                    passcode: passcode,
                    reset: reset
                )
                return try peer.ask(MemberPasscode.name, try request.encodedBody()).problem?.code
            }

            #expect(try code(nil, "first one") == nil)
            #expect(try code(nil, "second one") == "auth.proof_needed")
            #expect(try code(true, "third one") == nil)
            #expect(try peer.ask(MemberShow.name).problem?.code == "access.denied")
            peer.close()
            #expect(try service.stop() == .exited(0))
        }
    }
}

/// An account different from that of the tests. It needs no entry in any list of users.
enum Accounts {
    static let other: uid_t = RootAccount.other

    static var asOther: [String] {
        ["/usr/bin/setpriv", "--reuid=\(other)", "--regid=\(other)", "--clear-groups", "--no-new-privs"]
    }

    /// Returns a copy of the program that the other account can read, wherever the build is.
    static func program(_ service: ServiceName, in scratch: ScratchDirectory) throws -> String {
        let copy = scratch.file("program")
        let plan = SpawnPlan(
            executable: "/bin/cp",
            arguments: ["--", try ServicePrograms.path(service), copy]
        )
        guard try SpawnedProcess(plan).wait(deadlineMs: 20_000) == .exited(0) else {
            throw NotYet("not copied")
        }
        chmod(copy, 0o755)
        return copy
    }

    /// Returns directories that belong to the other account, in a scratch directory that it can pass through.
    static func directories(in scratch: ScratchDirectory) -> Directories {
        chmod(scratch.path, 0o711)
        let directories = scratch.directories
        for path in [directories.run, directories.state] {
            mkdir(path, 0o700)
            chown(path, other, other)
        }
        return directories
    }
}
