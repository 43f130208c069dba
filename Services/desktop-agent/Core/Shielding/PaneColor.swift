/// Colours of looks as panes have them.
enum PaneColor {
    /// `#RRGGBBAA` over a colour that lets nothing through; nil for anything else.
    static func opaque(_ text: String, over base: UInt32) -> UInt32? {
        guard text.utf8.count == 9, text.first == "#", let value = UInt32(text.dropFirst(), radix: 16) else {
            return nil
        }
        let alpha = value & 0xFF
        func channel(_ shift: UInt32) -> UInt32 {
            let above = (value >> (shift + 8)) & 0xFF
            let below = (base >> shift) & 0xFF
            return (above * alpha + below * (255 - alpha)) / 255
        }
        return 0xFF00_0000 | channel(16) << 16 | channel(8) << 8 | channel(0)
    }
}
