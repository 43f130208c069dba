import Glibc
import STCScreen
import STPlatform

/// The file that lets a session's programs into its display.
///
/// xcb would take its path from this process's environment, which need not be the session's.
struct XAuthority {
    private static let bytesMax = 1 << 20
    private static let cookieName = Array("MIT-MAGIC-COOKIE-1".utf8)
    /// Of a cookie that holds for every host, and for this one.
    private static let families: Set<Int> = [0xFFFF, 256]

    private let file: [UInt8]

    init(path: String?, home: String?) {
        let place = path ?? home.map { "\($0)/.Xauthority" }
        file = place.flatMap { try? AtomicFile.read($0, limitBytes: Self.bytesMax) } ?? []
    }

    init(file: [UInt8]) { self.file = file }

    func connect(_ door: XDoor) -> OpaquePointer? {
        guard var cookie = cookie(display: Int(door.display)) else {
            return xcb_connect_to_fd(door.descriptor, nil)
        }
        var name = Self.cookieName
        return name.withUnsafeMutableBytes { nameBytes in
            cookie.withUnsafeMutableBytes { cookieBytes in
                var info = xcb_auth_info_t(
                    namelen: Int32(nameBytes.count),
                    name: nameBytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    datalen: Int32(cookieBytes.count),
                    data: cookieBytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                )
                return xcb_connect_to_fd(door.descriptor, &info)
            }
        }
    }

    /// Entries are family, address, number, name, data: the first a number of two bytes, the others with their length
    /// before them.
    func cookie(display: Int) -> [UInt8]? {
        var rest = file[...]
        func number() -> Int? {
            guard rest.count >= 2 else { return nil }
            defer { rest = rest.dropFirst(2) }
            return Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        }
        func bytes() -> [UInt8]? {
            guard let count = number(), rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let wanted = Array(String(display).utf8)
        while let family = number(), bytes() != nil, let shown = bytes(), let name = bytes(),
            let data = bytes()
        {
            let isOurs = Self.families.contains(family) && (shown.isEmpty || shown == wanted)
            if isOurs && name == Self.cookieName && !data.isEmpty { return data }
        }
        return nil
    }
}
