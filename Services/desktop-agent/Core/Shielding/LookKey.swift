package import STContracts

/// A look by its content.
package struct LookKey: Sendable, Hashable {
    private let hash: UInt64
    private let count: Int

    package init(_ look: ShieldLook) {
        let bytes = (try? look.encodedBody()) ?? []
        // FNV-1a: whoever wanted two looks to be taken for one would only mislead about their own.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.hash = hash
        count = bytes.count
    }
}
