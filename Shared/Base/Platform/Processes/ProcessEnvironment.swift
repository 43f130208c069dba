import Glibc

/// The environment of this process as a dictionary.
package enum ProcessEnvironment {
    package static func current() -> [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return result
    }
}

/// The login name of the account this process runs as.
package enum AccountName {
    package static func current() -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        let result = getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found)
        guard result == 0, found != nil, let name = entry.pw_name.map({ String(cString: $0) }), !name.isEmpty
        else {
            // Containers and test runs have accounts without an entry.
            return "user\(getuid())"
        }
        return name
    }
}

/// What this machine is called.
package enum HostName {
    package static func current() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.isEmpty ? "localhost" : name
    }
}
