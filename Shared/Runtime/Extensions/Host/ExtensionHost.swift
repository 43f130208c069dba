import Glibc
package import STPlatform
package import STZeroMQ

/// Functions that a host needs from its service.
package struct ExtensionServices: Sendable {
    /// Sends a request to a service in an extension's name. Many calls may run concurrently.
    package var forward: @Sendable (ForwardedRequest) async throws -> [UInt8]
    /// Receives every line, on the loop's thread.
    package var onLine: @Sendable (ExtensionLine) -> Void
    package var now: @Sendable () -> TimeReading
    /// Called on the loop's thread when a process that was started for a debugger has ended.
    package var debuggingEnded: @Sendable (ExtensionSpec) -> Void

    package init(
        forward: @escaping @Sendable (ForwardedRequest) async throws -> [UInt8],
        heard: @escaping @Sendable (ExtensionLine) -> Void,
        now: @escaping @Sendable () -> TimeReading,
        debuggingEnded: @escaping @Sendable (ExtensionSpec) -> Void = { _ in }
    ) {
        self.forward = forward
        self.onLine = heard
        self.now = now
        self.debuggingEnded = debuggingEnded
    }
}

/// The objects that all processes of one host share.
struct ExtensionHostContext {
    let loop: BusLoop
    let settings: ExtensionSettings
    let services: ExtensionServices
    let memoryWatch: MemoryWatch
    let orphanSweep: OrphanSweep
}

/// Calls extensions. Starts their processes when they are needed, and ends them when they are not.
package actor ExtensionHost {
    private let context: ExtensionHostContext
    private let watch: MemoryWatch
    private let scanner: LoopThread
    private var slots: [ExtensionSpec.Key: ExtensionSlot] = [:]
    private var isStopped = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        context.loop.thread.asUnownedSerialExecutor()
    }

    /// Creates the folder of the endpoints, and ends extensions that an earlier host may have left behind.
    package init(_ loop: BusLoop, settings: ExtensionSettings, services: ExtensionServices) throws {
        try Directories.prepare(settings.folder)
        _ = OrphanSweep.endLeftovers(folder: settings.folder)
        try DirectoryTree.remove(settings.folder)
        try Directories.prepare(settings.folder)
        if settings.ownsAllChildren { try ProcessTable.adoptOrphans() }
        watch = try MemoryWatch(every: settings.limits.sampleInterval)
        scanner = try LoopThread(name: "orphans")
        context = ExtensionHostContext(
            loop: loop,
            settings: settings,
            services: services,
            memoryWatch: watch,
            orphanSweep: OrphanSweep(loop.thread, scanner: scanner, ownsAllChildren: settings.ownsAllChildren)
        )
    }

    /// Makes one call, after the earlier ones of that extension. Always returns: a failure is part of the outcome.
    package nonisolated func call(_ spec: ExtensionSpec, _ job: ExtensionJob) async -> ExtensionOutcome {
        await withCheckedContinuation { continuation in
            context.loop.thread.post {
                self.assumeIsolated { $0.add(spec, job: job) { continuation.resume(returning: $0) } }
            }
        }
    }

    /// Starts an extension stopped and without limits, and returns its pid. Calls go to that process until it ends.
    package nonisolated func debug(_ spec: ExtensionSpec) async throws -> Int32 {
        try await onLoop { try $0.slot(spec).debug(spec) }
    }

    /// Ends a process that was started for a debugger. Returns false if there is none.
    package nonisolated func endDebugging(_ spec: ExtensionSpec) async throws -> Bool {
        try await onLoop { $0.slots[spec.key]?.endDebugging() ?? false }
    }

    /// Ends all processes. Calls under way are interrupted.
    package nonisolated func stop() async {
        await withCheckedContinuation { continuation in
            context.loop.thread.post { self.assumeIsolated { $0.stop { continuation.resume() } } }
        }
        watch.stop()
        scanner.stop()
        scanner.join()
    }

    private func add(
        _ spec: ExtensionSpec,
        job: ExtensionJob,
        completion: @escaping (ExtensionOutcome) -> Void
    ) {
        guard !isStopped else {
            return completion(ExtensionOutcome(problem: ExtensionProblem.interrupted))
        }
        slot(spec).add(.init(spec: spec, job: job, completion: completion))
    }

    private func slot(_ spec: ExtensionSpec) -> ExtensionSlot {
        if let slot = slots[spec.key] { return slot }
        let slot = ExtensionSlot(context)
        slots[spec.key] = slot
        return slot
    }

    private func stop(_ completion: @escaping () -> Void) {
        isStopped = true
        var left = slots.values.count { $0.process != nil }
        for slot in slots.values {
            slot.onStopped = {
                left -= 1
                if left == 0 { completion() }
            }
            slot.stop()
        }
        if left == 0 { completion() }
    }

    /// Runs on the loop's thread. Awaiting the actor instead ran on another thread in optimised builds.
    private nonisolated func onLoop<Value: Sendable>(
        _ body: @escaping @Sendable (isolated ExtensionHost) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            context.loop.thread.post {
                self.assumeIsolated { host in
                    continuation.resume(with: Result { try body(host) })
                }
            }
        }
    }
}
