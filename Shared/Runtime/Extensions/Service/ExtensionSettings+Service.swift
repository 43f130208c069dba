import Glibc
import STPlatform
package import STServiceKit

extension ExtensionSettings {
    /// What extensions of this service may use and are told; their endpoints are in `folder` of the run directory.
    package init(_ surroundings: Surroundings, _ keys: ExtensionKeys, folder: String) {
        self.init(
            directories: surroundings.directories,
            folder: folder,
            environment: ProcessEnvironment.current(),
            clockLibrary: Self.beside("libscreentime-clock.so")
        )
        let configuration = surroundings.configuration
        limits.memoryBytes = configuration.number(keys.memoryKiB) * 1024
        limits.callMs = configuration.number(keys.callMs)
        limits.outputBytes = configuration.number(keys.outputKiB) * 1024
        limits.keepWarmMs = configuration.number(keys.keepWarmMs)
        let workMs = configuration.number(keys.workMs)
        limits.workMs = workMs < limits.callMs ? workMs : nil
        mayHaveNetwork = keys.mayHaveNetwork.map { configuration.number($0) == 1 } ?? false
        // A service that calls extensions has no other children.
        ownsAllChildren = true
    }

    /// A file that is installed where this program is.
    private static func beside(_ name: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let slash = own.lastIndex(of: "/") else { return nil }
        let path = "\(own[..<slash])/\(name)"
        return access(path, R_OK) == 0 ? path : nil
    }
}
