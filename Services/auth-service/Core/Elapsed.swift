import STPlatform

/// Time gone by on the boot clock.
enum Elapsed {
    /// Since a moment that was written down, perhaps before the computer was started anew.
    ///
    /// Then at least the time since that start has gone by, and more is not known.
    static func ms(sinceBootMs moment: Int64, _ now: TimeReading) -> Int64 {
        now.bootMs >= moment ? now.bootMs - moment : now.bootMs
    }
}
