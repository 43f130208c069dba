package import STContracts

/// One notification on a terminal: when and to whom, and below it what was said.
package enum NotificationText {
    package static func lines(_ posted: PostedNotification, _ terminal: Terminal) -> [String] {
        let time = LocalTime.text(wire: posted.postedAt)
        let indent = String(repeating: " ", count: DisplayWidth.columns(time) + 2)
        let from =
            posted.app == BuiltInRules.app
            ? posted.member : "\(posted.member), from \(posted.app)"
        let title = terminal.styled(DisplayWidth.harmless(posted.title), .bold)
        let first = "\(time)  \(title)  " + terminal.styled("(\(DisplayWidth.harmless(from)))", .dim)
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - indent.count)
        let body = posted.body.split { $0.isNewline }.flatMap { line in
            TextWrap.lines(DisplayWidth.harmless(String(line)), narrow).map { indent + $0 }
        }
        return [first] + body
    }
}
