/// What is known of a file that an app's look names.
package struct IconFile: Sendable, Equatable {
    /// Where it really is, links followed.
    package var path: String
    package var bytes: Int64
    /// Its first bytes.
    package var head: [UInt8]

    package init(path: String, bytes: Int64, head: [UInt8]) {
        self.path = path
        self.bytes = bytes
        self.head = head
    }
}
