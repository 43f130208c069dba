package import STContracts

/// Who sent a request, as the kernel says.
package struct Principal: Sendable, Hashable {
    package var uid: UInt32
    package var pid: Int32

    package init(uid: UInt32, pid: Int32) {
        self.uid = uid
        self.pid = pid
    }

    /// What `Peer-Address` holds on ipc: `localhost:UID:GID:PID`.
    package init?(peerAddress: String) {
        let parts = peerAddress.split(separator: ":")
        guard parts.count == 4, let uid = UInt32(parts[1]), let pid = Int32(parts[3]) else { return nil }
        self.init(uid: uid, pid: pid)
    }

    package func roles(owner: UInt32) -> Access {
        if uid == owner { return .owner }
        return uid == 0 ? .root : []
    }

    /// Under which idempotency keys are kept: the account, because a client that retries may have a new pid.
    package var account: String { "uid:\(uid)" }
}

extension Principal {
    /// A peer that the kernel says nothing about: it has no role at all.
    package static let unknown = Principal(uid: .max, pid: 0)
}
