/// Holds what a view sees around it while its body is asked for.
final class EnvironmentReader<Value>: @unchecked Sendable {
    // @unchecked: set and read where views are, on the main thread.
    private let read: (EnvironmentValues) -> Value?
    private let missing: String?
    private var values: EnvironmentValues?

    /// `missing` is the type that there must be one of; nil when there always is one.
    init(missing: String?, _ read: @escaping (EnvironmentValues) -> Value?) {
        self.missing = missing
        self.read = read
    }

    var value: Value {
        guard let value = read(values ?? EnvironmentValues()) else {
            preconditionFailure(
                "There is no \(missing ?? "value"): it is only there while a body is asked for."
            )
        }
        return value
    }

    @MainActor
    func bind(to page: PageWriter) throws {
        values = page.environment
        if let missing, read(page.environment) == nil { throw PageProblem.noObject(missing, "A view") }
    }
}
