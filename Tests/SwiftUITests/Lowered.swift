import STContracts
import SwiftUICore
import Testing

/// What a view is on a page, for tests to look at.
@MainActor
enum Lowered {
    static func nodes(_ view: some View, language: String = "en") throws -> [PageNode] {
        try #require(page(view, language: language).variants.first).nodes
    }

    static func page(_ view: some View, language: String = "en") throws -> Page {
        try PageBuilder.page(of: view, language: language, zone: "Asia/Seoul")
    }

    /// Kinds and words, with what stands in a thing in brackets.
    static func outline(_ view: some View) throws -> String { outline(try nodes(view)) }

    static func outline(_ nodes: [PageNode]) -> String {
        var rest = nodes[...]
        return outline(&rest)
    }

    private static func outline(_ rest: inout ArraySlice<PageNode>) -> String {
        guard let node = rest.popFirst() else { return "missing" }
        let words = (node.runs ?? []).map(\.text).joined(separator: "|")
        let own = node.kind == .text ? words : node.kind.rawValue
        let within = (0..<(node.count ?? 0)).map { _ in outline(&rest) }
        return within.isEmpty ? own : "\(own)(\(within.joined(separator: " ")))"
    }
}
