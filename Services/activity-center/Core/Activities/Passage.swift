/// Where the clocks stand while intervals are brought up to date.
struct Passage {
    var wallMs: Int64
    var bootMs: Int64
    var bootId: String
    var zone: String

    /// The boot time at which the wall clock said this.
    func bootMs(atWallMs moment: Int64) -> Int64 { bootMs - (wallMs - moment) }
}
