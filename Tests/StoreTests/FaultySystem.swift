import STCSQLiteFaults
import STPlatform

/// A file system that fails when it is told to.
final class FaultySystem {
    let name: String
    private let faults: OpaquePointer

    init(_ name: String) throws {
        self.name = name
        guard let faults = st_faults_register(name) else { throw Problem("test.no_memory", "no memory") }
        self.faults = faults
    }

    deinit { st_faults_unregister(faults) }

    var fired: Bool { st_faults_fired(faults) != 0 }

    func arm(_ operations: Int, nth: Int, mode: Int, result: Int32) {
        st_faults_arm(faults, Int32(operations), Int32(nth), Int32(mode), result)
    }

    func disarm() { st_faults_disarm(faults) }
}
