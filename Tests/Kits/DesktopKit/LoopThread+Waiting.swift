import Glibc
package import STPlatform
import Synchronization

extension LoopThread {
    /// Runs a function on the loop's thread and waits for its result. Must not be called on the loop's thread.
    package func wait<T: Sendable>(_ work: @escaping @Sendable () throws -> T) throws -> T {
        let box = try Answer<T>()
        post { box.give(Result { try work() }) }
        return try box.take()
    }
}

private final class Answer<T: Sendable>: Sendable {
    private let result = Mutex<Result<T, any Error>?>(nil)
    private let pipe: DescriptorPipe

    init() throws { pipe = try DescriptorPipe() }

    func give(_ value: Result<T, any Error>) {
        result.withLock { $0 = value }
        var byte: UInt8 = 1
        _ = write(pipe.writeEnd.number, &byte, 1)
    }

    func take() throws -> T {
        while true {
            if let value = result.withLock({ $0 }) { return try value.get() }
            _ = Readiness.wait(pipe.readEnd.number, withinMs: 1_000)
        }
    }
}
