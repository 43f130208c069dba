import Glibc
import STPlatform
import STShieldCore

/// The pictures that apps' looks name.
enum IconFiles {
    /// More than stands in front of the size of any picture.
    private static let headBytes = 256 * 1024

    /// What is not in that folder is neither opened nor looked at any closer.
    static func find(_ path: String, in bundle: String) -> IconFile? {
        let path = real(path)
        guard LookCheck.isInside(path, bundle) else { return IconFile(path: path, bytes: 0, head: []) }
        // Not a pipe and not a device: opening one of those would wait for ever.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let file = OwnedDescriptor(number)
        var info = stat()
        guard fstat(file.number, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        var head = [UInt8](repeating: 0, count: headBytes)
        let count = read(file.number, &head, head.count)
        guard count >= 0 else { return nil }
        return IconFile(path: path, bytes: Int64(info.st_size), head: Array(head[..<count]))
    }

    /// With all links followed; as it is when it is nowhere.
    static func real(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }
}
