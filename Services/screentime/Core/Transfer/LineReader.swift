import Glibc
import STPlatform

/// The lines of a file, one at a time, however long the file is.
final class LineReader {
    private let file: OwnedDescriptor
    private let path: String
    private let bytesMax: Int
    private var buffer: [UInt8] = []
    private var place = 0
    private var isAtEnd = false
    private var part = [UInt8](repeating: 0, count: 64 * 1024)
    /// Of the line that was read last, counted from 1.
    private(set) var number: Int64 = 0
    /// Whether that line had no end: whoever wrote it was cut off, or does not write line ends.
    private(set) var isOpenEnded = false

    init(_ path: String, bytesMax: Int) throws(Problem) {
        self.path = path
        self.bytesMax = bytesMax
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else {
            throw Problem("import.not_readable", "Cannot read \(path): \(SystemError.text(errno)).")
        }
        file = OwnedDescriptor(number)
        var about = stat()
        guard fstat(number, &about) == 0 else { throw SystemError.last("fstat") }
        if about.st_mode & S_IFMT == S_IFDIR {
            throw Problem(
                "import.is_directory",
                "\(path) is a directory; name the file that `screentime data export` wrote.",
                help: "screentime data import FILE"
            )
        }
        // It is read twice: first all of it is looked at, then it is brought in.
        guard about.st_mode & S_IFMT == S_IFREG else {
            throw Problem(
                "import.not_a_file",
                "\(path) is no plain file. Write what comes from there into a file first.",
                help: "screentime data import FILE"
            )
        }
    }

    /// To the beginning.
    func rewind() throws(Problem) {
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemError.last("lseek") }
        buffer = []
        place = 0
        number = 0
        isAtEnd = false
        isOpenEnded = false
    }

    /// Without its end; nil at the end of the file.
    func next() throws(Problem) -> [UInt8]? {
        var searched = place
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                number += 1
                let line = Array(buffer[place..<end])
                place = end + 1
                return try checked(line)
            }
            searched = buffer.count
            guard searched - place <= bytesMax else { throw tooLong(number + 1) }
            if isAtEnd {
                guard place < buffer.count else { return nil }
                number += 1
                isOpenEnded = true
                let line = Array(buffer[place...])
                place = buffer.count
                return try checked(line)
            }
            buffer.removeFirst(place)
            searched -= place
            place = 0
            try fill()
        }
    }

    private func fill() throws(Problem) {
        while true {
            let count = read(file.number, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw Problem("import.not_readable", "Cannot read \(path): \(SystemError.text(errno)).")
            }
            isAtEnd = count == 0
            buffer += part[..<count]
            return
        }
    }

    private func checked(_ line: [UInt8]) throws(Problem) -> [UInt8] {
        guard line.count <= bytesMax else { throw tooLong(number) }
        return line
    }

    private func tooLong(_ number: Int64) -> Problem {
        ImportFault.problem(
            "import.line_too_long",
            number,
            "it is longer than \(TextFormat.bytes(Int64(bytesMax))), which no line of an export is."
        )
    }
}
