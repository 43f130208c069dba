/// Text that a person types into a shell.
package enum ShellText {
    /// The text in single quotes if it contains characters that are special to a shell. Otherwise unchanged.
    package static func quote(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (97...122).contains(byte) || (65...90).contains(byte) || (45...58).contains(byte) || byte == 95
        }
        if isPlain && !text.isEmpty { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
