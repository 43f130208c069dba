import Glibc
import STCScreen
import STCTestScreen
import STPlatform
import STTestDisplay

/// Observes the screen from outside, and controls pointer and keys.
///
///     screentime-wayland-observer watch OUTPUT X Y      microseconds of boot time and RRGGBB, at each change
///     screentime-wayland-observer drive WIDTH HEIGHT    commands, one a line, each answered by `ok`:
///         motion X Y, button down|up|click, type TEXT, key CODE, control CODE, motions COUNT X Y WIDTH HEIGHT, keys COUNT
@main
enum Main {
    static func main() {
        let words = CommandLine.arguments
        guard let wire = Wire(), words.count >= 4 else { return say("no display, or too few arguments") }
        if words[1] == "watch", words.count == 5, let x = Int32(words[3]), let y = Int32(words[4]) {
            guard let watcher = Watcher(wire, output: words[2], x: x, y: y) else {
                return say("no screencopy")
            }
            watcher.begin()
            wire.run { _ in exit(0) }
        } else if words[1] == "drive", let width = UInt32(words[2]), let height = UInt32(words[3]) {
            guard let driver = Driver(wire, width: width, height: height) else { return say("no devices") }
            say("ok")
            wire.run { driver.perform($0) ? "" : nil }
        }
    }
}
