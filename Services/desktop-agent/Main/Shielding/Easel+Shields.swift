import STContracts
import STPlatform

extension Easel: ShieldEasel {
    func paint(_ request: DrawRequest) async -> Result<(path: String, answer: DrawAnswer), Problem> {
        do {
            return .success(try await draw(request))
        } catch {
            return .failure(error)
        }
    }

    func discard(_ paths: [String]) async { forget(paths) }

    func prepare() async { warm() }

    func putAway() async { close() }
}
