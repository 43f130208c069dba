/// What kind of picture it is that somebody sent in base64.
package enum PagePicture: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"

    /// By the first bytes, as their base64 has them.
    package static func kind(of base64: String) -> PagePicture? {
        if base64.hasPrefix("iVBORw0KGgo") { return .png }
        return base64.hasPrefix("/9j/") ? .jpeg : nil
    }
}
