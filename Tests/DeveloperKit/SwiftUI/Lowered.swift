import Charts
import STContracts
import STPlatform
import STRendering
import SwiftUICore
import Testing

/// The page of a view for tests.
@MainActor
enum Lowered {
    static func nodes(_ view: some View, language: String = "en") throws -> [PageNode] {
        try #require(page(view, language: language).variants.first).nodes
    }

    static func page(_ view: some View, language: String = "en") throws -> Page {
        let page = try PageBuilder.page(of: view, language: language, zone: "Asia/Seoul")
        // The page passes the check of the program that draws it.
        try PageCheck.check(page)
        return page
    }

    /// The code of the problem that replaces the page.
    static func problem(_ view: some View) -> String? {
        do {
            _ = try PageBuilder.page(of: view)
            return nil
        } catch {
            return (error as? Problem)?.code ?? "\(error)"
        }
    }

    /// The text of each variant with its choices.
    static func variants(_ page: Page) -> [String] {
        page.variants.map { variant in
            let words = variant.nodes.flatMap { $0.runs ?? [] }.map(\.text).joined(separator: " ")
            return variant.chosen.map(String.init).joined(separator: ",") + ": " + words
        }
    }

    /// Kinds and texts of nodes, with their children in brackets.
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

/// Makes a page of a chart.
@MainActor
enum ChartDesk {
    static func node(_ view: some View) throws -> PageNode {
        let page = try PageBuilder.page(of: view)
        return try #require(page.variants[0].nodes.first { $0.kind == .chart })
    }

    static func chart(_ view: some View) throws -> PageChart { try #require(try node(view).chart) }

    /// The charts of each variant.
    static func charts(_ page: Page) -> [PageChart] {
        page.variants.compactMap { $0.nodes.first { $0.kind == .chart }?.chart }
    }
}

struct AppTime: Identifiable, Hashable {
    var id: String { name }
    let name: String
    let seconds: Double
    var kind = "fun"

    static let three = [
        AppTime(name: "Mail", seconds: 60, kind: "work"), AppTime(name: "Game", seconds: 180),
        AppTime(name: "Chat", seconds: 120),
    ]
}
