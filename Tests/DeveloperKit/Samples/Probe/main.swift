import DeviceActivity
import Dispatch
import FamilyControls
import Foundation
import STFrameworkSamples

// A separate process for the tests. The first argument selects its task.
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "defaults":
    // Adds its own keys to a suite, one at a time.
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
case "ask":
    // Blocks the main thread like a program without a run loop.
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            try await AuthorizationCenter.shared.requestAuthorization(for: .individual)
            print("answer: \(AuthorizationCenter.shared.authorizationStatus)")
        } catch {
            print("answer: \(error)")
        }
        done.signal()
    }
    done.wait()
case "hear":
    // Prints the name of each notification and exits after all of them. They can arrive while observers register.
    nonisolated(unsafe) var awaited = Set(arguments.dropFirst(2))
    for name in awaited {
        PhoneNames.hear(name) { heard in
            print(heard)
            awaited.remove(heard)
            if awaited.isEmpty { exit(0) }
        }
    }
    RunLoop.main.run()
case "old":
    print(OldSettings.keep(7, for: "n") ?? 0, UserDefaults.standard.integer(forKey: "n"))
case "secret":
    // Each process does one thing with the keychain.
    let account = arguments[3]
    switch arguments[2] {
    case "save": print(Secrets.save(Data(arguments[4].utf8), for: account))
    case "load": print(Secrets.load(account).map { String(decoding: $0, as: UTF8.self) } ?? "none")
    case "forget": print(Secrets.forget(account))
    default: print(Secrets.accounts().sorted().joined(separator: " "))
    }
case "post": for name in arguments.dropFirst(2) { PhoneNames.post(name) }
default: exit(64)
}
