import Glibc
import STContracts
import STPlatform

/// Reads many requests, and answers each with one line.
///
/// This process loads no fonts or pictures. A second process does, and keeps them for the next drawing. If the second process
/// hangs or crashes, it is ended and its request fails. The next request gets a new process.
struct DrawingSession {
    private var input = LineInput(limitBytes: DrawLimits.requestBytes)
    private var painter: PainterProcess?

    mutating func run() {
        // The process starts while the first request is on its way.
        painter = try? PainterProcess()
        while true {
            let answer: [UInt8]
            switch input.next(within: .milliseconds(DrawLimits.stayMs)) {
            case .end: return
            case .tooLong: answer = Self.encodeReply(nil, Input.tooLarge(DrawLimits.requestBytes))
            case .line(let line): answer = request(line)
            }
            guard Output.write(answer + [0x0A], STDOUT_FILENO) else { return }
        }
    }

    private mutating func request(_ line: [UInt8]) -> [UInt8] {
        do {
            let painter = try painter ?? PainterProcess()
            self.painter = painter
            let begun = time(nil)
            if let frame = painter.request(line, within: .milliseconds(DrawLimits.deadlineMs)) {
                if frame.mark == .last { self.painter = nil }
                return frame.bytes
            }
            self.painter = nil
            let ending = painter.end()
            Self.removePartialOutput(line, since: begun)
            throw Problem(
                "draw.failed",
                "The picture could not be drawn: \(ending, "ending").",
                key: "draw.failed.the-picture-could"
            )
        } catch {
            let problem =
                error as? Problem
                ?? Problem(
                    "draw.failed",
                    "Drawing failed: \(error, "error")"
                )
            return Self.encodeReply((try? Numbered.decodedBody(line))?.number, problem)
        }
    }

    static func encodeReply(_ number: Int64?, _ problem: Problem) -> [UInt8] {
        (try? DrawSessionReply(number: number, problem: problem).encodedBody()) ?? Array("{}".utf8)
    }

    /// Deletes the unfinished file of a failed request. A file that is older than the request belongs to another program.
    private static func removePartialOutput(_ line: [UInt8], since begun: time_t) {
        guard let request = try? DrawSessionRequest.decodedBody(line) else { return }
        let isBare = [request.shield?.format, request.panel?.format].contains(.argb32)
        guard isBare, let path = request.shield?.output ?? request.panel?.output else { return }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_ctim.tv_sec >= begun
        else {
            return
        }
        unlink(path)
    }

    /// The number of a request that is otherwise invalid.
    struct Numbered: WireBody, Codable {
        var number: Int64
    }
}
