import STPlatform

/// The code with which something was refused, `ok` when it was not, and the error's text when it is no problem.
func refusal(_ body: () async throws -> Void) async -> String {
    do {
        try await body()
        return "ok"
    } catch let problem as Problem {
        return problem.code
    } catch {
        return "\(error)"
    }
}
