import Foundation
import STContracts

/// Makes words of a text where it is known how words look there.
struct TextResolving {
    /// Texts within texts.
    private static let depthMax = 16

    private let environment: EnvironmentValues
    private let color: PageColor?

    init(_ environment: EnvironmentValues, color: PageColor?) {
        self.environment = environment
        self.color = color
    }

    func runs(_ pieces: [TextPiece]) -> [PageRun] {
        var runs: [PageRun] = []
        for piece in pieces { add(piece, &runs, 0) }
        return runs
    }

    private func add(_ piece: TextPiece, _ runs: inout [PageRun], _ depth: Int) {
        switch piece.source {
        case .plain(let text): append(text, piece, &runs)
        case .made(let value): append(value.text(environment), piece, &runs)
        // Among words there is no room for a picture: its name would say nothing.
        case .image: break
        case .key(let key, let table):
            guard depth < Self.depthMax else { return }
            for part in key.resolved(environment, table: table) {
                switch part {
                case .literal(let text): append(text, piece, &runs)
                case .text(let text):
                    for inner in text.pieces { add(inner.inside(piece), &runs, depth + 1) }
                }
            }
        }
    }

    private func append(_ text: String, _ piece: TextPiece, _ runs: inout [PageRun]) {
        guard !text.isEmpty else { return }
        var run = PageRun(text: cased(text))
        let look = environment.look
        if look.redaction.contains(.placeholder) {
            run.text = String(text.map { $0.isWhitespace ? $0 : "▆" })
        }
        let changes = look.fontChanges + piece.changes
        if let font = piece.font ?? look.font {
            run.font = font.page(changes)
        } else if !changes.isEmpty {
            run.font = Font.body.page(changes)
        }
        run.color = piece.color?.paint(in: environment).single ?? color
        if piece.underline ?? look.underline { run.underline = true }
        if piece.strike ?? look.strike { run.strike = true }
        if var last = runs.last, last.font == run.font, last.color == run.color,
            last.underline == run.underline, last.strike == run.strike
        {
            last.text += run.text
            runs[runs.count - 1] = last
        } else {
            runs.append(run)
        }
    }

    private func cased(_ text: String) -> String {
        switch environment.look.textCase {
        case .uppercase?: text.uppercased()
        case .lowercase?: text.lowercased()
        case nil: text
        }
    }
}
