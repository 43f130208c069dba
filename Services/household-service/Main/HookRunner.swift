import Glibc
import STBus
import STContracts
import STDomain
import STEngine
import STHouseholdCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Starts the program that the settings name, for each request that waits for a guardian and for each week.
actor HookRunner {
    private static let runMs: Int64 = 30_000
    private static let lookMs: Int64 = 600_000
    /// In about half an hour.
    private static let failuresMax = 10
    private static let retry = Backoff(firstMs: 5_000, limitMs: 600_000)

    private let host: ServiceHost<HouseholdState>
    private let surroundings: Surroundings
    private let bus: BusClient
    private let words: [String]
    private let names: Bool
    private let thread: LoopThread
    private var isRunning = false
    private var failures = 0
    private var againAtMs: Int64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    /// Nil where no program is set.
    init?(_ host: ServiceHost<HouseholdState>, _ surroundings: Surroundings) throws {
        words = surroundings.configuration.value(.householdHook).split(separator: " ").map(String.init)
        guard !words.isEmpty else { return nil }
        self.host = host
        self.surroundings = surroundings
        names = surroundings.configuration.value(.householdHookNames) == "yes"
        bus = surroundings.makeClient()
        thread = try LoopThread(name: "hook")
    }

    /// Looks now and then by itself, because a week ends without a message.
    func begin() {
        turn()
        surroundings.loop.thread.after(milliseconds: Self.lookMs) { [weak self] in
            self?.assumeIsolated { $0.begin() }
        }
    }

    /// One program at a time.
    func turn() {
        guard !isRunning, Stopwatch.bootMilliseconds() >= againAtMs else { return }
        isRunning = true
        Task(executorPreference: surroundings.loop.thread) { await self.tell() }
    }

    private func tell() async {
        defer { isRunning = false }
        do {
            while let word = try await next() {
                do { try await run(word) } catch  where failures < Self.failuresMax { throw error } catch {
                    // The words behind it must not wait for ever.
                    surroundings.log.problem("hook_given_up", Problem(error))
                }
                failures = 0
                try await host.step("household.hook.told") { state, _, change in
                    try Hooks.told(word.key, &state, nowMs: change.now.wallMs, change.database)
                }
            }
        } catch {
            if failures == 0 { surroundings.log.problem("hook_failed", Problem(error)) }
            failures += 1
            let delayMs = Self.retry.delayMs(attempt: failures)
            againAtMs = Stopwatch.bootMilliseconds() + delayMs
            surroundings.loop.thread.after(milliseconds: delayMs) { [weak self] in
                self?.assumeIsolated { $0.turn() }
            }
        }
    }

    private func next() async throws -> HookWord? {
        let state = try await host.state
        let now = surroundings.time.now()
        let words =
            Hooks.requests(state, nowMs: now.wallMs, names: names) + Hooks.alarms(state, nowMs: now.wallMs)
        if let first = words.first { return first }
        let rules = ZoneRules.of(LocalZone.identifier()) ?? .utc
        let today = rules.day(atMs: now.wallMs)
        let hour = rules.localMs(atMs: now.wallMs) / 3_600_000 % 24
        guard let week = Hooks.week(state, day: today, hour: hour) else { return nil }
        let used = try await sums(from: week.first)
        let before = try await sums(from: week.first.adding(days: -7))
        return Hooks.summary(week.key, from: week.first, used: used, before: before)
    }

    private func sums(from first: CivilDate) async throws -> [HouseholdSums.Sum] {
        let last = first.adding(days: 6)
        let asked = HouseholdSums.Request(from: first.text, through: last.text, by: [.member])
        return try await bus.call(HouseholdSums.self, asked).sums
    }

    /// The word is the program's input, as JSON, and its text stands in the environment for a program that reads no JSON.
    private func run(_ word: HookWord) async throws {
        let input = try word.encodedBody()
        let plan = SpawnPlan(
            executable: words[0],
            arguments: Array(words.dropFirst()),
            environment: ProcessEnvironment.current().merging([
                "SCREENTIME_WHAT": word.what, "SCREENTIME_TEXT": word.text, "SCREENTIME_KEY": word.key,
            ]) { $1 },
            workingDirectory: "/"
        )
        let status: ExitStatus? = try await withCheckedThrowingContinuation { continuation in
            thread.post { continuation.resume(with: Result { try Self.run(plan, input) }) }
        }
        guard status == .exited(0) else {
            throw Problem(
                "hook.failed",
                "The program \(words[0]) did not do its work within \(Self.runMs / 1_000) s. It is tried again; look at the log of household-service for what it says.",
                retryable: true
            )
        }
    }

    private static func run(_ plan: SpawnPlan, _ input: [UInt8]) throws -> ExitStatus? {
        // A file, because a program that reads nothing would hold up a pipe.
        let file = try OwnedDescriptor.unnamedFile(holding: input)
        var plan = plan
        plan.descriptors[STDIN_FILENO] = file.number
        let process = try SpawnedProcess(plan)
        if let status = process.wait(deadlineMs: runMs) { return status }
        process.signalGroup(SIGKILL)
        _ = process.wait(deadlineMs: 5_000)
        return nil
    }
}
