/// A type of the product with all its extensions, found by the lines without indentation.
struct SwiftType {
    var target: String
    var name: String
    var lines = 0
    var files: Set<String> = []

    var text: String { "\(target) \(name): \(lines) lines in \(files.sorted().joined(separator: " "))" }

    /// Types by target and name. An extension belongs to the type of that name in its own target, or else to the only one. Types
    /// that are not declared in these files, for example those of the standard library, are left out.
    static func all(_ files: [SourceTree.File], target: (String) -> String) -> [SwiftType] {
        var types: [String: [String: SwiftType]] = [:]
        var extensions: [(piece: Piece, target: String, path: String)] = []
        for file in files {
            let target = target(file.path)
            for piece in pieces(file.lines) {
                if piece.isExtension {
                    extensions.append((piece, target, file.path))
                } else {
                    types[piece.name, default: [:]][target, default: .init(target: target, name: piece.name)]
                        .add(piece, file.path)
                }
            }
        }
        for (piece, target, path) in extensions {
            guard let found = types[piece.name] else { continue }
            let owner = found[target] != nil || found.count > 1 ? target : found.keys.first ?? target
            types[piece.name]?[owner]?.add(piece, path)
        }
        return types.values.flatMap(\.values).sorted { ($0.target, $0.name) < ($1.target, $1.name) }
    }

    private mutating func add(_ piece: Piece, _ path: String) {
        lines += piece.lines
        files.insert(path)
    }

    /// From a declaration to the next one.
    private struct Piece {
        var name: String
        var isExtension: Bool
        var lines: Int
    }

    private static func pieces(_ lines: [Substring]) -> [Piece] {
        let starts = lines.indices.compactMap { index in
            declaration(lines[index]).map { (index, $0.word, $0.name) }
        }
        return starts.enumerated().compactMap { number, start in
            let end = number + 1 < starts.count ? starts[number + 1].0 : lines.count
            guard ["struct", "class", "enum", "actor", "extension"].contains(start.1) else { return nil }
            return Piece(name: start.2, isExtension: start.1 == "extension", lines: end - start.0)
        }
    }

    private static func declaration(_ line: Substring) -> (word: String, name: String)? {
        guard let first = line.first, first.isLetter || first == "@" else { return nil }
        let words = line.split(separator: " ")
        let kinds: Set<Substring> = [
            "struct", "class", "enum", "actor", "extension", "protocol", "func", "let", "var", "typealias",
        ]
        guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count, words[0] != "import"
        else { return nil }
        let name = words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return (String(words[kind]), String(name))
    }
}
