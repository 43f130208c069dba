import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

extension SystemSuite {
    @Suite("A service that cannot start")
    struct StartRefusalTests {
        fileprivate let scratch: ScratchDirectory

        init() throws { scratch = try ScratchDirectory() }

        /// Starts the service, and expects the exit code and the text.
        fileprivate func expectRefusal(
            _ directories: Directories,
            status: Int32,
            words: [String],
            environment: [String: String] = [:],
            location: SourceLocation = #_sourceLocation
        ) throws {
            let service = try LoneService(
                .activity,
                directories,
                logPath: scratch.file("log"),
                environment: environment
            )
            #expect(try service.waitForExit() == .exited(status), sourceLocation: location)
            let log = service.log
            for word in words { #expect(log.contains(word), "\(log)", sourceLocation: location) }
        }

        private func write(_ text: String, _ path: String) throws {
            try AtomicFile.write(Array(text.utf8), to: path, durable: false)
        }

        @Test("A service with a misspelt setting does not start and suggests the right one")
        func typo() throws {
            try write("log_levle = debug\n", scratch.directories.config)
            try expectRefusal(
                scratch.directories,
                status: 78,
                words: ["config.unknown_key", "line 1", "no setting log_levle", "Did you mean log_level?"]
            )
        }

        @Test("A service with an invalid section, line or value in its settings does not start and names it")
        func brokenConfiguration() throws {
            let path = scratch.directories.config
            try write("[desktop-agnet]\n", path)
            try expectRefusal(
                scratch.directories,
                status: 78,
                words: ["config.unknown_section", "Did you mean desktop-agent?"]
            )
            try write("# fine\n\nnonsense\n", path)
            try expectRefusal(scratch.directories, status: 78, words: ["config.bad_line", "line 3"])
            try write("log_level = loud\n", path)
            try expectRefusal(
                scratch.directories,
                status: 78,
                words: ["config.bad_value", "debug, info, warning, error"]
            )
            try write("", path)
            try expectRefusal(
                scratch.directories,
                status: 78,
                words: ["config.bad_value", "SCREENTIME_LOG_LEVEL"],
                environment: ["SCREENTIME_LOG_LEVEL": "loud"]
            )
        }

        @Test("A service whose socket path is too long does not start and states the limit")
        func longPath() throws {
            var directories = scratch.directories
            directories.run = scratch.file(String(repeating: "long", count: 25))
            try expectRefusal(
                directories,
                status: 78,
                words: ["path.too_long", "at most 107", "SCREENTIME_RUN"]
            )
        }

        @Test("A service with a relative, open or linked directory does not start and states the reason")
        func badDirectories() throws {
            var directories = scratch.directories
            directories.run = "run"
            try expectRefusal(directories, status: 78, words: ["path.not_absolute", "SCREENTIME_RUN"])
            directories = scratch.directories
            mkdir(directories.run, 0o700)
            chmod(directories.run, 0o777)
            try expectRefusal(
                directories,
                status: 78,
                words: ["directory.too_open", "chmod 700 \(directories.run)"]
            )
            directories.run = scratch.file("link")
            symlink("/tmp", directories.run)
            try expectRefusal(directories, status: 78, words: ["directory.is_link"])
            directories.run = scratch.file("file")
            try write("", directories.run)
            try expectRefusal(directories, status: 78, words: ["directory.in_the_way"])
        }

        @Test("A service with a read-only database does not start and names the file")
        func readOnlyDatabase() throws {
            let path = try useOnce()
            chmod(path, 0o400)
            try expectRefusal(scratch.directories, status: 74, words: ["store.read_only", path])
            chmod(path, 0o600)
            try expectAnswers()
        }

        @Test("A service with a damaged database starts, quarantines the file and does not change it")
        func corruptDatabase() throws {
            let path = try useOnce()
            let good = try AtomicFile.read(path, limitBytes: 64 << 20)
            // The header, the data after it, the tables' tree, and the beginning of every page after the first.
            let pages = Array(stride(from: 4096, to: good.count, by: 4096))
            for places in [[0], [20], [101], pages] {
                var bad = good
                for place in places { for index in place..<(place + 60) { bad[index] ^= 0x5A } }
                try AtomicFile.write(bad, to: path, durable: false)
                try expectQuarantine("store.", path)
                #expect(try AtomicFile.read(path, limitBytes: 64 << 20) == bad)
            }
            try write("SQLite format 3", path)
            try expectQuarantine("store.corrupt", path)
            try AtomicFile.write(good, to: path, durable: false)
            try expectAnswers()
        }

        @Test(
            "A service with another program's database starts, quarantines the file and does not change it"
        )
        func otherDatabase() throws {
            let path = try useOnce()
            var bytes = try AtomicFile.read(path, limitBytes: 64 << 20)
            // The application id is at byte 68.
            bytes[68] ^= 0xFF
            try AtomicFile.write(bytes, to: path, durable: false)
            try expectQuarantine("store.foreign_file", path)
            #expect(try AtomicFile.read(path, limitBytes: 64 << 20) == bytes)
        }

        /// Expects that the service answers each request with the file's problem.
        private func expectQuarantine(_ code: String, _ path: String) throws {
            let service = try LoneService(.activity, scratch.directories, logPath: scratch.file("log"))
            let peer = try service.waitUntilItAnswers()
            let health = try HealthReport.Reply.decodedBody(try peer.ask(HealthReport.name).body)
            #expect(health.state == "quarantined")
            #expect(health.problem?.code.hasPrefix(code) == true, "\(health)")
            #expect(health.problem?.message.contains(path) == true, "\(health)")
            #expect(try peer.ask(UsageNow.name).problem?.code == health.problem?.code)
            peer.close()
            #expect(try service.stop() == .exited(0))
        }

        /// Returns the path of a database that was used and closed.
        private func useOnce() throws -> String {
            try expectAnswers()
            return scratch.directories.database(service: ServiceName.activity.rawValue)
        }

        private func expectAnswers() throws {
            let service = try LoneService(.activity, scratch.directories, logPath: scratch.file("log"))
            try service.waitUntilItAnswers().close()
            #expect(try service.stop() == .exited(0))
        }
    }
}

extension SystemSuite {
    @Suite(
        "A service in a directory of another account",
        .enabled(if: RootAccount.isHere, "needs root: gives a directory away")
    )
    struct StartRefusalRootTests {
        @Test("A service in another account's directory does not start and names that account")
        func foreignDirectory() throws {
            let refusal = try StartRefusalTests()
            let directories = refusal.scratch.directories
            mkdir(directories.run, 0o700)
            chown(directories.run, Accounts.other, Accounts.other)
            let words = ["directory.not_ours", "belongs to uid \(Accounts.other)"]
            try refusal.expectRefusal(directories, status: 78, words: words)
        }
    }
}
