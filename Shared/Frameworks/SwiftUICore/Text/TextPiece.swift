/// A part of a text in one look.
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

    /// With what a text around it says where it says nothing itself.
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
