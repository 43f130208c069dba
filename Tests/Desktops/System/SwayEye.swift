import STDesktopKit
import STPlatform
import STTestSupport

/// What one point of the screen looks like, from outside.
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

    /// The first look from now on that is as wanted.
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
    /// Its cgroup; nil where there are none.
    var folder: String?
}

/// A program of hand-driven windows on a sway.
struct SwayWindows {
    var program: LineProgram
    var folder: String?
}
