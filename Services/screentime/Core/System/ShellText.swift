/// Text that is typed into a shell.
enum ShellText {
    /// As it is when nothing in it means anything to a shell, else in single quotes.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (97...122).contains(byte) || (65...90).contains(byte) || (45...58).contains(byte) || byte == 95
        }
        if isPlain && !text.isEmpty { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
