import Glibc
import STContracts
import STPlatform
import STTestSupport

/// Runs `screentime-draw` as a separate process.
struct DrawingProgram {
    struct Run {
        var status: ExitStatus
        var output: [UInt8]
        var errors: String

        func answer() throws -> DrawAnswer { try DrawAnswer.decodedBody(output) }
        func answer<Answer: WireBody>(_ type: Answer.Type) throws -> Answer { try Answer.decodedBody(output) }
        func problem() throws -> Problem { try Problem.decodedBody(output) }
    }

    let scratch: ScratchDirectory

    func run(_ request: DrawRequest) throws -> Run { try run(bytes: try request.encodedBody()) }

    /// `limit` is an argument of `ulimit`, for example `-v 1200000` for KiB of memory.
    func run(bytes: [UInt8], _ arguments: [String] = [], limit: String? = nil) throws -> Run {
        try AtomicFile.write(bytes, to: scratch.file("in"), durable: false)
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/bin/sh",
                arguments: [
                    "-c",
                    (limit.map { "ulimit \($0) && " } ?? "")
                        + "folder=\"$0\" && exec \"$@\" <\"$folder/in\" >\"$folder/out\" 2>\"$folder/err\"",
                    scratch.path, try BuiltTree.program("screentime-draw"),
                ] + arguments,
                environment: ["HOME": scratch.path]
            )
        )
        guard let status = process.wait(deadlineMs: 60_000) else {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 5_000)
            throw Problem("test.overdue", "screentime-draw did not end")
        }
        return Run(
            status: status,
            output: try AtomicFile.read(scratch.file("out"), limitBytes: 256 << 20),
            errors: ScratchDirectory.text(scratch.file("err"))
        )
    }
}
