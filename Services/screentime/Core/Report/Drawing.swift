import Glibc
package import STContracts
import STPlatform

/// Runs `screentime-draw`, so that text layout and its libraries are not in this process.
package struct DrawingRunner: Sendable {
    package static let program = "screentime-draw"
    /// Upper bound on the printed output. The picture goes to a file.
    private static let outputBytesMax = 256 * 1024

    private let path: String
    private let timeout: Duration

    package init(path: String, timeout: Duration = .milliseconds(DrawLimits.deadlineMs)) {
        self.path = path
        self.timeout = timeout
    }

    /// Returns the program in the folder of this command.
    package static func beside(_ executable: String) -> DrawingRunner {
        DrawingRunner(path: "\(FileTree.parent(of: executable))/\(program)")
    }

    package func draw(_ request: DrawRequest, environment: [String: String] = [:]) throws -> DrawAnswer {
        let missing = Message(
            "draw.not_installed.without-png",
            """
            The program that draws pictures is missing: \(path, "path"). Install it in the same folder as \
            this command, or leave out --png to show the shield as text.
            """
        )
        return try run(request, arguments: [], missing: missing, environment: environment)
    }

    package func draw(_ request: DrawPageRequest, environment: [String: String] = [:]) throws
        -> DrawPageAnswer
    {
        let missing = Message(
            "draw.not_installed.without-a-picture",
            """
            The program that draws pictures is missing: \(path, "path"). Install it in the same folder as \
            this command, or leave out the picture to show the report as text.
            """
        )
        return try run(request, arguments: ["--page"], missing: missing, environment: environment)
    }

    /// Returns the variables that locate fonts, and no others.
    package static func fonts(of environment: [String: String]) -> [String: String] {
        let kept = [
            "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE",
            "FONTCONFIG_PATH",
        ]
        return environment.filter { kept.contains($0.key) }
    }

    private func run<Answer: WireBody>(
        _ request: any WireBody,
        arguments: [String],
        missing: Message,
        environment: [String: String]
    ) throws -> Answer {
        guard access(path, X_OK) == 0 else {
            throw Problem("draw.not_installed", text: missing)
        }
        // Unnamed files instead of pipes, so that neither process can wait for the other.
        let input = try OwnedDescriptor.unnamedFile(holding: request.encodedBody())
        let (output, errors) = (try OwnedDescriptor.unnamedFile(), try OwnedDescriptor.unnamedFile())
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: path,
                arguments: arguments,
                environment: environment,
                standardOutput: output.number,
                standardError: errors.number,
                descriptors: [0: input.number]
            )
        )
        guard let status = process.wait(deadlineMs: timeout.ms) else {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 1000)
            throw Problem(
                "draw.too_slow",
                text: errorText(errors).map {
                    Message(
                        "draw.too_slow.it-said",
                        """
                        Drawing the picture took longer than \
                        \(MessageValue.duration(ms: timeout.ms), "time") and was stopped. Output: \
                        \($0, "said")
                        """
                    )
                }
                    ?? Message(
                        "draw.too_slow.was-stopped",
                        """
                        Drawing the picture took longer than \(MessageValue.duration(ms: timeout.ms), "time") and \
                        was stopped.
                        """
                    ),
                retryable: true
            )
        }
        return try answer(status, output: output, errors: errors)
    }

    private func answer<Answer: WireBody>(
        _ status: ExitStatus,
        output: OwnedDescriptor,
        errors: OwnedDescriptor
    ) throws -> Answer {
        let bytes = content(output)
        if status.isSuccess, let answer = try? Answer.decodedBody(bytes) { return answer }
        // The program prints a problem if it refuses the request. It prints none if it crashed.
        if case .exited = status, let problem = try? Problem.decodedBody(bytes) { throw problem }
        throw Problem(
            "draw.failed",
            text: errorText(errors).map {
                Message(
                    "draw.failed.it-said",
                    """
                    The picture could not be drawn: \(Self.program, "program") \(status, "ending"). Output: \
                    \($0, "said")
                    """
                )
            }
                ?? Message(
                    "draw.failed.of-a-program",
                    "The picture could not be drawn: \(Self.program, "program") \(status, "ending")."
                )
        )
    }

    private func errorText(_ errors: OwnedDescriptor) -> String? {
        let lines = String(decoding: content(errors), as: UTF8.self).split { $0.isNewline }
        let text = DisplayWidth.sanitized(lines.joined(separator: " "))
        return text.isEmpty ? nil : DisplayWidth.truncated(text, 600)
    }

    // MARK: - Files

    private func content(_ file: OwnedDescriptor) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count < Self.outputBytesMax {
            let count = pread(file.number, &part, part.count, off_t(bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return bytes
    }
}

/// A report as a picture in a file. A child process draws it and ends afterwards.
package enum ReportPicture {
    /// Writes the picture as PNG or SVG. The answer contains its size, and the parts that could not be drawn as intended.
    ///
    /// `path` is absolute. `chosen` has one option for each of the page's controls. `nil` draws the initial options.
    @discardableResult
    package static func write(
        _ page: Page,
        to path: String,
        width: Double? = nil,
        scale: Double? = nil,
        appearance: DrawAppearance = .light,
        format: DrawFormat = .png,
        chosen: [Int]? = nil,
        environment: [String: String] = [:]
    ) throws -> DrawPageAnswer {
        let request = DrawPageRequest(
            page: page,
            width: width,
            scale: scale,
            appearance: appearance,
            chosen: chosen,
            format: format,
            output: path
        )
        return try write(request, with: .beside(SystemPlaces.executable()), environment)
    }

    package static func write(
        _ request: DrawPageRequest,
        with child: DrawingRunner,
        _ environment: [String: String] = [:]
    ) throws -> DrawPageAnswer {
        guard request.output.hasPrefix("/") else {
            throw Problem("draw.bad_path", "The path of a picture must be absolute.", field: "/output")
        }
        return try child.draw(request, environment: DrawingRunner.fonts(of: environment))
    }
}
