import STDesktop
import STPlatform

/// Makes safe what other programs say of themselves.
enum TextCare {
    /// No controls, whole UTF-8, at most `DesktopWindow.textBytesMax` bytes.
    static func safe(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text else { return nil }
        // A title may be 64 kB: no more of it is looked at than is kept.
        let count = strnlength(text, DesktopWindow.textBytesMax + 1)
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        return safe(String(decoding: bytes, as: UTF8.self))
    }

    static func safe(_ text: String) -> String {
        let harmless = DisplayWidth.harmless(text)
        guard harmless.utf8.count > DesktopWindow.textBytesMax else { return harmless }
        var result = ""
        var left = DesktopWindow.textBytesMax
        for scalar in harmless.unicodeScalars {
            left -= UTF8.width(scalar)
            guard left >= 0 else { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func strnlength(_ text: UnsafePointer<CChar>, _ limit: Int) -> Int {
        var count = 0
        while count < limit, text[count] != 0 { count += 1 }
        return count
    }
}
