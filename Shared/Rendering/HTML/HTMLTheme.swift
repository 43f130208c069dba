/// Which face of its colours a document shows.
package enum HTMLTheme: String, Sendable {
    /// As the reader's system does.
    case automatic
    case light
    case dark
}
