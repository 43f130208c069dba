import Glibc
import STPausing
import STPlatform
import STTestSupport
import Synchronization
import Testing

/// Tests that run one after the other, because some start processes as fast as possible, and others measure durations.
@Suite("Pausing real processes", .serialized)
enum RealProcesses {}

/// A pauser with its own journal, and facts that a test can change.
final class Desk: Sendable {
    let scratch: ScratchDirectory
    let journal: PauseJournal
    let pauser: AppPauser
    private let facts: Facts

    private final class Facts: Sendable {
        let value: Mutex<PauseExemptionFacts>
        init(_ facts: PauseExemptionFacts) { value = Mutex(facts) }
    }

    init(
        facts: PauseExemptionFacts = PauseExemptionFacts(),
        environment: [String: String] = [:],
        devices: [RecordingDevice] = RecordingDevice.linux,
        units: (any UnitFreezing)? = nil
    ) throws {
        scratch = try ScratchDirectory()
        journal = PauseJournal(path: scratch.file(PauseJournal.fileName))
        let held = Facts(facts)
        self.facts = held
        pauser = try AppPauser(
            journal: journal,
            environment: environment,
            units: units,
            devices: devices
        ) { held.value.withLock { $0 } }
    }

    func set(_ facts: PauseExemptionFacts) { self.facts.value.withLock { $0 = facts } }

    /// Returns the path of an executable, which SwiftPM puts next to the tests' executable.
    static func program(_ name: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw SystemError.last("readlink") }
        let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return (own.lastIndex(of: "/").map { String(own[..<$0]) } ?? ".") + "/" + name
    }

    static func milliseconds(_ body: () async -> Void) async -> Double {
        let start = ContinuousClock.now
        await body()
        let took = ContinuousClock.now - start
        return Double(took.components.attoseconds) / 1e15 + Double(took.components.seconds) * 1_000
    }
}
