/// A local hour as it was lived; where clocks were set within it, the part before and the part after are two.
///
/// An hour lived in another zone is another one, even when both begin at one moment.
struct LivedHour: Hashable, Sendable {
    /// Its first moment, in seconds since 1970; clocks are set at whole seconds.
    var startS: Int64
    /// How far its clock is from UTC.
    var offsetS: Int64
    /// The civil day that it is part of, in days since 1970-01-01.
    var day: Int64

    var startMs: Int64 { startS * 1000 }
}
