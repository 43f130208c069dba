import Glibc
import STContracts
import STEngine
import STExtensions
import STPlatform
import STServiceKit
import STShieldCore

/// Gets the looks of shields from the apps' extensions, or from the cache.
actor AppearanceFetcher {
    private static let missingMax = 1_000
    /// Upper bound on repeated calls. A shield that keeps changing gets the system's own look.
    private static let turnsMax = 4

    private let caller: ShieldCaller
    private let presentation: ShieldPresentation
    private let timeout: Duration
    private var cache = FetchedAppearances()
    /// The calls in progress, by key, with the stamp of what they depend on.
    private var pending:
        [FetchedAppearances.Key: (stamp: String, task: Task<ShieldAppearanceResult, Never>)] = [:]
    /// Methods that an extension does not override. Each is reported once for each installation.
    private var missing: Set<String> = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { caller.thread.asUnownedSerialExecutor() }

    init(_ caller: ShieldCaller, _ showing: ShieldPresentation) {
        self.caller = caller
        self.presentation = showing
        timeout = .milliseconds(caller.surroundings.configuration.number(.shieldLookMs))
    }

    /// Returns the look of a shield. If `isFresh` is true, the cache is not used, because the app wants a new drawing.
    ///
    /// Apps set a shield in several steps. If one of them made a look outdated, the extension is called again. Otherwise the
    /// system's own look would be shown.
    func answer(
        _ request: ShieldAppearanceCall.Request,
        _ question: PreparationQuestion,
        isFresh: Bool = false
    )
        async throws -> ShieldAppearanceCall.Reply
    {
        let start = Stopwatch.milliseconds()
        var reply = ShieldAppearanceCall.Reply()
        for turn in 1...Self.turnsMax {
            let left = timeout - .milliseconds(Stopwatch.milliseconds() - start)
            reply = try await fetch(request, question, isFresh: isFresh && turn == 1, within: left)
            guard let answer = reply.answer, answer.problem == nil else { break }
            let wanted = try await appearanceRequest(request)
            if wanted.stamp == answer.stamp { break }
        }
        return reply
    }

    private func appearanceRequest(_ request: ShieldAppearanceCall.Request) async throws
        -> ShieldAppearanceRequest
    {
        let showing = presentation
        return try await caller.services.host.read {
            try showing.appearanceRequest(request, state: $0, context: $1)
        }
    }

    private func fetch(
        _ request: ShieldAppearanceCall.Request,
        _ question: PreparationQuestion,
        isFresh: Bool,
        within timeLeft: Duration
    ) async throws -> ShieldAppearanceCall.Reply {
        let wanted = try await appearanceRequest(request)
        guard let app = wanted.app, let executable = wanted.executable else {
            return ShieldAppearanceCall.Reply()
        }
        let key = FetchedAppearances.Key(
            app: app,
            member: wanted.member,
            subject: .init(app: request.subject.app, domain: request.subject.domain),
            language: wanted.language
        )
        let stamp = ([wanted.stamp, Self.changed(executable)] + wanted.groups.map(changed(group:)))
            .joined(separator: "\n")
        if isFresh {
            cache.remove(key)
        } else if let known = cache.appearance(key, stamp: stamp) {
            return ShieldAppearanceCall.Reply(answer: known)
        }
        let task = fetch(
            wanted,
            app: app,
            executable: executable,
            question: question,
            key: key,
            stamp: stamp,
            isFresh: isFresh
        )
        let answer = await Deadline.within(timeLeft, on: caller.thread) { await task.value }
        if let answer { return ShieldAppearanceCall.Reply(answer: answer) }
        let problem = ShieldCaller.timedOut(app, after: timeout)
        logProblem("look_too_late", problem: problem, app: app)
        return ShieldAppearanceCall.Reply(
            answer: ShieldAppearanceResult(app: app, stamp: wanted.stamp, problem: problem)
        )
    }

    /// Calls the extension. Other requests for the same look wait for the same reply.
    private func fetch(
        _ wanted: ShieldAppearanceRequest,
        app: String,
        executable: String,
        question: PreparationQuestion,
        key: FetchedAppearances.Key,
        stamp: String,
        isFresh: Bool
    ) -> Task<ShieldAppearanceResult, Never> {
        if !isFresh, let known = pending[key], known.stamp == stamp { return known.task }
        let task = Task(executorPreference: caller.thread, priority: .medium) {
            let answer = await self.call(wanted, app: app, executable: executable, question: question)
            await self.finish(answer, key, stamp: stamp)
            return answer
        }
        pending[key] = (stamp, task)
        return task
    }

    private func finish(_ answer: ShieldAppearanceResult, _ key: FetchedAppearances.Key, stamp: String) {
        // A newer call may already be in progress.
        if pending[key]?.stamp == stamp { pending[key] = nil }
        // A failed call is not cached, because the next one may succeed.
        if answer.look != nil || answer.missing != nil { cache.insert(answer, key, stamp: stamp) }
    }

    private func call(
        _ wanted: ShieldAppearanceRequest,
        app: String,
        executable: String,
        question: PreparationQuestion
    ) async -> ShieldAppearanceResult {
        var answer = ShieldAppearanceResult(app: app, stamp: wanted.stamp)
        do {
            let target = wanted.target ?? ShieldTarget()
            let tokens = try await caller.tokens(
                target,
                app: app,
                member: wanted.member,
                question.trace,
                timeout: timeout
            )
            let outcome = await caller.call(
                .init(
                    spec: caller.spec(
                        app,
                        member: wanted.member,
                        point: .shieldConfiguration,
                        executable: executable,
                        bundle: wanted.bundle,
                        language: wanted.language
                    ),
                    id: Identifier.make(wallMs: caller.surroundings.time.now().wallMs),
                    method: .configuration,
                    body: try Self.body(target, tokens: tokens, language: wanted.language),
                    cause: question.cause,
                    trace: question.trace,
                    timeout: timeout
                )
            )
            if let problem = outcome.problem { throw problem }
            let result = try Self.result(outcome.result)
            (answer.look, answer.problem) = await Self.checked(result.look, bundle: wanted.bundle ?? "/")
            answer.missing = result.missing.map { String($0.prefix(100)) }
        } catch {
            answer.problem = Problem(error)
        }
        if let problem = answer.problem { logProblem("look_not_as_wanted", problem: problem, app: app) }
        if let method = answer.missing { logMissing(method, app: app, stamp: wanted.stamp) }
        return answer
    }

    /// Checks the look outside the loop, because a disk can be slow. The wait for the look has its own limit.
    private static func checked(_ look: ShieldAppearance, bundle: String) async -> (
        ShieldAppearance?, Problem?
    ) {
        await Task.detached {
            let folder = IconFiles.real(bundle)
            var check = ShieldAppearanceCheck(bundle: folder, named: bundle) {
                IconFiles.find($0, in: folder)
            }
            let (look, problem) = check.check(look)
            return (look, problem)
        }.value
    }

    private static func body(_ target: ShieldTarget, tokens: [String], language: String) throws
        -> JSONValue
    {
        var rest = tokens[...]
        func named(_ name: ShieldName?) -> ShieldSubjectBody? {
            guard let name, let token = rest.popFirst() else { return nil }
            return ShieldSubjectBody(id: name.id, token: token, name: name.name)
        }
        // The tokens are in the order of the items.
        let application = named(target.application)
        let domain = named(target.domain)
        let category = named(target.category)
        let body = ShieldConfigurationBody(
            application: application,
            webDomain: domain,
            category: category,
            language: language
        )
        return try JSONValue(text: body.encodedBody())
    }

    private static func result(_ value: JSONValue?) throws -> ShieldConfigurationResult {
        do {
            return try ShieldConfigurationResult.decodedBody((value ?? .null).text)
        } catch {
            throw Problem(
                "extension.garbage",
                """
                The extension did not return a valid shield configuration. Build the extension against this \
                version's frameworks.
                """
            )
        }
    }

    // MARK: - Telling

    private func logProblem(_ event: StaticString, problem: Problem, app: String) {
        caller.surroundings.log.problem(event, problem, fields: ["app": .text(app)])
    }

    private func logMissing(_ method: String, app: String, stamp: String) {
        guard missing.count < Self.missingMax, missing.insert("\(app) \(method)").inserted else { return }
        caller.surroundings.log.warning(
            "look_not_overridden",
            "The extension does not say what this shield looks like; the system's own look is shown.",
            fields: ["app": .text(app), "method": .text(method)]
        )
    }

    /// Returns a stamp of a group's files, because data from the app's command can also change the look.
    private func changed(group: String) -> String {
        let folder = "\(caller.surroundings.directories.state)/groups/\(group)"
        return [folder, "\(folder)/Library/Preferences/\(group).plist"].map(Self.changed)
            .joined(separator: " ")
    }

    /// Returns a stamp of the program, because a developer changes it without reinstalling.
    private static func changed(_ executable: String) -> String {
        var info = stat()
        guard stat(executable, &info) == 0 else { return "-" }
        return "\(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec) \(info.st_size) \(info.st_ino)"
    }
}

