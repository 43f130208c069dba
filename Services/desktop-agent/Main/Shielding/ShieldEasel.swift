import STContracts
import STPlatform

/// Who draws the pictures of shields into files of its own.
protocol ShieldEasel: Sendable {
    func paint(_ request: DrawRequest) async -> Result<(path: String, answer: DrawAnswer), Problem>

    func discard(_ paths: [String]) async

    /// There will be something to draw in a moment.
    func prepare() async

    func putAway() async
}
