import STCPlatform

/// How a process ended.
package enum ExitStatus: Sendable, Hashable {
    case exited(Int32)
    case signaled(Int32)

    package var isSuccess: Bool { self == .exited(0) }
}

extension ExitStatus: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let code): "exited with status \(code)"
        case .signaled(let signal): "ended by \(Signals.name(signal))"
        }
    }
}
