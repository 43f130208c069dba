import Synchronization

/// The systems that run at this moment, for whoever tells a failure.
package enum RunningSystems {
    private static let systems = Mutex<[TestSystem]>([])

    static func add(_ system: TestSystem) { systems.withLock { $0.append(system) } }

    static func remove(_ system: TestSystem) { systems.withLock { $0.removeAll { $0 === system } } }

    package static func stories() -> String {
        systems.withLock { $0 }.map { $0.story() }.joined(separator: "\n")
    }
}
