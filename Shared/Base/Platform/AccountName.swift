import Glibc

/// The login name of the account this process runs as.
package enum AccountName {
    package static func current() -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        let result = getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found)
        guard result == 0, found != nil, let name = entry.pw_name.map({ String(cString: $0) }), !name.isEmpty
        else {
            // An account without an entry is no error: containers and test runs have such.
            return "user\(getuid())"
        }
        return name
    }
}
