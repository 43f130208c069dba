import Glibc
import STCPlatform

/// The key by which the services of one running system recognise each other. It lasts until the system stops.
///
/// A supervisor keeps the key in memory that has no path, and its services inherit the descriptor. systemd passes no such descriptor
/// to several units, so services that it starts keep the key in the run folder, which only their account can enter.
package enum SystemKey {
    /// Names the descriptor.
    package static let variable = "SCREENTIME_KEY_FD"
    package static let bytes = 32

    /// Memory with a new key, for the children of this process.
    package static func make() throws(Problem) -> OwnedDescriptor {
        let number = st_memory_file("screentime-key")
        guard number >= 0 else { throw SystemError.make("memfd_create", -number, "start.no_key") }
        let file = OwnedDescriptor(number)
        guard OwnedDescriptor.write(random(), to: number), st_seal(number) == 0 else {
            throw Problem("start.no_key", "The key of this system could not be stored in memory. Try again.")
        }
        return file
    }

    /// The inherited key, or the one in the run folder. The inherited descriptor is closed, so that no child of this process gets it.
    ///
    /// `run` is nil for a service that does not need the key.
    package static func take(environment: [String: String], run: String?) throws(Problem) -> [UInt8]? {
        guard let text = environment[variable], let number = Int32(text) else {
            guard let run else { return nil }
            return try shared(at: "\(run)/key")
        }
        return try read(OwnedDescriptor(number), "the descriptor \(text)")
    }

    /// The key of the services in one run folder. The first one makes it.
    private static func shared(at path: String) throws(Problem) -> [UInt8] {
        let file = OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
        if file.number >= 0 { return try read(file, path) }
        guard errno == ENOENT else { throw FileProblem.make("open", path, errno) }
        let draft = "\(path).\(getpid())"
        try AtomicFile.write(random(), to: draft, mode: 0o600, durable: false)
        defer { unlink(draft) }
        // Unlike a rename, this keeps the key of a service that was faster.
        guard link(draft, path) == 0 || errno == EEXIST else { throw FileProblem.make("link", path, errno) }
        return try AtomicFile.read(path, limitBytes: bytes)
    }

    private static func read(_ file: OwnedDescriptor, _ what: String) throws(Problem) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: bytes)
        guard pread(file.number, &key, bytes, 0) == bytes else {
            throw Problem(
                "start.no_key",
                "\(what) contains no key of \(bytes) bytes. Stop Screen Time, remove the file if there is one, and start it again."
            )
        }
        return key
    }

    private static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
