/// How far a subscriber has come.
package struct StreamPosition: Sendable, Equatable, Hashable {
    package var epoch: String
    package var sequence: Int64
    /// The id of the event at `sequence`.
    ///
    /// It tells a restored backup, which keeps its epoch, from the log before.
    package var id: String?

    package init(epoch: String, sequence: Int64, id: String? = nil) {
        self.epoch = epoch
        self.sequence = sequence
        self.id = id
    }
}
