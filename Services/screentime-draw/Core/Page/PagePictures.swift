import STContracts
import STPlatform

/// Reads the pictures of a page, each once, and no more of them than there is room for.
struct PagePictures {
    private let warnings: Warnings
    private var known: [String: Canvas?] = [:]
    private var pixelsLeft = DrawLimits.imagePixelsMax

    init(_ warnings: Warnings) { self.warnings = warnings }

    /// Nil for a symbol, and for what cannot be shown.
    mutating func picture(_ image: PageImage) -> Canvas? {
        switch image.kind {
        case .system: return nil
        case .unknown:
            warnings.add("A picture is of a kind that this version does not know; it is left out.")
            return nil
        case .data: break
        }
        let data = image.data ?? ""
        if let canvas = known[data] { return canvas }
        known[data] = .some(nil)
        guard pixelsLeft > 0 else {
            warnings.add("There are too many pictures on this page; the last ones are left out.")
            return nil
        }
        do throws(Problem) {
            let canvas = try PictureFile.decoded(
                base64: data,
                bytesMax: PageLimits.bytes,
                sideMax: DrawLimits.imageSideMax
            )
            pixelsLeft -= canvas.width * canvas.height
            known[data] = .some(canvas)
            return canvas
        } catch {
            warnings.add("A picture is left out: \(error.message).")
            return nil
        }
    }
}
