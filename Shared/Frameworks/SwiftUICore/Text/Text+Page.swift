import Foundation
package import STContracts

extension Text: View, PrimitiveView {
    /// It is its words.
    public typealias Body = Never

    package func write(_ page: PageWriter) throws {
        if pieces.count == 1, case .image(let image) = pieces[0].source { return try page.lower(image) }
        let look = page.environment.look
        try page.add(
            PageNode(
                kind: .text,
                runs: runs(page),
                lines: look.lineLimit,
                align: look.textAlign.page,
                heading: look.heading
            )
        )
    }

    /// In pieces of one look each.
    @MainActor package func runs(_ page: PageWriter) -> [PageRun] {
        TextResolving(page.environment, color: page.textColor).runs(pieces)
    }

    /// The words alone.
    package func words(in environment: EnvironmentValues) -> String {
        TextResolving(environment, color: nil).runs(pieces).map(\.text).joined()
    }
}
