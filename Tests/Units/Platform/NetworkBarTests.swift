import Glibc
import STPlatform
import STTestSupport
import Testing

@Suite("Child processes without network access")
struct NetworkBarTests {
    private static let script = """
        exec 3<>/dev/tcp/127.0.0.1/9
        """

    private static func plan(_ bounds: SpawnBounds?, _ output: DescriptorPipe, script: String = script)
        -> SpawnPlan
    {
        SpawnPlan(
            executable: "/bin/bash",
            arguments: ["-c", script],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
            standardOutput: output.writeEnd.number,
            standardError: output.writeEnd.number,
            isTethered: true,
            bounds: bounds
        )
    }

    private static func text(_ output: DescriptorPipe) throws -> String {
        try output.makeReadEndNonblocking()
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(output.readEnd.number, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    @Test(
        "An offline child is denied an IPv4 socket, and its parent receives the attempt if the kernel reports it"
    )
    func told() throws {
        let output = try DescriptorPipe()
        let process = try SpawnedProcess(Self.plan(.offline, output))
        guard case .reporting(let refusals) = process.network else {
            // A kernel that cannot report attempts still denies them.
            _ = process.wait(deadlineMs: 10_000)
            #expect(try Self.text(output).contains("Permission denied"))
            return
        }

        // bash also looks up account names, so only the last attempt is compared.
        let tries = process.decisions().compactMap { decision -> NetworkRefusals.Refusal? in
            if case .refused(let refusal) = decision { refusal } else { nil }
        }
        #expect(tries.last?.family == AF_INET)
        #expect(tries.last?.description.contains("IPv4") == true)
        #expect(process.wait(deadlineMs: 10_000) == .exited(1))
        #expect(try Self.text(output).contains("Permission denied"))
        // No process remains that could make an attempt.
        #expect(refusals.next() == .gone)
    }

    @Test("An offline child is denied sockets even after its parent has released its process")
    func unheard() throws {
        let output = try DescriptorPipe()
        var process: SpawnedProcess? = try SpawnedProcess(
            Self.plan(.offline, output, script: "sleep 0.2; " + Self.script)
        )
        #expect(process != nil)
        // Releasing the process closes the descriptor that reports attempts.
        process = nil

        var text = ""
        let isRefused = comesTrue {
            text += try Self.text(output)
            return text.contains("Function not") || text.contains("Permission denied")
        }
        #expect(isRefused, "\(text)")
    }

    @Test("A program run by an offline child has a seccomp filter and cannot gain privileges")
    func inherited() throws {
        let output = try DescriptorPipe()
        let process = try SpawnedProcess(
            Self.plan(.offline, output, script: "grep -E 'NoNewPrivs|Seccomp:' /proc/self/status")
        )

        _ = process.decisions()
        #expect(process.wait(deadlineMs: 10_000) == .exited(0))
        #expect(try Self.text(output) == "NoNewPrivs:\t1\nSeccomp:\t2\n")
    }

    @Test("A child without bounds has an open network and can use an IPv4 socket")
    func open() throws {
        let output = try DescriptorPipe()
        let process = try SpawnedProcess(Self.plan(nil, output))

        #expect(process.wait(deadlineMs: 10_000) == .exited(1))
        guard case .open = process.network else {
            throw Problem("test.network", verbatim: "\(process.network)")
        }
        #expect(try Self.text(output).contains("Connection refused"))
    }
}

extension SpawnBounds {
    /// Bounds that allow all files and no existing socket.
    fileprivate static let offline = SpawnBounds(readable: ["/"], writable: ["/"], endpoint: "/nowhere")
}
