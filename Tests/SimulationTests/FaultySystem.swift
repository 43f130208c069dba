import STCSQLite
import STCSQLiteFaults
import STPlatform

/// A file system that is full when it is told to be.
final class FaultySystem {
    let name: String
    private let faults: OpaquePointer

    init(_ name: String) throws {
        self.name = name
        guard let faults = st_faults_register(name) else { throw Problem("test.no_memory", "no memory") }
        self.faults = faults
    }

    deinit { st_faults_unregister(faults) }

    /// Every write from the nth on fails.
    func fill(after nth: Int64) {
        st_faults_arm(faults, Int32(ST_FAULTS_WRITE), Int32(nth), Int32(ST_FAULTS_ONWARDS), SQLITE_FULL)
    }

    func free() { st_faults_disarm(faults) }
}
