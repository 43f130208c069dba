package import STCrypto
package import STPlatform

/// What a guardian's phone and this computer both know for one child.
package struct CodeKey: Sendable, Equatable {
    package var secret: Secret
    /// What its codes are held against.
    package var clock: CodeClock
    /// The half minute of the last code that was taken: none of it or before is taken again.
    package var lastStep: Int64 = -1
    /// Wrong ones since the last right one, and when the last of them came.
    package var wrong: Int64 = 0
    package var wrongBootMs: Int64 = 0
    package var wrongBootID = ""

    package init(_ secret: Secret, _ clock: CodeClock) {
        self.secret = secret
        self.clock = clock
    }

    /// As with passcodes: so many in a row, then a pause that doubles.
    package static let triesMax: Int64 = 5
    package static let pauseMs: Int64 = 60_000
    package static let pauseMsMax: Int64 = 3_600_000

    /// How long none is taken any more; nil when one is.
    ///
    /// After a new start of the computer the pause begins anew.
    package func pauseMs(_ now: TimeReading, bootID: String) -> Int64? {
        guard wrong >= Self.triesMax else { return nil }
        let pause = min(Self.pauseMs << min(wrong - Self.triesMax, 30), Self.pauseMsMax)
        let elapsed = bootID == wrongBootID ? max(0, now.bootMs - wrongBootMs) : now.bootMs
        return pause > elapsed ? pause - elapsed : nil
    }

    /// What a code is worth at a moment of the `CodeClock`.
    package enum Verdict: Sendable, Equatable {
        case good(step: Int64)
        case used
        case wrong
    }

    package func verdict(_ code: String, _ reading: TimeReading, bootID: String) -> Verdict {
        let now = OneTimeCode.step(ofWallMs: clock.wallMs(reading, bootID: bootID))
        guard let step = OneTimeCode.step(of: code, secret, around: now) else { return .wrong }
        return step > lastStep ? .good(step: step) : .used
    }
}
