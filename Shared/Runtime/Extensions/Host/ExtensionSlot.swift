import STPlatform
import STZeroMQ

/// The slot of one extension: at most one process, and the calls that wait for it, in order.
final class ExtensionSlot: @unchecked Sendable {
    // @unchecked: everything is used on the bus thread only.

    struct Waiting {
        var spec: ExtensionSpec
        var job: ExtensionJob
        var completion: (ExtensionOutcome) -> Void
    }

    private static let waitingMax = 100

    private let context: ExtensionHostContext
    private var waiting: [Waiting] = []
    private var completion: ((ExtensionOutcome) -> Void)?
    private(set) var process: ExtensionProcess?
    private var isStopped = false
    /// Called when the process of a stopped slot has ended.
    var onStopped: () -> Void = {}

    init(_ ground: ExtensionHostContext) { self.context = ground }

    func add(_ call: Waiting) {
        guard !isStopped, waiting.count < Self.waitingMax else {
            let problem = isStopped ? ExtensionProblem.interrupted : ExtensionProblem.busy
            return call.completion(ExtensionOutcome(problem: problem))
        }
        waiting.append(call)
        startNext()
    }

    func stop() {
        isStopped = true
        for call in waiting { call.completion(ExtensionOutcome(problem: ExtensionProblem.interrupted)) }
        waiting = []
        process?.end()
    }

    /// Starts the extension stopped, for a debugger. Returns the pid to attach to.
    func debug(_ spec: ExtensionSpec) throws -> Int32 {
        if let process, process.isDebugged, !process.isEnding { return process.pid }
        guard process == nil else {
            process?.end()
            throw Problem(
                "extension.busy",
                "The extension is still stopping. Try again in a moment.",
                key: "extension.busy.the-extension-is",
                retryable: true
            )
        }
        return try start(spec, isDebugged: true).pid
    }

    func endDebugging() -> Bool {
        guard let process, process.isDebugged else { return false }
        process.interrupt()
        return true
    }

    private func startNext() {
        guard completion == nil else { return }
        dropAbandoned()
        guard let next = waiting.first else { return }
        if let process {
            // When the ending process has ended, `onChange` calls this again.
            guard !process.isEnding else { return }
            guard process.isDebugged || process.spec == next.spec else { return process.end() }
            guard process.isFree else { return }
            return assign(next, to: process)
        }
        do {
            let process = try start(next.spec, isDebugged: false)
            assign(next, to: process)
        } catch {
            waiting.removeFirst()
            let problem = Problem(error)
            next.completion(ExtensionOutcome(problem: problem))
            context.loop.thread.post { self.startNext() }
        }
    }

    /// Drops calls whose caller has stopped waiting, so that the process serves the others.
    private func dropAbandoned() {
        let nowMs = Stopwatch.bootMilliseconds()
        let isLate = { (call: Waiting) in call.job.startByBootMs.map { $0 <= nowMs } == true }
        let late = waiting.filter(isLate)
        guard !late.isEmpty else { return }
        waiting.removeAll(where: isLate)
        for call in late { call.completion(ExtensionOutcome(problem: ExtensionProblem.abandoned)) }
    }

    private func assign(_ next: Waiting, to process: ExtensionProcess) {
        waiting.removeFirst()
        completion = next.completion
        process.call(next.job)
    }

    private func start(_ spec: ExtensionSpec, isDebugged: Bool) throws -> ExtensionProcess {
        let process = try ExtensionProcess(spec, context, isDebugged: isDebugged)
        self.process = process
        process.onOutcome = { [unowned self] outcome in
            let done = completion
            completion = nil
            done?(outcome)
        }
        process.onChange = { [unowned self] in
            if process.hasEnded {
                self.process = nil
                if isDebugged { context.services.debuggingEnded(spec) }
                if isStopped { onStopped() }
            }
            startNext()
        }
        return process
    }
}
