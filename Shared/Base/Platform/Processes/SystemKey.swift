import Glibc
import STCPlatform

/// The key with which the services of one running system authenticate each other. It lasts until the system stops.
///
/// A supervisor keeps the key in a memory file without a path, and its services inherit the descriptor. systemd cannot pass such a
/// descriptor to several units. Services that systemd starts therefore share a file in the run folder. Only their account can enter
/// that folder.
package enum SystemKey {
    /// The environment variable with the number of the inherited descriptor.
    package static let variable = "SCREENTIME_KEY_FD"
    package static let bytes = 32

    /// Creates a memory file with a new key for the children of this process.
    package static func make() throws(Problem) -> OwnedDescriptor {
        let number = st_memory_file("screentime-key")
        guard number >= 0 else {
            throw SystemError.make("memfd_create", number: -number, code: "start.no_key")
        }
        let file = OwnedDescriptor(number)
        guard OwnedDescriptor.write(random(), to: number), st_seal(number) == 0 else {
            throw Problem(
                "start.no_key",
                "The key of this system could not be stored in memory. Try again."
            )
        }
        return file
    }

    /// Returns the inherited key, or the key in the run folder. Closes the inherited descriptor, so no child of this process
    /// inherits it.
    ///
    /// `run` is `nil` for a service that does not need the key.
    package static func load(environment: [String: String], run: String?) throws(Problem) -> [UInt8]? {
        guard let text = environment[variable], let number = Int32(text) else {
            guard let run else { return nil }
            return try shared(at: "\(run)/key")
        }
        return try read(OwnedDescriptor(number), "the descriptor \(text)")
    }

    /// Returns the key that the services of one run folder share. The first service creates it.
    private static func shared(at path: String) throws(Problem) -> [UInt8] {
        let file = OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
        if file.number >= 0 { return try read(file, path) }
        guard errno == ENOENT else { throw FileProblem.make(.open, path: path, number: errno) }
        let draft = "\(path).\(Identifier.make(wallMs: 0))"
        try AtomicFile.write(random(), to: draft, mode: 0o600, durable: false)
        defer { unlink(draft) }
        // Unlike a rename, a link does not replace a key that another service has just created.
        guard link(draft, path) == 0 || errno == EEXIST else {
            throw FileProblem.make(.link, path: path, number: errno)
        }
        return try AtomicFile.read(path, limitBytes: bytes)
    }

    private static func read(_ file: OwnedDescriptor, _ what: String) throws(Problem) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: bytes)
        guard pread(file.number, &key, bytes, 0) == bytes else {
            throw Problem(
                "start.no_key",
                """
                \(what, "what") contains no key of \(bytes, "bytes") bytes. Stop Screen Time, remove the \
                file if it exists, and start Screen Time again.
                """,
                key: "start.no_key.contains-no-key"
            )
        }
        return key
    }

    private static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
