/// What stands behind a command's name.
package struct Arguments: Equatable {
    private var values: [String: String] = [:]
    private var given: Set<String> = []

    /// `values` are options that something follows, `flags` those that stand alone.
    package init(_ words: [String], flags: Set<String>, values known: Set<String>) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard flags.contains(name) || known.contains(name) else {
                let all = flags.union(known).sorted().joined(separator: " ")
                throw Refusal(.usage, "There is no \(name.prefix(40)). There are: \(all)")
            }
            guard given.insert(name).inserted else {
                throw Refusal(.usage, "\(name) is there twice; which one is meant?")
            }
            guard known.contains(name) else {
                guard parts.count == 1 else {
                    throw Refusal(.usage, "\(name) stands alone; leave out what follows it")
                }
                continue
            }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw Refusal(.usage, "\(name) needs something after it. See --help")
            }
            values[name] = value
        }
    }

    package var isEmpty: Bool { given.isEmpty }

    package func has(_ name: String) -> Bool { given.contains(name) }

    /// The text after that option, when it is there.
    package subscript(name: String) -> String? { values[name] }
}
