/// A closure of Apple's older kind on its way to the task that calls it.
struct CompletionHandler: @unchecked Sendable {
    // @unchecked: called once, by one task; the caller knows that it comes from elsewhere.
    private let body: (Result<Void, any Error>) -> Void

    init(_ body: @escaping (Result<Void, any Error>) -> Void) { self.body = body }

    func call(_ result: Result<Void, any Error>) { body(result) }
}
