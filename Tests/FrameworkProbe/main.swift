import DeviceActivity
import Foundation
import STFrameworkSamples

// A process of its own for the tests: the first argument says what it does.
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "defaults":
    // Adds keys of its own to a suite, one at a time, and one that everybody counts up.
    let defaults = UserDefaults(suiteName: arguments[2])
    for number in 0..<(Int(arguments[4]) ?? 0) {
        defaults?.set(number, forKey: "\(arguments[3]).\(number)")
    }
case "log":
    writeDotted("the child", 3)
    writeByOSLog()
    writeByOS()
case "standard":
    UserDefaults.standard.set("here", forKey: "where")
    print(UserDefaults.standard.string(forKey: "where") ?? "nothing")
default: exit(64)
}
