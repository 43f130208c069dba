/// Somebody turned to the device.
struct Pickup: Equatable, Sendable {
    var hour: LivedHour
    var wallMs: Int64
    /// What they used first; nil when they used nothing.
    var thing: Int64?
}
