import Glibc

/// What SwiftPM has put beside the tests.
enum Built {
    static func path(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let place = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
        return "\(place)/\(name)"
    }
}
