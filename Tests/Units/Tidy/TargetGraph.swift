/// The targets and their dependencies, as the tables in `Package.swift` list them.
struct TargetGraph {
    struct Target {
        var path: String
        var uses: Set<String>

        /// The folder of Services that it belongs to.
        var service: String? {
            let parts = path.split(separator: "/")
            return parts.count > 1 && parts[0] == "Services" && !isOfKit ? String(parts[1]) : nil
        }

        var isOfKit: Bool { path.hasPrefix("Services/developer-kit/") }
    }

    private(set) var targets: [String: Target] = [:]

    init(manifest: String) {
        var words: [String: [String]] = [:]
        var row: (name: String, path: String, uses: [String])?
        for line in manifest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let parts = line.replacing(" kit/", with: " Services/developer-kit/").split(separator: " ").map(
                String.init
            )
            if let (name, text) = Self.constant(parts, line) { words[name] = text }
            let isContinued = line.hasPrefix("        ") && row != nil
            if !isContinued, let last = row {
                add(last.name, path: last.path, uses: last.uses.flatMap { Self.expanded($0, words) })
                row = nil
            }
            if isContinued {
                row?.uses += parts
            } else if parts.count > 1, Self.folders.contains(where: parts[1].hasPrefix) {
                row = (parts[0], parts[1], Array(parts.dropFirst(2)))
            }
        }
        let names = Set(targets.keys)
        for name in names { targets[name]?.uses.formIntersection(names.subtracting([name])) }
    }

    private static let folders = ["Services/", "Shared/", "Tests/"]

    /// Parses the declaration of a constant, such as `let core = "STPlatform STStore"`.
    private static func constant(_ parts: [String], _ line: String) -> (String, [String])? {
        let texts = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count > 3, parts[0] == "let", parts[2] == "=", texts.count == 3 else { return nil }
        return (parts[1], texts[1].split(separator: " ").map(String.init))
    }

    /// Replaces a word `\(name)` with the words of that constant. Returns any other word unchanged.
    private static func expanded(_ word: String, _ words: [String: [String]]) -> [String] {
        guard word.hasPrefix("\\("), word.hasSuffix(")") else { return [word] }
        return words[String(word.dropFirst(2).dropLast())] ?? []
    }

    /// The target that a file belongs to.
    func target(of path: String) -> String? {
        targets.filter { path.hasPrefix($0.value.path + "/") }.max {
            ($0.value.path.count, $0.key) < ($1.value.path.count, $1.key)
        }?.key
    }

    private mutating func add(_ name: String, path: String, uses: [String]) {
        targets[name] = Target(path: path, uses: Set(uses))
    }

    /// Every target with which this one is linked, and the path to it.
    func reached(from start: String) -> [String: [String]] {
        var ways = [start: [start]]
        var waiting = [start]
        while let name = waiting.popLast() {
            for other in targets[name]?.uses ?? [] where ways[other] == nil {
                ways[other] = (ways[name] ?? []) + [other]
                waiting.append(other)
            }
        }
        ways[start] = nil
        return ways
    }

    /// The paths on which a target reaches a forbidden one: `a -> b -> c`.
    func ways(from isStart: (Target) -> Bool, to isForbidden: (_ start: Target, _ end: Target) -> Bool)
        -> [String]
    {
        var found: [String] = []
        for (name, target) in targets where isStart(target) {
            for (other, way) in reached(from: name) {
                if let end = targets[other], isForbidden(target, end) {
                    found.append(way.joined(separator: " -> "))
                }
            }
        }
        return found.sorted()
    }
}
