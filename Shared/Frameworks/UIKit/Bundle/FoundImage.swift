import STPlatform

/// The file of a picture, and the one for dark desktops where it has its own.
struct FoundImage {
    var file: String
    var dark: String?
    var scale: Int
    var head: PictureHead
}