/// The looks that apps have returned. Each is valid as long as its stamp does not change.
struct FetchedAppearances {
    /// Upper bound on the cached looks. Each has up to 256 KiB of picture and text.
    static let looksMax = 64

    struct Key: Hashable {
        var app: String
        var member: String
        var subject: ShieldSubjectKey
        var language: String
    }

    struct ShieldSubjectKey: Hashable {
        var app: String?
        var domain: String?
    }

    private struct Entry {
        /// A stamp of the stores, the names and the executable.
        var stamp: String
        var answer: ShieldAppearanceResult
        var used: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0

    /// Returns the look if its stamp matches. Otherwise removes it.
    mutating func appearance(_ key: Key, stamp: String) -> ShieldAppearanceResult? {
        guard let entry = entries[key] else { return nil }
        guard entry.stamp == stamp else {
            entries[key] = nil
            return nil
        }
        clock += 1
        entries[key]?.used = clock
        return entry.answer
    }

    mutating func insert(_ answer: ShieldAppearanceResult, _ key: Key, stamp: String) {
        if entries[key] == nil, entries.count >= Self.looksMax {
            let oldest = entries.min { $0.value.used < $1.value.used }
            if let oldest { entries[oldest.key] = nil }
        }
        clock += 1
        entries[key] = Entry(stamp: stamp, answer: answer, used: clock)
    }

    mutating func remove(_ key: Key) { entries[key] = nil }
}

/// The pictures named in apps' looks.
enum IconFiles {
    /// More bytes than precede the size in any picture.
    private static let headBytes = 256 * 1024

    /// Finds a file. A path outside the folder is neither opened nor examined further.
    static func find(_ path: String, in bundle: String) -> IconFile? {
        let path = real(path)
        guard ShieldAppearanceCheck.isInside(path, bundle) else {
            return IconFile(path: path, bytes: 0, head: [])
        }
        // Opening a pipe or a device must not block, and only regular files are accepted.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let file = OwnedDescriptor(number)
        var info = stat()
        guard fstat(file.number, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        var head = [UInt8](repeating: 0, count: headBytes)
        let count = read(file.number, &head, head.count)
        guard count >= 0 else { return nil }
        return IconFile(path: path, bytes: Int64(info.st_size), head: Array(head[..<count]))
    }

    /// Returns the path with all links resolved, or the path itself if it does not exist.
    static func real(_ path: String) -> String { DirectoryTree.real(path) ?? path }
}
