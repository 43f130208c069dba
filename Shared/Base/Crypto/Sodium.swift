import STCSodium

/// libsodium, set up once for the process.
enum Sodium {
    /// Picks the fastest code for this processor and opens the kernel's random numbers; without those nothing secret
    /// may be made.
    private static let isReady = sodium_init() >= 0

    static func prepare() { precondition(isReady, "libsodium has no source of random numbers") }
}
