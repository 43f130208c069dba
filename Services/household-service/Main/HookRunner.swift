import Glibc
import STBus
import STContracts
import STDomain
import STEngine
import STHouseholdCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Starts the program in the settings for each message: requests that wait for a guardian, and weeks that have ended.
actor HookRunner {
    private static let checkInterval = Duration.seconds(600)
    private static let retry = Backoff(firstMs: 5_000, limitMs: 600_000)

    private let host: ServiceHost<HouseholdState>
    private let surroundings: ServiceEnvironment
    private let bus: BusClient
    private let program: HookProgram
    private let thread: LoopThread
    private let language = DisplayLanguage(of: SessionLanguage.tag(ProcessEnvironment.current()))
    private var isRunning = false
    private var failures = 0
    private var retryTime = BootTime(ms: 0)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    /// Returns `nil` if no program is set.
    init?(_ host: ServiceHost<HouseholdState>, _ surroundings: ServiceEnvironment) throws {
        let configuration = surroundings.configuration
        let (line, names) = (configuration.value(.householdHook), configuration.value(.householdHookNames))
        guard let program = HookProgram(line, names: names) else { return nil }
        self.program = program
        self.host = host
        self.surroundings = surroundings
        bus = surroundings.makeClient()
        thread = try LoopThread(name: "hook")
    }

    /// Checks regularly, because a week ends without a message.
    func startTimer() {
        startNext()
        surroundings.loop.thread.after(milliseconds: Self.checkInterval.ms) { [weak self] in
            self?.assumeIsolated { $0.startTimer() }
        }
    }

    /// Starts the next program, unless one is running.
    func startNext() {
        guard !isRunning, BootTime(ms: Stopwatch.bootMilliseconds()) >= retryTime else { return }
        isRunning = true
        Task(executorPreference: surroundings.loop.thread) { await self.runNext() }
    }

    private func runNext() async {
        defer { isRunning = false }
        do {
            while let word = try await next() {
                do { try await run(word) } catch  where failures < HookProgram.failuresMax {
                    throw error
                } catch {
                    surroundings.log.problem("hook_given_up", Problem(error))
                }
                failures = 0
                try await host.step("household.hook.told", HouseholdSteps.recordHookDelivery(word.key))
            }
        } catch {
            if failures == 0 { surroundings.log.problem("hook_failed", Problem(error)) }
            failures += 1
            let delay = Duration.milliseconds(Self.retry.delayMs(attempt: failures))
            retryTime = BootTime(ms: Stopwatch.bootMilliseconds()) + delay
            surroundings.loop.thread.after(milliseconds: delay.ms) { [weak self] in
                self?.assumeIsolated { $0.startNext() }
            }
        }
    }

    private func next() async throws -> HookEvent? {
        let state = try await host.state
        let rules = ZoneRules.load(LocalZone.identifier()) ?? .utc
        guard
            let next = Hooks.next(
                state,
                at: surroundings.time.now().wall,
                names: program.receivesNames,
                rules,
                in: language
            )
        else { return nil }
        switch next {
        case .event(let word): return word
        case .week(let first, let key):
            let used = try await bus.call(HouseholdSums.self, Hooks.usage(ofWeek: first)).sums
            let earlier = Hooks.usage(ofWeek: first.adding(days: -7))
            let before = try await bus.call(HouseholdSums.self, earlier).sums
            return Hooks.summary(key, from: first, used: used, before: before, in: language)
        }
    }

    private func run(_ word: HookEvent) async throws {
        let input = try word.encodedBody()
        let plan = program.plan(for: word, in: ProcessEnvironment.current())
        let status: ExitStatus? = try await withCheckedThrowingContinuation { continuation in
            thread.post { continuation.resume(with: Result { try Self.run(plan, input) }) }
        }
        guard status == .exited(0) else { throw program.failed }
    }

    private static func run(_ plan: SpawnPlan, _ input: [UInt8]) throws -> ExitStatus? {
        // Use a file, because a program that reads nothing would block a pipe.
        let file = try OwnedDescriptor.unnamedFile(holding: input)
        var plan = plan
        plan.descriptors[STDIN_FILENO] = file.number
        let process = try SpawnedProcess(plan)
        if let status = process.wait(deadlineMs: HookProgram.timeout.ms) { return status }
        process.signalGroup(SIGKILL)
        _ = process.wait(deadlineMs: 5_000)
        return nil
    }
}
