import STCSQLite
import STCSQLiteFaults
import STPlatform

/// A file system that fails when it is told to.
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

    /// Every write from the nth on finds the disk full.
    package func fill(after nth: Int) {
        arm(ST_FAULTS_WRITE, nth: nth, mode: ST_FAULTS_ONWARDS, result: SQLITE_FULL)
    }

    package func disarm() { st_faults_disarm(faults) }
}
