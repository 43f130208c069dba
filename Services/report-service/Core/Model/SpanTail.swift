/// The last span of a lane, and what is known of the chain of activity that it is part of.
///
/// New rows nearly always follow here, and then nothing has to be read.
struct SpanTail: Sendable {
    var span: Span
    /// Where the chain began, if somebody turned to the device then.
    var pickup: LivedHour?
    /// What was used first in the chain.
    var first: Int64?
}
