import Glibc
import STContracts
import STDrawing
import STPlatform

/// Writes answers and pictures to descriptors and files.
enum Output {
    @discardableResult
    static func write(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }

    /// Throws if the path cannot be the output of a picture.
    static func check(_ path: String) throws(Problem) {
        guard path == "-" || path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw Problem(
                "draw.bad_path",
                "The output must be an absolute path, or - for standard output.",
                key: "draw.bad_path.the-output-is",
                field: "/output"
            )
        }
    }

    /// Draws a picture and writes it to the requested output.
    ///
    /// Raw pixels get a new file, which is drawn into directly and never written again. So a program that shows the picture may
    /// map it. `draw` receives the canvas to draw on, or nil if it must create one.
    static func write<Drawn>(
        _ format: DrawFormat?,
        to path: String,
        width: Int,
        height: Int,
        mode: UInt32,
        _ draw: (Canvas?) throws(Problem) -> (Drawn, Canvas)
    ) throws(Problem) -> (drawn: Drawn, written: Written) {
        guard format == .argb32, path != "-" else {
            let (drawn, canvas) = try draw(nil)
            let bytes = format == .argb32 ? canvas.argb32() : try canvas.png()
            let isOut = try write(bytes, to: path, mode: mode)
            return (drawn, Written(bytes: bytes.count, isOnStandardOutput: isOut))
        }
        let file = try PixelFile(path, width: width, height: height)
        do throws(Problem) {
            let (drawn, _) = try draw(try Canvas(file))
            return (drawn, Written(bytes: file.count, isOnStandardOutput: false))
        } catch {
            file.discard()
            throw error
        }
    }

    struct Written {
        var bytes: Int
        var isOnStandardOutput: Bool
    }

    /// Writes a picture. Returns true if it was written to standard output, so that the answer must go elsewhere.
    static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o644) throws(Problem) -> Bool {
        if path == "-" {
            guard write(bytes, STDOUT_FILENO) else {
                throw Problem(
                    "draw.not_written",
                    """
                    The picture could not be written to standard output: the program that reads it has \
                    ended.
                    """
                )
            }
            return true
        }
        try AtomicFile.write(bytes, to: path, mode: mode, durable: false)
        return false
    }
}
