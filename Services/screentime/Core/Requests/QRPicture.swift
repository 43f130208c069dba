import STCQRCode

/// A text as a picture that a phone's camera reads, in characters.
package enum QRPicture {
    /// Light around it, without which readers do not find it.
    private static let margin = 2

    /// Nil for a text that does not fit.
    ///
    /// Two rows of the picture in each line: a character is twice as high as it is wide. With colours it is black on
    /// white; without, light is drawn and dark is left out, as most terminals are dark.
    package static func lines(_ text: String, isColoured: Bool) -> [String]? {
        // Zero: the smallest that holds it. Eight-bit, as addresses have small letters.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        let isDark = { (row: Int, column: Int) -> Bool in
            guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
            return data[row * width + column] & 1 == 1
        }
        return stride(from: -margin, to: width + margin, by: 2).map { row in
            let line = (-margin..<(width + margin)).map { column -> Character in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            return isColoured ? "\u{1B}[97;40m\(String(line))\u{1B}[0m" : String(line)
        }
    }
}
