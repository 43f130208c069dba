import STContracts

/// A beat that was sent straight and not answered yet.
struct BeatUnderWay {
    let run: String
    let observation: Observation
    private var isGivenAway = false

    init(run: String, observation: Observation) {
        self.run = run
        self.observation = observation
    }

    /// For the spool, once; to send it twice does no harm.
    mutating func giveAway() -> BeatUnderWay? {
        guard !isGivenAway else { return nil }
        isGivenAway = true
        return self
    }
}
