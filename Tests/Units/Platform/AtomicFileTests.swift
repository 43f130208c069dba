import Glibc
import STPlatform
import STTestSupport
import Testing

@Suite("An atomic file")
struct AtomicFileTests {
    @Test("is replaced whole, with its mode, and leaves nothing behind")
    func replace() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("settings")

        try AtomicFile.write(Array("old".utf8), to: path)
        try AtomicFile.write(Array("new".utf8), to: path, mode: 0o640, durable: false)

        #expect(ScratchDirectory.text(path) == "new")
        var about = stat()
        #expect(stat(path, &about) == 0)
        #expect(about.st_mode & 0o777 == 0o640)
        // Only this one name is left: the directory can be removed once it is gone.
        #expect(unlink(path) == 0)
        #expect(rmdir(scratch.path) == 0)
    }

    @Test("is read up to its limit and refused beyond")
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
