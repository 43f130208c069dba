import Glibc
import STCommandCore
import STContracts
import STPlatform

/// A file to import. It is read completely first, so that nothing is imported from a truncated file.
final class ImportFile {
    let header: ExportHeader
    let end: ExportEnd
    /// The number of lines between the first and the last.
    let lines: Int64
    private let reader: LineReader

    init(_ path: String) throws(Problem) {
        reader = try LineReader(path, bytesMax: ExportLine.bytesMax)
        header = try Self.header(try reader.next(), path)
        let whole = try Self.validate(reader, path)
        end = whole.end
        lines = whole.lines
        try reader.rewind()
        _ = try reader.next()
    }

    /// Returns the next line that is neither the first nor the last.
    func next() throws(Problem) -> (number: Int64, name: String, bytes: [UInt8])? {
        guard reader.number <= lines else { return nil }
        guard let bytes = try reader.next() else {
            throw ImportFault.located(
                Problem(
                    "import.changed",
                    """
                    the file ends here, but had \(lines + 2, "count") lines a moment ago. It was truncated \
                    while it was being read.
                    """
                ),
                reader.number
            )
        }
        guard let name = ExportLine.name(bytes) else {
            throw ImportFault.located(
                Problem(
                    "import.changed",
                    "the file changed while it was being read.",
                    key: "import.changed.the-file-changed"
                ),
                reader.number
            )
        }
        return (reader.number, name, bytes)
    }

    private static func header(_ line: [UInt8]?, _ path: String) throws(Problem) -> ExportHeader {
        func none(_ text: Message) -> Problem {
            Problem(
                "import.no_header",
                text: text,
                help: "screentime data export FILE",
                details: ["line": "1"]
            )
        }
        guard let line else {
            throw none(
                Message(
                    "import.no_header.is-empty",
                    "Line 1: \(path, "path") is empty, so it is not an export. Nothing was imported."
                )
            )
        }
        guard !isBinary(line) else {
            throw none(
                Message(
                    "import.no_header.is-not-text",
                    "Line 1: \(path, "path") is not text, so it is not an export. Nothing was imported."
                )
            )
        }
        guard let mark = try? ExportMark.decodedBody(line), mark.screentime == ExportHeader.mark else {
            throw none(
                Message(
                    "import.no_header.begins-differently",
                    """
                    Line 1: \(path, "path") does not begin with the header of an export, so it is not an \
                    export. Nothing was imported.
                    """
                )
            )
        }
        guard mark.version == ExportLine.version else {
            throw Problem(
                "import.other_version",
                """
                Line 1: this export has version \(mark.version, "version"), but this program reads version \
                \(ExportLine.version, "version2"). Nothing was imported. Use the program that wrote the \
                export, or a newer one.
                """,
                help: "screentime help",
                details: ["line": "1", "version": String(mark.version)]
            )
        }
        guard let header = try? ExportHeader.decodedBody(line) else {
            throw none(
                Message(
                    "import.no_header.names-no-device",
                    """
                    Line 1: the header of \(path, "path") does not name the device that was exported. Nothing \
                    was imported. Export again.
                    """
                )
            )
        }
        return header
    }

    /// Reads all lines once to find faults of the file. Faults of its content are found during the import.
    private static func validate(_ reader: LineReader, _ path: String) throws(Problem) -> (
        end: ExportEnd, lines: Int64
    ) {
        var lines: Int64 = 0
        while let line = try reader.next() {
            let number = reader.number
            do {
                try check(line, number)
            } catch {
                // The last line of a truncated file is usually invalid.
                if reader.isOpenEnded { throw truncated(path, number) }
                throw error
            }
            let name = ExportLine.name(line) ?? ""
            guard name == "end" else {
                guard ExportLine.Kind(rawValue: name) != nil else { throw unknown(name, number) }
                lines += 1
                continue
            }
            guard let end = try? ExportEnd.decodedBody(line) else {
                throw ImportFault.located(
                    Problem("import.bad_end", "the last line does not contain the number of lines."),
                    number
                )
            }
            guard end.lines == lines + 1 else {
                throw ImportFault.located(
                    Problem(
                        "import.lines_missing",
                        """
                        according to its last line, the export has \(end.lines, "said") lines before that \
                        line, but the file has \(lines + 1, "found"). Lines were removed or added. Nothing \
                        was imported. Export again.
                        """
                    ),
                    number
                )
            }
            guard try reader.next() == nil else {
                throw ImportFault.located(
                    Problem(
                        "import.more_after_end",
                        """
                        the file continues after the end of the export. Nothing was imported. Remove \
                        everything after the end.
                        """
                    ),
                    reader.number
                )
            }
            return (end, lines)
        }
        throw truncated(path, reader.number)
    }

