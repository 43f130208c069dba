import Glibc
package import STPlatform

/// A new file with the raw pixels of a picture, which is drawn directly into it.
///
/// Only this process writes the file, and only once, so a program that shows it may map it.
package final class PixelFile {
    package let path: String
    package let width: Int
    package let height: Int
    package let pixels: UnsafeMutablePointer<UInt8>

    package var count: Int { width * height * 4 }

    /// Creates the file. Throws if the name exists, also as a link.
    package init(_ path: String, width: Int, height: Int) throws(Problem) {
        self.path = path
        self.width = width
        self.height = height
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw Self.problem(path, errno) }
        let owned = OwnedDescriptor(number)
        let bytes = width * height * 4
        // Allocates all space now, so that a full disk results in an error here, instead of a signal during the drawing.
        var status = posix_fallocate(owned.number, 0, off_t(bytes))
        while status == EINTR { status = posix_fallocate(owned.number, 0, off_t(bytes)) }
        let mapped =
            status == 0
            ? mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, owned.number, 0)
            : MAP_FAILED
        guard let mapped, mapped != MAP_FAILED else {
            let reason = status == 0 ? errno : status
            unlink(path)
            throw Self.problem(path, reason)
        }
        pixels = mapped.assumingMemoryBound(to: UInt8.self)
    }

    private static func problem(_ path: String, _ reason: Int32) -> Problem {
        let text =
            reason == EEXIST
            ? Message(
                "draw.file-exists",
                "the file already exists; choose another name"
            )
            : SystemError.text(reason)
        return Problem(
            "draw.not_written",
            "The picture cannot be written to \(path, "path"): \(text, "text").",
            key: "draw.not_written.the-picture-cannot",
            field: "/output",
            details: ["errno": String(reason)]
        )
    }

    /// Deletes the file after a drawing that failed.
    package func discard() { unlink(path) }

    deinit { munmap(pixels, count) }
}
