import Foundation
import STContracts
import STPlatform

/// Where the app's bundle is.
package enum AppFolder {
    package static let current = find(
        environment: ProcessEnvironment.current(),
        executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    )

    /// How far above a program its bundle's folder may be.
    private static let levelsMax = 4

    /// What the host says, else the next folder with a manifest at or above the program, else the program's own.
    static func find(environment: [String: String], executable: String) -> String {
        if let told = environment[ExtensionEnvironment.bundle], told.hasPrefix("/") { return told }
        let own = URL(filePath: executable).deletingLastPathComponent()
        var folder = own
        for _ in 0..<levelsMax {
            if FileManager.default.fileExists(atPath: folder.appending(path: "manifest.json").path) {
                return folder.path
            }
            folder.deleteLastPathComponent()
        }
        return own.path
    }
}
