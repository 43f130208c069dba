public import Foundation

extension Font {
    /// What letters are for.
    public enum TextStyle: CaseIterable, Sendable {
        /// The largest title.
        case largeTitle
        /// A title.
        case title
        /// A smaller title.
        case title2
        /// The smallest title.
        case title3
        /// A heading.
        case headline
        /// What stands below a heading.
        case subheadline
        /// Text.
        case body
        /// A remark.
        case callout
        /// A note.
        case footnote
        /// What stands at a picture.
        case caption
        /// The same, smaller.
        case caption2

        /// As a phone has them when nobody has changed it.
        var size: Double {
            switch self {
            case .largeTitle: 34
            case .title: 28
            case .title2: 22
            case .title3: 20
            case .headline, .body: 17
            case .callout: 16
            case .subheadline: 15
            case .footnote: 13
            case .caption: 12
            case .caption2: 11
            }
        }
    }

    /// How heavy letters are.
    public struct Weight: Hashable, Sendable {
        let value: Int

        /// The lightest.
        public static let ultraLight = Weight(value: 100)
        /// Between that and light.
        public static let thin = Weight(value: 200)
        /// Light.
        public static let light = Weight(value: 300)
        /// As text is.
        public static let regular = Weight(value: 400)
        /// A little more.
        public static let medium = Weight(value: 500)
        /// Almost bold.
        public static let semibold = Weight(value: 600)
        /// Bold.
        public static let bold = Weight(value: 700)
        /// More than bold.
        public static let heavy = Weight(value: 800)
        /// The heaviest.
        public static let black = Weight(value: 900)
    }

    /// What kind of letters they are.
    public enum Design: Hashable, Sendable {
        /// As it suits.
        case `default`
        /// With small feet.
        case serif
        /// Round.
        case rounded
        /// Of one width.
        case monospaced
    }

    /// How wide letters are.
    public struct Width: Hashable, Sendable {
        /// 0 as they are, less is narrower.
        public var value: CGFloat

        /// So wide.
        public init(_ value: CGFloat) { self.value = value }

        /// The narrowest.
        public static let compressed = Width(-0.4)
        /// Narrow.
        public static let condensed = Width(-0.2)
        /// As they are.
        public static let standard = Width(0)
        /// Wide.
        public static let expanded = Width(0.2)
    }

    /// How far apart lines are.
    public enum Leading: Hashable, Sendable {
        /// As it suits.
        case standard
        /// Nearer.
        case tight
        /// Further.
        case loose
    }
}
