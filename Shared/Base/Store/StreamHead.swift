/// The newest event of a stream.
package struct StreamHead: Sendable, Equatable {
    package var stream: String
    package var epoch: String
    /// Zero when nothing was ever appended.
    package var sequence: Int64
    /// The id of the event at `sequence`.
    package var id: String?

    package init(stream: String, epoch: String, sequence: Int64, id: String?) {
        self.stream = stream
        self.epoch = epoch
        self.sequence = sequence
        self.id = id
    }

    package var position: StreamPosition { StreamPosition(epoch: epoch, sequence: sequence, id: id) }
}
