import STDesktopKit
import STPlatform
import STTestSupport

/// One point of the screen, observed from outside.
struct SwayEye {
    var program: LineProgram

    struct Look: Equatable {
        var bootUs: Int64
        var colour: String
    }

    func next(within limit: Duration = .seconds(30)) throws -> Look {
        let words = try program.nextLine(within: limit).split(separator: " ")
        guard words.count == 2, let us = Int64(words[0]) else { throw NotYet("\(words)") }
        return Look(bootUs: us, colour: String(words[1]))
    }

    /// Returns the next observation for which `isWanted` is true.
    func next(within limit: Duration = .seconds(30), _ isWanted: (String) -> Bool) throws -> Look {
        try eventuallyBlocking(within: limit, "the point has the wanted colour") {
            let look = try next(within: .milliseconds(500))
            guard isWanted(look.colour) else { throw NotYet("\(look)") }
            return look
        }
    }
}

/// A real program on a sway.
struct SwayApp {
    var process: SpawnedProcess
    /// Its cgroup. `nil` if there are none.
    var folder: String?
}

/// A program on a sway whose windows the test controls.
struct SwayWindows {
    var program: LineProgram
    var folder: String?
}
