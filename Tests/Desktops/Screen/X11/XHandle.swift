import STDesktop
import STDesktopKit

/// A window of a program, as the test holds it.
struct XHandle {
    let program: LineProgram
    let number: Int
    let id: UInt32

    var window: WindowID { WindowID("x11:0x" + String(id, radix: 16)) }

    @discardableResult
    func tell(_ command: String) throws -> String { try program.ask("\(number) \(command)") }
}
