import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("A service whose files may not grow")
    struct FullDiskTests {
        private static let nameBytes = 240
        private static let app = "org.example.writer"

        @Test("A service whose files may not grow refuses writes, keeps acknowledged data, and recovers")
        func limitedFiles() async throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let wrapper = ["/usr/bin/prlimit", "--fsize=2000000:unlimited", "--"]
            try await check(scratch.directories, scratch, wrapper: wrapper) { service in
                let plan = SpawnPlan(
                    executable: "/usr/bin/prlimit",
                    arguments: ["--pid=\(service.process.pid)", "--fsize=unlimited:unlimited"]
                )
                let exit = try SpawnedProcess(plan).wait(deadlineMs: 10_000)
                #expect(exit == .exited(0))
            }
        }

        fileprivate func check(
            _ directories: Directories,
            _ scratch: ScratchDirectory,
            wrapper: [String],
            makeRoom: (LoneService) throws -> Void
        ) async throws {
            // auth-service provides the account's member, and has all the space that it needs.
            var own = directories
            own.state = scratch.file("own")
            let auth = try LoneService(.auth, own, logPath: scratch.file("auth.log"))
            try auth.waitUntilItAnswers().close()
            try await allow(own, scratch)
            let service = try LoneService(
                .shield,
                directories,
                logPath: scratch.file("log"),
                wrapper: wrapper
            )
            let peer = try service.waitUntilItAnswers()
            defer { peer.close() }
            try eventuallyBlocking("it knows whose account this is") {
                if let problem = try set(0, peer) { throw problem }
            }
            let filled = try fill(peer)
            var kept = filled.kept
            let problem = try #require(filled.refused)
            #expect(problem.code == "store.disk_full")
            #expect(problem.retryable)
            #expect(problem.message.contains("Free some space"))
            #expect(!kept.isEmpty)
            let told = try peer.ask(HealthReport.name, Array("{}".utf8))
            #expect(try HealthReport.Reply.decodedBody(told.body).problem?.code == "store.disk_full")
            // It keeps reporting the full disk, and still returns its data.
            for number in 1000...1020 {
                let again = try set(number, peer)
                #expect(again?.code == "store.disk_full")
            }
            try expect(kept, peer)

            try makeRoom(service)
            try eventuallyBlocking("it writes again") {
                if let problem = try set(2000, peer) { throw problem }
            }
            kept.append(2000)
            try expect(kept, peer)
            let mended = try peer.ask(HealthReport.name, Array("{}".utf8))
            #expect(try HealthReport.Reply.decodedBody(mended.body).problem == nil)
            #expect(try service.stop() == .exited(0))

            let second = try LoneService(.shield, directories, logPath: scratch.file("log"))
            let other = try second.waitUntilItAnswers()
            defer { other.close() }
            try expect(kept, other)
            #expect(try second.stop() == .exited(0))
        }

        /// Installs an app and approves its request to change settings.
        private func allow(_ directories: Directories, _ scratch: ScratchDirectory) async throws {
            let loop = try BusLoop(name: "full-disk")
            defer { loop.stop() }
            let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
            let bundle = try AppBundle(in: scratch, id: Self.app).path
            _ = try await client.call(AppInstall.self, .init(bundle: bundle))
            let member = try await client.call(MemberShow.self, .init()).member.name
            _ = try await client.call(MemberPasscode.self, .init(member: member, passcode: "2468"))
            let request = AuthRequest.Request(app: Self.app, scope: .individual)
            let question = try #require(try await client.call(AuthRequest.self, request).question)
            _ = try await client.call(
                AuthAnswer.self,
                .init(request: question.request, allow: true, by: member, passcode: "2468")
            )
            await client.close()
        }

        /// Writes until a write is rejected. Returns the acknowledged numbers and the rejection.
        private func fill(_ peer: RawPeer) throws -> (kept: [Int], refused: Problem?) {
            var kept: [Int] = []
            for number in 1...49 {
                if let problem = try set(number, peer) { return (kept, problem) }
                kept.append(number)
            }
            return (kept, nil)
        }

        /// Returns `nil` if the setting was acknowledged.
        private func set(_ number: Int, _ peer: RawPeer) throws -> Problem? {
            let apps = JSONValue.array((0..<50).map { .object(["id": .string(name($0))]) })
            let request = SettingsSet.Request(
                app: Self.app,
                store: "store-\(number)",
                settings: [
                    "appStore.maximumRating": .integer(Int64(number % 1000)), "shield.applications": apps,
                    "application.blockedApplications": apps,
                    "shield.applicationCategories": ["policy": "all", "except": apps],
                ]
            )
            return try peer.ask(SettingsSet.name, try request.encodedBody(), key: "disk/\(number)").problem
        }

        private func name(_ number: Int) -> String {
            String(repeating: "x", count: Self.nameBytes) + String(number)
        }

        private func expect(_ numbers: [Int], _ peer: RawPeer) throws {
            for number in numbers {
                let reply = try get(number, peer)
                #expect(reply.version == 1, "\(number)")
                #expect(reply.settings["appStore.maximumRating"] == .integer(Int64(number % 1000)))
            }
            #expect(try get(1000, peer).version == 0)
        }

        private func get(_ number: Int, _ peer: RawPeer) throws -> SettingsGet.Reply {
            let body = SettingsGet.Request(app: Self.app, store: "store-\(number)").encodedBody()
            return try SettingsGet.Reply.decodedBody(try peer.ask(SettingsGet.name, body).body)
        }
    }
}

