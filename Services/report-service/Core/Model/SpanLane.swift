/// The time of one member at one device in one start of it.
struct SpanLane: Hashable, Sendable {
    var who: Int64
    var boot: Int64
}
