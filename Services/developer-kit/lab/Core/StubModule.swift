import STPlatform

/// A stand-in for an external module. Code that uses its names compiles. The calls have no effect and are logged.
///
/// The names come from the errors of the compiler, one build after the other.
struct StubModule: Sendable, Equatable {
    static let file = "StubModule.swift"

    let module: String
    private var types: Set<String> = []
    private var values: Set<String> = []

    init(_ module: String) { self.module = module }

    /// Returns true if the stand-in already has the name in an error of the compiler.
    func declares(_ line: Substring) -> Bool {
        var other = self
        return !other.addDeclaration(line)
    }

    /// Adds the name in an error of the compiler. Returns false if the error has no new name.
    mutating func addDeclaration(_ line: Substring) -> Bool {
        func name(after words: String) -> String? {
            guard let found = line.firstRange(of: words) else { return nil }
            let name = line[found.upperBound...].prefix { $0 != "'" }
            return name.asIdentifier == String(name) ? String(name) : nil
        }
        if let type = name(after: "error: cannot find type '") { return types.insert(type).inserted }
        if let value = name(after: "error: cannot find '") { return values.insert(value).inserted }
        return false
    }

    var source: String {
        let types = types.sorted().map { "public typealias \($0) = StandIn" }
        let values = values.subtracting(self.types).sorted().map { "public let \($0) = StandIn(\"\($0)\")" }
        return """
            // `screentime app new --stub` creates this file again.
            import Synchronization
            import os

            private let said = Mutex<Set<String>>([])

            @dynamicMemberLookup
            @dynamicCallable
            public struct StandIn: Hashable, Sendable {
                private let path: String

                public init(_ path: String = "\(module)") { self.path = path }

                public static subscript(dynamicMember name: String) -> StandIn { StandIn("\(module).\\(name)") }

                public subscript(dynamicMember name: String) -> StandIn {
                    get { StandIn("\\(path).\\(name)") }
                    nonmutating set { say("\\(path).\\(name)") }
                }

                @discardableResult
                public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any?>) -> StandIn {
                    say(path)
                    return self
                }

                private func say(_ call: String) {
                    guard said.withLock({ $0.insert(call).inserted }) else { return }
                    Logger(subsystem: "screentime", category: "extension")
                        .notice("\\(call, privacy: .public) does nothing here: \(module) is a stand-in")
                }
            }

            \((types + values).joined(separator: "\n"))

            """
    }
}
