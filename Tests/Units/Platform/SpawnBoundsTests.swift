import Glibc
import STPlatform
import STTestSupport
import Testing

@Suite("Bounds of child processes")
struct SpawnBoundsTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Runs a script. Returns its output and the decisions about its sockets, made as a host makes them.
    private func run(
        _ script: String,
        program: String = "/bin/bash",
        endpoint: String? = nil,
        isBounded: Bool = true
    ) throws -> (text: String, decisions: [NetworkRefusals.Decision]) {
        let bounds = SpawnBounds(
            readable: ["/usr", "/bin", "/lib", "/lib64", "/etc", "/proc", scratch.file("read")],
            writable: ["/dev/null", scratch.file("write"), scratch.file("absent")],
            endpoint: endpoint
        )
        let output = try DescriptorPipe()
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: program,
                arguments: [program == "/bin/bash" ? "-c" : "-e", script],
                environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
                standardOutput: output.writeEnd.number,
                standardError: output.writeEnd.number,
                isTethered: true,
                bounds: isBounded ? bounds : nil
            )
        )
        let decisions = process.decisions()
        try output.makeReadEndNonblocking()
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(output.readEnd.number, &buffer, buffer.count)
        return (String(decoding: buffer[..<max(0, count)], as: UTF8.self), decisions)
    }

    @Test(
        "A bounded child can access files only as its bounds allow",
        .enabled(if: SpawnBounds.areEnforced),
        arguments: [
            ("cat read/a", "text"), ("cat outside", "cat: outside: Permission denied\n"),
            ("echo more >> read/a", "read/a: Permission denied\n"), ("rm read/a", "Permission denied\n"),
            ("echo new > write/b && cat write/b", "new\n"), ("mv write/a write/c && cat write/c", "text"),
            ("mv write/a away", "Permission denied\n"), ("ls .", "Permission denied\n"),
            ("ln read/a write/b", "Invalid cross-device link\n"),
            ("> write/run; chmod 700 write/run; write/run", "Permission denied\n"),
            ("echo > /dev/null && echo fine", "fine\n"),
            ("read name < /proc/$$/comm; echo $name", "bash\n"),
            ("echo 1 > /proc/$$/oom_score_adj", "Permission denied\n"),
        ]
    )
    func files(_ script: String, _ end: String) throws {
        for folder in ["read", "write"] { try Directories.prepare(scratch.file(folder)) }
        try scratch.write("text", to: "read/a")
        try scratch.write("text", to: "write/a")
        try scratch.write("secret", to: "outside")

        let text = try run("cd \(scratch.path); \(script)").text

        #expect(text.hasSuffix(end), "\(text)")
    }

    @Test("A bounded child cannot signal or inspect another process of its account, but an unbounded one can")
    func others() throws {
        // Root may inspect every process. If the tests run as root, both processes use another account.
        let account = getuid() == 0 ? ["--reuid=65534", "--regid=65534", "--clear-groups"] : []
        let plan = SpawnPlan(
            executable: "/usr/bin/setpriv",
            arguments: account + ["/bin/sleep", "60"],
            environment: ["SECRET": "secret"],
            isTethered: true
        )
        let other = try SpawnedProcess(plan)
        try eventuallyBlocking(within: .seconds(10), "it sleeps") {
            let name = ScratchDirectory.text("/proc/\(other.pid)/comm")
            guard name == "sleep\n" else { throw NotYet(name) }
        }
        let look = "cat /proc/\(other.pid)/environ; cat /proc/\(other.pid)/fd/0; kill -TERM \(other.pid)"
        let script = (["setpriv"] + account + ["bash", "-c", "'\(look)'"]).joined(separator: " ")
        let bounded = try run(script).text
        let isRunning = other.reap() == nil
        let free = try run(script, isBounded: false).text

        #expect(!bounded.contains("secret") && bounded.contains("environ: "), "\(bounded)")
        #expect(bounded.contains("fd/0: Permission denied") && bounded.contains("kill: "), "\(bounded)")
        #expect(isRunning && free.contains("SECRET=secret"), "\(free)")
        #expect(other.wait(deadlineMs: 10_000) == .signaled(SIGTERM))
    }

    @Test("The task count equals the number of threads in this account's processes")
    func tasksOfAccount() throws {
        func read() -> Int32 {
            ProcFile.processes().reduce(0) { sum, pid in
                let lines = ScratchDirectory.text("/proc/\(pid)/status").split(separator: "\n")
                func field(_ name: String) -> Int32? {
                    lines.first { $0.hasPrefix(name) }?.split(separator: "\t").dropFirst().first.flatMap {
                        Int32($0)
                    }
                }
                return sum + (field("Uid:") == Int32(getuid()) ? field("Threads:") ?? 0 : 0)
            }
        }
        // Other tests start and end processes, so the count only has to be
        // between the readings before and after it.
        #expect(
            comesTrue(within: .seconds(60)) {
                let before = read()
                let counted = ProcessTable.tasksOfAccount
                let after = read()
                return (min(before, after)...max(before, after)).contains(counted)
            }
        )
    }

    @Test("A child's limit of tasks is about the account's task count plus the maximum of its plan")
    func tasks() throws {
        let output = try DescriptorPipe()
        let before = ProcessTable.tasksOfAccount
        let plan = SpawnPlan(
            executable: "/bin/bash",
            arguments: ["-c", "ulimit -u"],
            standardOutput: output.writeEnd.number,
            isTethered: true,
            tasksMax: 1_000
        )
        #expect(try SpawnedProcess(plan).wait(deadlineMs: 10_000) == .exited(0))
        try output.makeReadEndNonblocking()
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(output.readEnd.number, &buffer, buffer.count)
        let limit = Int32(String(decoding: buffer[..<max(0, count)].dropLast(), as: UTF8.self)) ?? 0

        // Other processes start and end meanwhile.
        #expect(before > 0 && abs(limit - before - 1_000) < 500)
    }

    @Test("A child starts with its descriptor limit although its parent has more descriptors open")
    func descriptors() throws {
        let limit: Int32 = 64
        let held = try (0..<limit * 2).map { _ in try OwnedDescriptor.unnamedFile() }
        let plan = SpawnPlan(
            executable: "/bin/bash",
            arguments: ["-c", "exit $(ulimit -n)"],
            isTethered: true,
            bounds: SpawnBounds(readable: ["/"], writable: [], endpoint: "/nowhere"),
            descriptorsMax: limit
        )

        let process = try withExtendedLifetime(held) { try SpawnedProcess(plan) }

        _ = process.decisions()
        #expect(process.wait(deadlineMs: 10_000) == .exited(limit))
    }

    @Test("A bounded child can connect to its host's socket and is denied other Unix sockets")
    func sockets() throws {
        let own = try Listener(scratch.file("own"))
        let other = try Listener(scratch.file("other"))
        let script = """
            use IO::Socket::UNIX; use Socket;
            for my $path ("\(scratch.file("own"))", "\(scratch.file("other"))", "\\0abstract") {
                my $socket = IO::Socket::UNIX->new(Type => SOCK_STREAM(), Peer => $path);
                print $socket ? "open " : "$! ";
            }
            print socket(my $datagrams, AF_UNIX, SOCK_DGRAM, 0) ? "open " : "$! ";
            print socketpair(my $one, my $two, AF_UNIX, SOCK_DGRAM, 0) ? "open " : "$! ";
            """

        let (text, decisions) = try run(script, program: "/usr/bin/perl", endpoint: scratch.file("own"))

        let denied = "Permission denied "
        #expect(text == "open " + String(repeating: denied, count: 4))
        let refused = decisions.compactMap { decision -> String? in
            if case .refused(let refusal) = decision { refusal.description } else { nil }
        }
        #expect(decisions.first == .connected)
        #expect(
            refused == [
                "a socket of another program (\(scratch.file("other")))",
                "a socket of another program (@abstract)",
            ]
        )
        #expect(own.hasConnection() && !other.hasConnection())
    }

    @Test("A program's places are its folder and Swift's libraries, and no other path that its file names")
    func places() throws {
        try scratch.write("#!/bin/sh", to: "script")
        try scratch.write("\u{7f}ELF", to: "cut")
        for name in ["script", "cut"] {
            #expect(SpawnBounds.places(of: scratch.file(name)) == [scratch.path])
        }
        #expect(SpawnBounds.places(of: scratch.file("absent/program")).isEmpty)

        let program = try BuiltTree.program("screentime-test-extension")
        let known = SpawnBounds.places(of: program)
        let libraries = try #require(known.first { $0.hasSuffix("/lib/swift/linux") })
        #expect(known.contains(libraries.dropLast("/lib/swift/linux".count) + "/libexec"))
        // The same program, with / as its library path.
        let root = Array(repeating: UInt8(ascii: "/"), count: libraries.utf8.count)
        var bytes = try AtomicFile.read(program, limitBytes: 64 << 20)
        let place = try #require(bytes.firstRange(of: Array(libraries.utf8)))
        bytes.replaceSubrange(place, with: root)
        try AtomicFile.write(bytes, to: scratch.file("greedy"), durable: false)
        #expect(SpawnBounds.places(of: scratch.file("greedy")) == [scratch.path])
    }
}

extension SpawnedProcess {
    /// Decides each connection attempt of the process, as a host does, until the process ends.
    func decisions() -> [NetworkRefusals.Decision] {
        var decisions: [NetworkRefusals.Decision] = []
        if case .reporting(let refusals) = network {
            while reap() == nil, decisions.count < 20,
                Readiness.wait(refusals.descriptor.number, withinMs: 10_000)
            {
                decisions.append(refusals.next())
            }
        }
        _ = wait(deadlineMs: 10_000)
        return decisions
    }
}

/// A listening socket.
private final class Listener {
    private let socket: OwnedDescriptor

    init(_ path: String) throws {
        socket = OwnedDescriptor(Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let number = socket.number
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(number, 4) == 0 else { throw SystemError.make("listen", number: errno) }
    }

    func hasConnection() -> Bool { Readiness.wait(socket.number, withinMs: 0) }
}
