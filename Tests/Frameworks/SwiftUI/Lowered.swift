import STContracts
import STPlatform
import STRendering
import SwiftUICore
import Testing

/// What a view is on a page, for tests to look at.
@MainActor
enum Lowered {
    static func nodes(_ view: some View, language: String = "en") throws -> [PageNode] {
        try #require(page(view, language: language).variants.first).nodes
    }

    static func page(_ view: some View, language: String = "en") throws -> Page {
        let page = try PageBuilder.page(of: view, language: language, zone: "Asia/Seoul")
        // Whoever shows it takes what is made.
        try PageCheck.check(page)
        return page
    }

    /// The code of the problem that there is instead of a page.
    static func problem(_ view: some View) -> String? {
        do {
            _ = try PageBuilder.page(of: view)
            return nil
        } catch {
            return (error as? Problem)?.code ?? "\(error)"
        }
    }

    /// The words of each variant, with what is chosen.
    static func variants(_ page: Page) -> [String] {
        page.variants.map { variant in
            let words = variant.nodes.flatMap { $0.runs ?? [] }.map(\.text).joined(separator: " ")
            return variant.chosen.map(String.init).joined(separator: ",") + ": " + words
        }
    }

    /// Kinds and words, with what stands in a thing in brackets.
    static func outline(_ view: some View, language: String = "en") throws -> String {
        outline(try nodes(view, language: language))
    }

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
