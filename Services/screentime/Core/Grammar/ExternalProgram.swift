import Glibc
import STPlatform
import STWire

/// Runs a command in another program, which is in the same folder as this one.
enum ExternalProgram {
    /// The environment variable that makes the other program write a problem as JSON to standard error.
    static let problemsAsJSON = "SCREENTIME_PROBLEMS_AS_JSON"
    /// Applies only if this process reads the output. Otherwise the program replaces this process.
    private static let timeout: Duration = .seconds(5 * 60)
    private static let outputBytesMax = 32 << 20

    static func run(_ program: String, _ invocation: Invocation) async throws -> ExitCode {
        let path = try find(program, invocation)
        guard let sink = invocation.terminal.sink else {
            throw replaceThisProcess(by: path, invocation.arguments, invocation.environment)
        }
        // This process continues and reads the output.
        let output = try OwnedDescriptor.unnamedFile()
        let arguments = invocation.arguments
        let environment = invocation.environment.merging([problemsAsJSON: "1"]) { $1 }
        let run = try await OwnThread.run(program) {
            try ProgramRun.run(
                path,
                arguments,
                environment: environment,
                output: output,
                isTethered: true,
                timeout: timeout
            )
        }
        if !run.status.isSuccess, let problem = problem(in: run.output) { throw problem }
        lseek(output.number, 0, SEEK_SET)
        let bytes = try OwnedDescriptor.readAll(
            output.number,
            limitBytes: outputBytesMax,
            tooLarge: Problem(
                "program.too_large",
                "\(program, "program") wrote more than 32 MiB. Save its output in a file instead."
            )
        )
        sink(String(decoding: bytes, as: UTF8.self), STDOUT_FILENO)
        sink(run.output, STDERR_FILENO)
        guard case .exited(let code) = run.status else { return .no }
        return ExitCode(rawValue: code) ?? .no
    }

    /// Returns the problem that the other program wrote as its last line.
    private static func problem(in output: String) -> Problem? {
        output.split(whereSeparator: \.isNewline).last.flatMap { try? Problem.decodedBody(Array($0.utf8)) }
    }

    private static func find(_ program: String, _ invocation: Invocation) throws -> String {
        let places = try SystemPlaces(invocation)
        try SourceTree.buildOfKit([program], invocation.terminal)
        let path = "\(places.binaries)/\(program)"
        // Without the second condition, a program that lacks a command would start itself endlessly.
        guard access(path, X_OK) == 0, path != ProcFile.ownExecutable() else {
            throw Problem(
                "program.missing",
                """
                This command needs the program \(program, "program"). It is in the Debian package \
                screentime-developer.
                """,
                key: "program.missing.this-command-needs",
                help: "sudo apt install ./screentime-developer_*.deb"
            )
        }
        return path
    }

    /// Returns only if `execve` fails.
    private static func replaceThisProcess(
        by path: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) -> Problem {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        execve(path, &words, &variables)
        return SystemError.last("execve")
    }
}
