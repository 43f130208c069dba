public import Foundation

extension UIImage {
    /// How a picture is to be drawn.
    public class Configuration: NSObject, @unchecked Sendable {
        // @unchecked: nothing changes.
    }

    /// How heavy the lines of a picture of the system are.
    public enum SymbolWeight: Int, Sendable {
        /// As it suits.
        case unspecified

        /// The lightest.
        case ultraLight

        /// Between `ultraLight` and `light`.
        case thin

        /// Light.
        case light

        /// As words are.
        case regular

        /// Between `regular` and `semibold`.
        case medium

        /// Between `medium` and `bold`.
        case semibold

        /// As words that matter.
        case bold

        /// Between `bold` and `black`.
        case heavy

        /// The heaviest.
        case black
    }

    /// How large a picture of the system is beside words.
    public enum SymbolScale: Int, Sendable {
        /// As `medium`.
        case `default` = -1

        /// As it suits.
        case unspecified

        /// Small.
        case small

        /// As it suits beside words.
        case medium

        /// Large.
        case large
    }

    /// How a picture of the system is to be drawn; of it only the colour counts here.
    public final class SymbolConfiguration: Configuration, @unchecked Sendable {
        // @unchecked: nothing changes.
        let color: UIColor?

        private init(color: UIColor?) { self.color = color }

        /// As large as words of that size.
        public convenience init(pointSize: CGFloat) { self.init(color: nil) }

        /// As large as words of that size, with lines of that weight.
        public convenience init(pointSize: CGFloat, weight: SymbolWeight) { self.init(color: nil) }

        /// As large as words of that size, with lines of that weight.
        public convenience init(pointSize: CGFloat, weight: SymbolWeight, scale: SymbolScale) {
            self.init(color: nil)
        }

        /// With lines of that weight.
        public convenience init(weight: SymbolWeight) { self.init(color: nil) }

        /// Of that size.
        public convenience init(scale: SymbolScale) { self.init(color: nil) }

        /// In shades of one colour; here in that colour.
        public convenience init(hierarchicalColor: UIColor) { self.init(color: hierarchicalColor) }

        /// In these colours; here in the first one.
        public convenience init(paletteColors: [UIColor]) { self.init(color: paletteColors.first) }
    }
}
