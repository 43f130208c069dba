import Glibc
import STContracts
import STPlatform

/// Reads many requests, and answers each with one line.
///
/// This process loads no fonts or pictures. A second process does, and keeps them for the next drawing. If the second process
/// hangs or crashes, it is ended and its request fails. The next request gets a new process.
struct Stay {
    private var input = LineInput(limitBytes: DrawLimits.requestBytes)
    private var painter: Painter?

    mutating func run() {
        // The process starts while the first request is on its way.
        painter = try? Painter()
        while true {
            let answer: [UInt8]
            switch input.next(withinMs: DrawLimits.stayMs) {
            case .over: return
            case .tooLong: answer = Self.said(nil, Input.tooLarge(DrawLimits.requestBytes))
            case .line(let line): answer = ask(line)
            }
            guard Output.write(answer + [0x0A], STDOUT_FILENO) else { return }
        }
    }

    private mutating func ask(_ line: [UInt8]) -> [UInt8] {
        do {
            let painter = try painter ?? Painter()
            self.painter = painter
            let begun = time(nil)
            if let frame = painter.ask(line, withinMs: DrawLimits.deadlineMs) {
                if frame.mark == .last { self.painter = nil }
                return frame.bytes
            }
            self.painter = nil
            let ending = painter.end()
            Self.removeHalfDrawn(line, since: begun)
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
            return Self.said((try? Numbered.decodedBody(line))?.number, problem)
        }
    }

    static func said(_ number: Int64?, _ problem: Problem) -> [UInt8] {
        (try? DrawStayAnswer(number: number, problem: problem).encodedBody()) ?? Array("{}".utf8)
    }

    /// Deletes the unfinished file of a failed request. A file that is older than the request belongs to another program.
    private static func removeHalfDrawn(_ line: [UInt8], since begun: time_t) {
        guard let request = try? DrawStayRequest.decodedBody(line) else { return }
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
