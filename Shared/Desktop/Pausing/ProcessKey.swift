/// One process for good: its number together with the moment of its start, because numbers are given away again.
package struct ProcessKey: Sendable, Hashable {
    package var pid: Int32
    /// In the kernel's ticks since the boot.
    package var start: Int64

    package init(pid: Int32, start: Int64) {
        self.pid = pid
        self.start = start
    }

    /// The process that has this number now.
    package init?(running pid: Int32) {
        guard let entry = ProcessView.entry(pid) else { return nil }
        self = entry.key
    }

    /// Whether the number still belongs to it.
    package var isThere: Bool { ProcessView.entry(pid)?.key == self }
}
