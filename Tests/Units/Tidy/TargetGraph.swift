/// The targets of the product and what they depend on, as `Package.swift` lists them.
///
/// It takes each word in a target's texts that is the name of a target for a dependency: too many rather than too few.
struct TargetGraph {
    struct Target {
        var path: String
        var uses: Set<String>

        /// The folder of Services that it belongs to.
        var service: String? {
            let parts = path.split(separator: "/")
            return parts.count > 1 && parts[0] == "Services" ? String(parts[1]) : nil
        }
    }

    private(set) var targets: [String: Target] = [:]

    init(manifest: String) {
        let source = ManifestText(manifest)
        let serviceUses = source.function("service")
        let appUses = source.function("app")
        for call in source.calls(["service", "app", "library", "framework", "program", "target"]) {
            let texts = call.texts.map(\.text)
            guard let name = texts.first,
                name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            else { continue }
            switch call.name {
            case "service":
                guard texts.count > 1 else { continue }
                add(texts[1], "Services/\(name)/Core", serviceUses + call.texts(labelled: "coreUses"))
                add(
                    name,
                    "Services/\(name)/Main",
                    serviceUses + call.texts(labelled: "mainUses") + [texts[1]]
                )
            case "app":
                guard texts.count > 1 else { continue }
                for part in ["", "-monitor", "-shield", "-action", "-report"] {
                    add(name + part, "Services/extensions/\(name)", appUses + texts)
                }
                add(texts[1], "Services/extensions/\(name)/Kit", appUses)
            case "framework" where texts.count > 1:
                add(name, "Shared/Frameworks/\(texts[1])", Array(texts.dropFirst(2)))
            default:
                guard let path = texts.first(where: { $0.hasPrefix("Services/") || $0.hasPrefix("Shared/") })
                else {
                    continue
                }
                add(name, path, Array(texts.dropFirst()))
            }
        }
        let names = Set(targets.keys)
        for name in names { targets[name]?.uses.formIntersection(names.subtracting([name])) }
    }

    /// The target that a file belongs to.
    func target(of path: String) -> String? {
        targets.filter { path.hasPrefix($0.value.path + "/") }.max {
            ($0.value.path.count, $0.key) < ($1.value.path.count, $1.key)
        }?.key
    }

    private mutating func add(_ name: String, _ path: String, _ texts: [String]) {
        let words = texts.flatMap { $0.split { $0.isWhitespace }.map(String.init) }
        targets[name] = Target(path: path, uses: Set(words))
    }

    /// Every target that this one is linked with, and the way to it.
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

    /// The ways on which a target reaches one that it may not know: `a -> b -> c`.
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

/// The calls and texts of a manifest.
private struct ManifestText {
    struct Call {
        var name: String
        var texts: [(label: String, text: String)]

        func texts(labelled label: String) -> [String] { texts.filter { $0.label == label }.map(\.text) }
    }

    private let characters: [Character]

    init(_ text: String) {
        // Comments may have brackets and quotes of their own.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.drop { $0 == " " }.hasPrefix("//") ? "" : line
        }
        characters = Array(lines.joined(separator: "\n"))
    }

    /// The calls of functions of these names, but not their declarations.
    func calls(_ names: Set<String>) -> [Call] {
        characters.indices.compactMap { index in
            guard characters[index] == "(" else { return nil }
            let name = word(before: index)
            guard names.contains(name) || name == "executableTarget" else { return nil }
            let isDeclared =
                String(characters[max(0, index - name.count - 5)..<(index - name.count)]) == "func "
            return isDeclared ? nil : Call(name: name, texts: texts(from: index, "(", ")"))
        }
    }

    /// The texts in the body of a function of the manifest.
    func function(_ name: String) -> [String] {
        let head = Array("func \(name)(")
        guard let start = characters.indices.first(where: { characters[$0...].starts(with: head) }),
            let brace = characters[start...].firstIndex(of: "{")
        else { return [] }
        return texts(from: brace, "{", "}").map(\.text)
    }

    private func word(before index: Int) -> String {
        String(characters[..<index].suffix(40).reversed().prefix { $0.isLetter }.reversed())
    }

    /// Every text from an opening bracket to the one that closes it, with the label before it.
    private func texts(from start: Int, _ open: Character, _ close: Character) -> [(
        label: String, text: String
    )] {
        var texts: [(String, String)] = []
        var depth = 0
        var label = ""
        var index = start
        while index < characters.count {
            switch characters[index] {
            case open: depth += 1
            case close:
                depth -= 1
                if depth == 0 { return texts }
            case ":": label = word(before: index)
            case "\"":
                let isLong = characters[index...].starts(with: "\"\"\"")
                let mark = isLong ? "\"\"\"" : "\""
                var end = index + mark.count
                while end < characters.count, !characters[end...].starts(with: mark) { end += 1 }
                texts.append((label, String(characters[(index + mark.count)..<min(end, characters.count)])))
                index = end + mark.count - 1
            default: break
            }
            index += 1
        }
        return texts
    }
}
