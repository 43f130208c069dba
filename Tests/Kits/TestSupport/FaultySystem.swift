import Glibc
import STCSQLite
import STCSQLiteFaults
import STPlatform

/// A file system that fails on demand.
package final class FaultySystem {
    package let name: String
    private let faults: OpaquePointer

    package init(_ name: String) throws {
        self.name = name
        guard let faults = st_faults_register(name) else { throw Problem("test.no_memory", "no memory") }
        self.faults = faults
    }

    deinit { st_faults_unregister(faults) }

    package var fired: Bool { st_faults_fired(faults) != 0 }

    package func arm(_ operations: Int, nth: Int, mode: Int, result: Int32) {
        st_faults_arm(faults, Int32(operations), Int32(nth), Int32(mode), result)
    }

    /// From the nth write on, every write fails with a full disk.
    package func fill(after nth: Int) {
        arm(ST_FAULTS_WRITE, nth: nth, mode: ST_FAULTS_ONWARDS, result: SQLITE_FULL)
    }

    package func disarm() { st_faults_disarm(faults) }
}

/// The files of a database, as after killing its process now.
package enum DatabaseImage {
    package static func copy(of database: String, to copy: String) {
        for suffix in ["", "-wal"] {
            unlink(copy + suffix)
            copyFile(database + suffix, to: copy + suffix)
        }
    }

    package static func remove(_ database: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
    }

    /// Copies nothing if there is no source, because a database need not have a log.
    private static func copyFile(_ source: String, to copy: String) {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { return }
        defer { close(from) }
        let to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard to >= 0 else { return }
        defer { close(to) }
        var status = stat()
        guard fstat(from, &status) == 0 else { return }
        var rest = Int(status.st_size)
        while rest > 0 {
            let moved = sendfile(to, from, nil, rest)
            guard moved > 0 else { return }
            rest -= moved
        }
    }
}
