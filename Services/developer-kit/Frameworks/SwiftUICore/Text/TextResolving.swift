import Foundation
package import STContracts

extension Text: View, PrimitiveView {
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

    @MainActor package func runs(_ page: PageWriter) -> [PageRun] {
        TextResolving(page.environment, color: page.textColor).runs(pieces)
    }

    /// Returns the text without its appearance.
    package func words(in environment: EnvironmentValues) -> String {
        TextResolving(environment, color: nil).runs(pieces).map(\.text).joined()
    }
}

/// Converts pieces of text to the runs of a page.
struct TextResolving {
    private static let depthMax = 16

    private let environment: EnvironmentValues
    private let color: PageColor?

    init(_ environment: EnvironmentValues, color: PageColor?) {
        self.environment = environment
        self.color = color
    }

    func runs(_ pieces: [TextPiece]) -> [PageRun] {
        var runs: [PageRun] = []
        for piece in pieces { add(piece, to: &runs, depth: 0) }
        return runs
    }

    private func add(_ piece: TextPiece, to runs: inout [PageRun], depth: Int) {
        switch piece.source {
        case .plain(let text): append(text, of: piece, to: &runs)
        case .made(let value): append(value.text(environment), of: piece, to: &runs)
        // An image inside a text is omitted, and its name would not help a reader.
        case .image: break
        case .key(let key, let table):
            guard depth < Self.depthMax else { return }
            for part in key.resolved(environment, table: table) {
                switch part {
                case .literal(let text): append(text, of: piece, to: &runs)
                case .text(let text):
                    for inner in text.pieces { add(inner.inside(piece), to: &runs, depth: depth + 1) }
                }
            }
        }
    }

    private func append(_ text: String, of piece: TextPiece, to runs: inout [PageRun]) {
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

/// A part of a text with uniform appearance.
struct TextPiece: Equatable, Sendable {
    enum Source: Sendable, Equatable {
        case plain(String)
        case key(LocalizedStringKey, table: String?)
        case made(FormattedValue)
        case image(Image)

        static func == (a: Source, b: Source) -> Bool {
            switch (a, b) {
            case (.plain(let a), .plain(let b)): a == b
            case (.key(let a, let first), .key(let b, let second)): a == b && first == second
            case (.made(let a), .made(let b)): a === b
            case (.image(let a), .image(let b)): a == b
            default: false
            }
        }
    }

    var source: Source
    var font: Font?
    var changes: [FontChange] = []
    var color: AnyShapeStyle?
    var underline: Bool?
    var strike: Bool?

    init(_ source: Source) { self.source = source }

    static func == (a: TextPiece, b: TextPiece) -> Bool {
        a.source == b.source && a.font == b.font && a.changes == b.changes && a.underline == b.underline
            && a.strike == b.strike
    }

    /// Returns the piece with unset properties taken from the surrounding text.
    func inside(_ outer: TextPiece) -> TextPiece {
        var piece = self
        piece.font = font ?? outer.font
        piece.changes = outer.changes + changes
        piece.color = color ?? outer.color
        piece.underline = underline ?? outer.underline
        piece.strike = strike ?? outer.strike
        return piece
    }
}

/// A value that is formatted when the language is known.
final class FormattedValue: @unchecked Sendable {
    // @unchecked: formats and their inputs are immutable.
    private let make: (Locale, TimeZone) -> String

    init(_ make: @escaping (Locale, TimeZone) -> String) { self.make = make }

    func text(_ environment: EnvironmentValues) -> String { make(environment.locale, environment.timeZone) }
}
