import Glibc
import STPlatform

/// A temporary folder of a simulation. It is deleted with the object.
final class ScratchFolder: Sendable {
    private static let roomBytes: UInt64 = 1 << 30

    let path: String

    /// Creates the folder. If `inMemory` is true, it is in memory if the machine supports that.
    init(inMemory: Bool = false) throws {
        let parent = inMemory && Self.hasRoom("/dev/shm") ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/st-sim-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns true if the folder has sufficient space. In a container it may have only 64 MiB, which a simulated month exceeds.
    private static func hasRoom(_ path: String) -> Bool {
        var info = statvfs()
        guard access(path, W_OK) == 0, statvfs(path, &info) == 0 else { return false }
        return UInt64(info.f_bavail) * UInt64(info.f_frsize) >= roomBytes
    }

    deinit { remove() }

    func remove() { try? DirectoryTree.remove(path) }

    /// Writes the bundle of an app whose monitor is a program in the folder of programs. Returns the path of the bundle.
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
