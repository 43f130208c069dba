/// How a database is opened.
package struct DatabaseOptions: Sendable, Equatable {
    /// When a commit has reached the disk.
    package enum Synchronous: Int, Sendable, Equatable {
        /// Tests only: a power cut may damage the file.
        case off = 0
        /// The newest commits may be lost by a power cut. Only for what a replay of events can rebuild.
        case normal = 1
        /// A commit that returned is on the disk.
        case full = 2
    }

    package var synchronous: Synchronous
    /// A reader never writes and never checkpoints: two connections that do can damage the file (engineering.md, 0).
    package var readOnly: Bool
    /// Marks the file as ours and as this service's, so that another database put in its place is noticed.
    package var applicationID: Int32
    /// The SQLite file system; another than the default only in tests.
    package var vfs: String?

    package init(
        synchronous: Synchronous = .full,
        readOnly: Bool = false,
        applicationID: Int32,
        vfs: String? = nil
    ) {
        self.synchronous = synchronous
        self.readOnly = readOnly
        self.applicationID = applicationID
        self.vfs = vfs
    }
}
