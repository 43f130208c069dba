/// Numbers filled up with zeros; a format string would bring in much more than that.
package enum Digits {
    package static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    package static func four(_ number: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }
}
