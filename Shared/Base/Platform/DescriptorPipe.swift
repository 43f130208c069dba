import STCPlatform

/// A pipe whose two ends are closed in every child that is not given one on purpose.
package struct DescriptorPipe: Sendable {
    package let readEnd: OwnedDescriptor
    package let writeEnd: OwnedDescriptor

    package init() throws(Problem) {
        var read: Int32 = -1
        var write: Int32 = -1
        let result = st_pipe(&read, &write)
        guard result == 0 else { throw SystemError.make("pipe", -result) }
        readEnd = OwnedDescriptor(read)
        writeEnd = OwnedDescriptor(write)
    }

    /// Only our end: the two ends are separate, so the child's writes still wait when the pipe is full.
    package func makeReadEndNonblocking() throws(Problem) {
        let result = st_set_nonblocking(readEnd.number)
        guard result == 0 else { throw SystemError.make("fcntl", -result) }
    }
}
