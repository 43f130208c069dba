import Charts
import STContracts
import SwiftUICore
import Testing

/// Puts a chart on a page.
@MainActor
enum ChartDesk {
    static func node(_ view: some View) throws -> PageNode {
        let page = try PageBuilder.page(of: view)
        return try #require(page.variants[0].nodes.first { $0.kind == .chart })
    }

    static func chart(_ view: some View) throws -> PageChart { try #require(try node(view).chart) }

    /// Of the page when each of its choices is chosen.
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
