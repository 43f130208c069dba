import Glibc
import STContracts
import STPlatform
package import STTestSupport

/// An app on the disk, as a developer has it: a folder with a manifest and executables.
package struct AppBundle: Sendable {
    package static let monitorPoint = "com.apple.deviceactivity.monitor-extension"

    package let path: String

    /// Creates an app with a monitor extension, unless `manifest` is given.
    ///
    /// `executables` are scripts in the bundle that do nothing.
    package init(
        in scratch: ScratchDirectory,
        id: String,
        executables: [String] = ["app", "monitor"],
        manifest: String? = nil
    ) throws {
        path = scratch.file("\(id).bundle")
        try Directories.prepare(path)
        try write(manifest ?? Self.manifest(id: id))
        for name in executables { try addExecutable(name) }
    }

    package func write(_ manifest: String) throws {
        try AtomicFile.write(Array(manifest.utf8), to: file("manifest.json"), durable: false)
    }

    package func addExecutable(_ name: String, mode: UInt32 = 0o755) throws {
        try AtomicFile.write(Array("#!/bin/sh\n".utf8), to: file(name), mode: mode, durable: false)
        chmod(file(name), mode)
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    package static func manifest(
        id: String,
        monitor: String = "monitor",
        point: String = monitorPoint,
        version: Int = 1,
        entitlements: String = "\"family-controls\""
    ) -> String {
        """
        {"id": "\(id)", "name": "The \(id)", "version": "1.0", "protocol": 1,
         "entitlements": ["family-controls"], "groups": ["group.\(id)"], "executable": "app",
         "extensions": [{"point": "\(point)", "executable": "\(monitor)", "protocol": \(version),
                         "entitlements": [\(entitlements)]}]}
        """
    }
}
