import Foundation

/// A picture of what a token stands for: a tile of its own colour with the first letter of its name.
public struct FamilyActivityIconView: View {
    private static let colors: [Color] = [.blue, .purple, .pink, .orange, .green, .teal, .indigo, .brown]
    private static let side: CGFloat = 28

    let kind: FamilyActivityKind
    /// Nil where nobody knows it.
    private let name: String?

    init(kind: FamilyActivityKind, token: Data) {
        self.kind = kind
        // Of an app the letter is the same in each language.
        name = TokenNames.shared.name(of: token, language: "en")
    }

    /// The tile.
    public var body: some View {
        ZStack {
            RoundedRectangle(cornerRadius: 7).fill(color)
            if let letter {
                Text(letter).font(.system(size: 15, weight: .semibold)).foregroundColor(.white)
            } else {
                Image(systemName: kind.symbol).foregroundColor(.white)
            }
        }
        .frame(width: Self.side, height: Self.side)
        .accessibilityHidden(true)
    }

    /// Of a name such as org.gnome.Evolution that of its last part.
    private var letter: String? {
        name?.split(separator: ".").last?.first { $0.isLetter || $0.isNumber }?.uppercased()
    }

    /// The same one for one name each time.
    private var color: Color {
        let sum = (name ?? "").unicodeScalars.reduce(UInt64(5_381)) { $0 &* 33 &+ UInt64($1.value) }
        return Self.colors[Int(sum % UInt64(Self.colors.count))]
    }
}
