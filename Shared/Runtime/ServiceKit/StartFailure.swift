import STPlatform

/// The exit code of a start that failed.
///
/// The codes are those of sysexits.h, because systemd shows their names.
enum StartFailure {
    static func exitCode(_ problem: Problem) -> Int32 {
        switch problem.code.prefix(while: { $0 != "." }) {
        case "config", "path", "directory", "clock": 78
        case "instance": 75
        case "store": 74
        default: 70
        }
    }
}
