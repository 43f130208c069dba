/// How names are searched: in any case, without blanks, and Korean ones by the consonants that their syllables begin with.
package enum PickSearch {
    private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)

    static func key(_ text: String) -> String {
        String(text.lowercased().filter { !$0.isWhitespace })
    }

    /// `sought` is what `key` made.
    package static func matches(_ sought: String, _ typed: String) -> Bool {
        let typed = key(typed)
        if typed.isEmpty || sought.contains(typed) { return true }
        guard typed.unicodeScalars.contains(where: { initials.contains($0) }) else { return false }
        return isBegun(Array(sought.unicodeScalars), Array(typed.unicodeScalars))
    }

    /// Whether `ㅍㅇ폭` stands somewhere in it: a consonant is any syllable that begins with it.
    private static func isBegun(_ sought: [Unicode.Scalar], _ typed: [Unicode.Scalar]) -> Bool {
        guard sought.count >= typed.count else { return false }
        return (0...(sought.count - typed.count)).contains { start in
            typed.indices.allSatisfy { place in
                let scalar = sought[start + place]
                return scalar == typed[place] || initial(of: scalar) == typed[place]
            }
        }
    }

    private static func initial(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard (0xAC00...0xD7A3).contains(scalar.value) else { return nil }
        return initials[Int((scalar.value - 0xAC00) / 588)]
    }
}
