import UIKit

extension Color {
    /// Red.
    public static let red = Color(uiColor: .systemRed)

    /// Orange.
    public static let orange = Color(uiColor: .systemOrange)

    /// Yellow.
    public static let yellow = Color(uiColor: .systemYellow)

    /// Green.
    public static let green = Color(uiColor: .systemGreen)

    /// Mint.
    public static let mint = Color(uiColor: .systemMint)

    /// Teal.
    public static let teal = Color(uiColor: .systemTeal)

    /// Cyan.
    public static let cyan = Color(uiColor: .systemCyan)

    /// Blue.
    public static let blue = Color(uiColor: .systemBlue)

    /// Indigo.
    public static let indigo = Color(uiColor: .systemIndigo)

    /// Purple.
    public static let purple = Color(uiColor: .systemPurple)

    /// Pink.
    public static let pink = Color(uiColor: .systemPink)

    /// Brown.
    public static let brown = Color(uiColor: .systemBrown)

    /// White.
    public static let white = Color(uiColor: .white)

    /// Grey.
    public static let gray = Color(uiColor: .systemGray)

    /// Black.
    public static let black = Color(uiColor: .black)

    /// Nothing at all.
    public static let clear = Color(uiColor: .clear)

    /// Words.
    public static let primary = Color(uiColor: .label)

    /// Words of less weight.
    public static let secondary = Color(uiColor: .secondaryLabel)

    /// What can be pressed.
    public static var accentColor: Color { Color(.accent(opacity: 1)) }
}

extension ShapeStyle where Self == Color {
    /// Red.
    public static var red: Color { Color.red }

    /// Orange.
    public static var orange: Color { Color.orange }

    /// Yellow.
    public static var yellow: Color { Color.yellow }

    /// Green.
    public static var green: Color { Color.green }

    /// Mint.
    public static var mint: Color { Color.mint }

    /// Teal.
    public static var teal: Color { Color.teal }

    /// Cyan.
    public static var cyan: Color { Color.cyan }

    /// Blue.
    public static var blue: Color { Color.blue }

    /// Indigo.
    public static var indigo: Color { Color.indigo }

    /// Purple.
    public static var purple: Color { Color.purple }

    /// Pink.
    public static var pink: Color { Color.pink }

    /// Brown.
    public static var brown: Color { Color.brown }

    /// White.
    public static var white: Color { Color.white }

    /// Grey.
    public static var gray: Color { Color.gray }

    /// Black.
    public static var black: Color { Color.black }

    /// Nothing at all.
    public static var clear: Color { Color.clear }
}
