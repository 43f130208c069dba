/// One window of this program.
struct AppWindow {
    let id: UInt32
    /// All that was typed into it.
    var text = ""
    var motions = 0
    var presses = 0
    /// Raises itself every so many milliseconds; 0: it does not.
    var fightMs = 0
    var fightDueMs: Int64 = 0
}