extension SystemSuite {
    @Suite(
        "A service whose disk is full",
        .enabled(if: SmallDisk.isAvailable, "needs root: mounts a small file system")
    )
    struct FullDiskRootTests {
        @Test("A service on a full disk refuses writes, keeps acknowledged data, answers reads, and recovers")
        func fullDisk() async throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let disk = try SmallDisk(scratch, megabytes: 6)
            defer { disk.unmount() }
            try disk.takeRoom(bytes: 3 << 20)
            var directories = scratch.directories
            directories.state = disk.path + "/state"
            try await FullDiskTests().check(directories, scratch, wrapper: []) { _ in disk.makeRoom() }
        }
    }
}

/// A file system of a few megabytes, with a file that can be removed to free space.
final class SmallDisk {
    let path: String
    private var isMounted = false

    init(_ scratch: ScratchDirectory, megabytes: Int) throws {
        path = scratch.file("disk")
        mkdir(path, 0o700)
        try Self.run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "tmpfs", path])
        isMounted = true
    }

    deinit { unmount() }

    func unmount() {
        guard isMounted else { return }
        isMounted = false
        // Immediately if it is no longer in use, so that the directory can be removed too.
        if (try? Self.run("/usr/bin/umount", [path])) == nil {
            try? Self.run("/usr/bin/umount", ["--lazy", path])
        }
    }

    func takeRoom(bytes: Int) throws {
        try AtomicFile.write(Array(repeating: 0, count: bytes), to: path + "/ballast", durable: false)
    }

    func makeRoom() { unlink(path + "/ballast") }

    private static func run(_ program: String, _ arguments: [String]) throws {
        guard
            try SpawnedProcess(SpawnPlan(executable: program, arguments: arguments)).wait(deadlineMs: 10_000)
                == .exited(0)
        else {
            throw Problem("test.command", verbatim: "\(program) \(arguments.joined(separator: " ")) failed")
        }
    }

    /// True if file systems can be mounted here, which requires root and a machine that permits it.
    static let isAvailable: Bool = {
        guard RootAccount.isHere, let scratch = try? ScratchDirectory() else { return false }
        defer { scratch.remove() }
        let disk = try? SmallDisk(scratch, megabytes: 1)
        disk?.unmount()
        return disk != nil
    }()
}