    private static func check(_ line: [UInt8], _ number: Int64) throws(Problem) {
        if isBinary(line) {
            throw ImportFault.located(
                Problem(
                    "import.binary",
                    "this is not text. Nothing was imported. The file is damaged, or it is the wrong file."
                ),
                number
            )
        }
        do {
            try JSONText.requireObject(line)
            guard ExportLine.name(line) != nil else { throw JSONFault.notAnObject }
        } catch {
            throw ImportFault.located(
                Problem(
                    "import.not_json",
                    """
                    this is not a JSON object with at least one key. Nothing was imported. Correct the line \
                    or export again.
                    """
                ),
                number
            )
        }
    }

    private static func isBinary(_ line: [UInt8]) -> Bool {
        line.contains(0) || String(validating: line, as: UTF8.self) == nil
    }

    private static func unknown(_ name: String, _ number: Int64) -> Problem {
        let near = TextFormat.closest(to: name, in: ExportLine.Kind.allCases.map(\.rawValue))
        let shown = String(name.prefix(40)).sanitized
        let text =
            near.map {
                Message(
                    "import.unknown_line.did-you-mean",
                    """
                    “\(shown, "name")” is not a type of line in an export. Did you mean \($0, "near")? \
                    Nothing was imported.
                    """
                )
            }
            ?? Message(
                "import.unknown_line",
                "“\(shown, "name")” is not a type of line in an export. Nothing was imported."
            )
        return ImportFault.located(Problem("import.unknown_line", text: text), number)
    }

    private static func truncated(_ path: String, _ number: Int64) -> Problem {
        ImportFault.located(
            Problem(
                "import.truncated",
                """
                \(path, "path") ends here without the last line of an export, so it is incomplete. Nothing \
                was imported. Copy or export it again.
                """
            ),
            number
        )
    }
}

/// Reads a file of any length line by line.
final class LineReader {
    private let file: OwnedDescriptor
    private let path: String
    private let bytesMax: Int
    private var buffer: [UInt8] = []
    private var place = 0
    private var isAtEnd = false
    private var part = [UInt8](repeating: 0, count: 64 * 1024)
    /// The number of the last line that was read, from 1.
    private(set) var number: Int64 = 0
    /// True if the line had no line end. The file is truncated, or has no line end after its last line.
    private(set) var isOpenEnded = false

    init(_ path: String, bytesMax: Int) throws(Problem) {
        self.path = path
        self.bytesMax = bytesMax
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else {
            throw Problem(
                "import.not_readable",
                "Cannot read \(path, "path"): \(SystemError.text(errno), "errno")."
            )
        }
        file = OwnedDescriptor(number)
        var about = stat()
        guard fstat(number, &about) == 0 else { throw SystemError.last("fstat") }
        if about.st_mode & S_IFMT == S_IFDIR {
            throw Problem(
                "import.is_directory",
                "\(path, "path") is a directory; name the file that `screentime data export` wrote.",
                help: "screentime data import FILE"
            )
        }
        // The file is read twice: first to check it, then to import it.
        guard about.st_mode & S_IFMT == S_IFREG else {
            throw Problem(
                "import.not_a_file",
                "\(path, "path") is not a regular file. Save its content in a file first.",
                help: "screentime data import FILE"
            )
        }
    }

    func rewind() throws(Problem) {
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemError.last("lseek") }
        buffer = []
        place = 0
        number = 0
        isAtEnd = false
        isOpenEnded = false
    }

    /// Returns the next line without its line end. Returns `nil` at the end of the file.
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
                throw Problem(
                    "import.not_readable",
                    "Cannot read \(path, "path"): \(SystemError.text(errno), "errno")."
                )
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
        ImportFault.located(
            Problem(
                "import.line_too_long",
                """
                the line is longer than \(TextFormat.bytes(Int64(bytesMax)), "bytes"), the maximum for a \
                line of an export.
                """
            ),
            number
        )
    }
}

/// Describes a fault in a line of a file.
enum ImportFault {
    /// Adds the line's number to a problem in the line, or to a service's problem with its content.
    static func located(_ problem: Problem, _ line: Int64) -> Problem {
        var problem = problem
        problem.text = Message("import.in-a-line", "Line \(line, "line"): \(problem.text, "problem")")
        problem.details["line"] = String(line)
        problem.field = nil
        return problem
    }
}
