import Glibc
import STPlatform

/// A folder of a simulation's own, gone when the simulation is.
final class ScratchFolder: Sendable {
    private static let roomBytes: UInt64 = 1 << 30

    let path: String

    /// `inMemory`: where the machine has such a place.
    init(inMemory: Bool = false) throws {
        let parent = inMemory && Self.hasRoom("/dev/shm") ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/st-sim-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// In a container it may be as small as 64 MiB, which a simulated month fills.
    private static func hasRoom(_ path: String) -> Bool {
        var info = statvfs()
        guard access(path, W_OK) == 0, statvfs(path, &info) == 0 else { return false }
        return UInt64(info.f_bavail) * UInt64(info.f_frsize) >= roomBytes
    }

    deinit { remove() }

    func remove() { try? DirectoryTree.remove(path) }

    /// A bundle whose monitor is a program of that name in the folder of programs.
    func writeSimulatedApp(executable: String) throws -> String {
        let bundle = "\(path)/simulated-app"
        try Directories.prepare(bundle)
        let point = "com.apple.deviceactivity.monitor-extension"
        let manifest = """
            {"id": "\(SimulatedApp.id)", "name": "Simulated", "version": "1", "protocol": 1,
             "entitlements": ["family-controls"],
             "extensions": [{"point": "\(point)", "executable": "\(executable)", "protocol": 1,
                             "entitlements": ["family-controls"]}]}
            """
        try AtomicFile.write(Array(manifest.utf8), to: "\(bundle)/manifest.json", durable: false)
        return bundle
    }
}
