import Glibc
import STPlatform
import STTestSupport
import Testing

@Suite("Atomic files")
struct AtomicFileTests {
    @Test("An atomic write replaces a file's content and mode, and leaves no other file")
    func replace() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("settings")

        try AtomicFile.write(Array("old".utf8), to: path)
        try AtomicFile.write(Array("new".utf8), to: path, mode: 0o640, durable: false)

        #expect(ScratchDirectory.text(path) == "new")
        var about = stat()
        #expect(stat(path, &about) == 0)
        #expect(about.st_mode & 0o777 == 0o640)
        // The directory can be removed after this file, so the writes left no other file.
        #expect(unlink(path) == 0)
        #expect(rmdir(scratch.path) == 0)
    }

    @Test("A file within the size limit is read, and a larger or missing file is rejected")
    func limit() throws {
        let scratch = try ScratchDirectory()
        try AtomicFile.write([UInt8](repeating: 7, count: 100_000), to: scratch.file("big"))

        #expect(try AtomicFile.read(scratch.file("big"), limitBytes: 100_000).count == 100_000)
        let large = #expect(throws: Problem.self) {
            try AtomicFile.read(scratch.file("big"), limitBytes: 99_999)
        }
        #expect(large?.code == "file.too_large")
        let missing = #expect(throws: Problem.self) {
            try AtomicFile.read(scratch.file("none"), limitBytes: 1)
        }
        #expect(missing?.code == "file.not_found")
    }
}
