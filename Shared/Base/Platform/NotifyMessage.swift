/// What a service told its supervisor, in the words of sd_notify(3).
package struct NotifyMessage: Sendable, Equatable {
    /// The sender, as the kernel knows it.
    package var pid: Int32
    /// Its process group, or -1 when it is gone: a helper such as `systemd-notify` speaks for its group.
    package var group: Int32
    package var isReady = false
    package var isStopping = false
    package var feedsWatchdog = false
    package var status: String?

    /// A status is one line for people; a longer one is cut.
    private static let statusCharactersMax = 256

    init(text: String, pid: Int32, group: Int32) {
        self.pid = pid
        self.group = group
        for line in text.split(separator: "\n") {
            switch line {
            case "READY=1": isReady = true
            case "STOPPING=1": isStopping = true
            case "WATCHDOG=1": feedsWatchdog = true
            default:
                let prefix = "STATUS="
                if line.hasPrefix(prefix) {
                    status = String(line.dropFirst(prefix.count).prefix(Self.statusCharactersMax))
                }
            }
        }
    }
}
