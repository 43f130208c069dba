import STContracts

/// An app that something speaks for.
struct AppClaim: Sendable {
    var id: String
    /// Its entry; nil where what speaks for it is all there is.
    var app: CatalogueEntry?
    var clue: AppClue
    /// The end of a sentence: "its desktop entry says so".
    var why: String
    /// Nothing else can be meant, whatever the window says.
    var isDefinite = false
}
