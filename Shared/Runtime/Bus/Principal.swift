package import STContracts

/// The sender of a request: a process of this machine, identified by the kernel, or another machine, identified by its key.
package struct Principal: Sendable, Hashable {
    /// Another machine with a key that the door accepts.
    package enum Remote: Sendable, Hashable {
        /// A machine that belongs to the household.
        case device(String)
        /// A machine with an invitation. It may only request to join.
        case invitation(String)

        /// Reads the user id that libzmq attaches to every message of a connection.
        package init?(userID: String) {
            let parts = userID.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "device": self = .device(String(parts[1]))
            case "invitation": self = .invitation(String(parts[1]))
            default: return nil
            }
        }

        package var userID: String {
            switch self {
            case .device(let id): "device:\(id)"
            case .invitation(let id): "invitation:\(id)"
            }
        }
    }

    package var uid: UInt32
    package var pid: Int32
    /// The group that its program runs under.
    package var gid: UInt32
    /// Set for another machine. Such a sender has no account on this machine.
    package private(set) var remote: Remote?

    package init(uid: UInt32, pid: Int32, gid: UInt32 = .max) {
        self.uid = uid
        self.pid = pid
        self.gid = gid
    }

    package init(_ remote: Remote) {
        self.init(uid: .max, pid: 0)
        self.remote = remote
    }

    /// Reads the `Peer-Address` of ipc: `localhost:UID:GID:PID`.
    ///
    /// Runs for every message, so it creates no strings.
    package init?(peerAddress: UnsafePointer<CChar>) {
        var fields: [UInt32] = []
        fields.reserveCapacity(3)
        var value: UInt32 = 0
        var hasDigits = false
        var cursor = peerAddress
        while cursor.pointee != 0, cursor.pointee != 0x3A { cursor += 1 }
        while cursor.pointee != 0 {
            cursor += 1
            let byte = UInt8(bitPattern: cursor.pointee)
            if byte >= 0x30, byte <= 0x39 {
                // A number that overflows must not become another account's.
                let (product, isLarge) = value.multipliedReportingOverflow(by: 10)
                let (sum, isTooLarge) = product.addingReportingOverflow(UInt32(byte - 0x30))
                guard !isLarge, !isTooLarge else { return nil }
                value = sum
                hasDigits = true
            } else {
                guard hasDigits, byte == 0x3A || byte == 0 else { return nil }
                fields.append(value)
                value = 0
                hasDigits = false
            }
        }
        guard fields.count == 3 else { return nil }
        self.init(uid: fields[0], pid: Int32(clamping: fields[2]), gid: fields[1])
    }

    /// The ids of system accounts on Debian, Fedora and Arch.
    private static let ofSystem: Range<UInt32> = 1..<1_000

    package func roles(owner: UInt32) -> Access {
        switch remote {
        case .device: return .device
        case .invitation: return .invited
        case nil: break
        }
        if uid == owner { return .owner }
        guard uid == 0 else { return [] }
        // A service under a system account belongs to the administrator.
        return Self.ofSystem.contains(owner) ? [.owner, .root] : .root
    }

}

extension Principal {
    /// A peer that the kernel does not identify. It has no role.
    package static let unknown = Principal(uid: .max, pid: 0)
}
