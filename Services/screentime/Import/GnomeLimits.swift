import Glibc
import STCommandCore
import STContracts
import STPlatform
import STWire

/// Reads GNOME's limits: the hours of malcontent, and since version 48 a daily limit and the times of the session.
///
/// GNOME and Screen Time could apply both limits, so the result contains how to disable one of them.
enum GnomeLimits {
    private static let bytesMax = 20_000_000
    private static let timeout: Duration = .seconds(5)
    private static let schema = "org.gnome.desktop.screen-time-limits"
    private static let sessions = "com.endlessm.ParentalControls.SessionLimits"
    private static let apps = "com.endlessm.ParentalControls.AppFilter"

    static func read(_ invocation: Invocation) async throws -> ImportFindings {
        let folder = try invocation.value("--folder").map { path in try FileTree.absolute(path) }
        let user = invocation.subjects.first ?? AccountName.current
        guard !user.isEmpty, !user.contains("/"), !user.hasPrefix(".") else {
            throw Problem(
                "import.bad_user",
                "Give a valid account name.",
                help: "screentime import malcontent anna"
            )
        }
        var findings = ImportFindings(account: user)
        let isOwn = user == AccountName.current || folder != nil
        if isOwn { try await addGnome(folder, invocation, to: &findings) }
        try await addMalcontent(user, folder: folder, invocation: invocation, to: &findings)
        if findings.rules.isEmpty, findings.devices.isEmpty, findings.remarks.isEmpty {
            findings.remarks.append(
                Speech.say(
                    "import.gnome-limits-nothing-for",
                    "GNOME has no limits and no session history for \(DisplayWidth.sanitized(user), "user")."
                )
            )
        }
        return findings
    }

    // MARK: - GNOME 48 and later

    private static func addGnome(
        _ folder: String?,
        _ invocation: Invocation,
        to findings: inout ImportFindings
    )
        async throws
    {
        let home = invocation.environment["HOME"] ?? ""
        let data = invocation.environment["XDG_DATA_HOME"] ?? home + "/.local/share"
        let path =
            folder.map { "\($0)/session-active-history.json" } ?? data
            + "/gnome-shell/session-active-history.json"
        if access(path, R_OK) == 0 {
            let times = try times(AtomicFile.read(path, limitBytes: bytesMax), path)
            if !times.isEmpty {
                findings.devices = [ImportSource(name: "gnome-shell", isHere: true, stretches: times)]
            }
        }
        let limits: [String: String]
        if let folder {
            let file = "\(folder)/screen-time-limits.ini"
            guard access(file, R_OK) == 0 else { return }
            let text = String(decoding: try AtomicFile.read(file, limitBytes: bytesMax), as: UTF8.self)
            limits = KeyFile.sections(text).values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        } else {
            limits = try await settings(invocation)
        }
        let seconds =
            limits["daily-limit-seconds"].flatMap { Int64($0.split(separator: " ").last ?? "") } ?? 28_800
        guard limits["daily-limit-enabled"] == "true", (1...86_400).contains(seconds) else { return }
        let ms = seconds * 1000
        findings.rules.append(
            RuleSpec(
                kind: .limit,
                name: "malcontent-limit",
                durationMs: ms,
                warnMs: ms >= 600_000 ? 300_000 : nil
            )
        )
        findings.remarks.append(
            Speech.say(
                "import.gnomes-own-daily-limit",
                """
                GNOME's own daily limit is also on. To keep only the imported limit, run `gsettings set \
                \(schema, "schema") daily-limit-enabled false`.
                """
            )
        )
    }

    private static func settings(_ invocation: Invocation) async throws -> [String: String] {
        guard let program = ProgramRun.path(of: "gsettings", environment: invocation.environment) else {
            return [:]
        }
        let environment = invocation.environment
        let run = try await OwnThread.run("settings") {
            try ProgramRun.run(
                program,
                ["list-recursively", schema],
                environment: environment,
                timeout: timeout
            )
        }
        // Older versions of GNOME do not have these settings.
        guard run.status.isSuccess else { return [:] }
        return run.output.split(separator: "\n").reduce(into: [:]) { found, line in
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            if words.count == 3 { found[words[1]] = words[2] }
        }
    }

    /// Returns the times at which the session was in use. The history contains no apps.
    private static func times(_ bytes: [UInt8], _ path: String) throws -> [ImportedInterval] {
        guard case .array(let entries)? = try? JSONValue(text: bytes) else {
            throw Problem(
                "import.bad_file",
                "\(path, "path") is not a session history of GNOME Shell.",
                help: "screentime doctor"
            )
        }
        var stretches: [ImportedInterval] = []
        var start: WallTime?
        for case .object(let entry) in entries {
            guard case .integer(let state)? = entry["newState"],
                case .integer(let seconds)? = entry["wallTimeSecs"],
                (0...253_402_300_799).contains(seconds)
            else { continue }
            let moment = WallTime(ms: seconds * 1000)
            if let start, start < moment {
                stretches.append(ImportedInterval(start: start, end: moment))
            }
            // The last use continues, or ended with the Shell, which then could not write the time.
            start = state == 1 ? moment : nil
        }
        return ImportedInterval.withoutOverlaps(stretches.filter { $0.length <= .seconds(31 * 86_400) })
            .stretches
    }

    // MARK: - malcontent

    private static func addMalcontent(
        _ user: String,
        folder: String?,
        invocation: Invocation,
        to findings: inout ImportFindings
    ) async throws {
        let path = (folder ?? "/var/lib/AccountsService/users") + "/" + user
        let (limits, filter): ([String: String], [String: String])
        if access(path, R_OK) == 0 {
            let text = String(decoding: try AtomicFile.read(path, limitBytes: bytesMax), as: UTF8.self)
            let sections = KeyFile.sections(text)
            (limits, filter) = (sections[sessions] ?? [:], sections[apps] ?? [:])
        } else if folder == nil {
            limits = try await accountProperties(
                user,
                interface: sessions,
                names: ["LimitType", "DailySchedule"],
                invocation: invocation
            )
            let names = ["AppFilter"]
            filter = try await accountProperties(user, interface: apps, names: names, invocation: invocation)
        } else {
            return
        }
        if numbers(limits["LimitType"]) == [1], let times = limits["DailySchedule"].map({ numbers($0) }),
            times.count == 2, times[0] < times[1], times[1] <= 86_400, times[0] > 0 || times[1] < 86_400
        {
            findings.rules.append(
                RuleSpec(
                    kind: .downtime,
                    name: "malcontent-downtime",
                    window: RuleWindow(
                        from: ZonedClock.time(minute: times[1] / 60 % 1_440),
                        to: ZonedClock.time(minute: times[0] / 60)
                    ),
                    then: .shield
                )
            )
            findings.remarks.append(
                Speech.say(
                    "import.malcontents-hours-are-on",
                    """
                    malcontent also continues to enforce its own hours. It reads them as UTC, and Screen \
                    Time reads them as local time. To switch off malcontent's check at login, run `sudo \
                    pam-auth-update`.
                    """
                )
            )
        } else if let type = numbers(limits["LimitType"]).first, type > 1 {
            findings.remarks.append(
                Speech.say(
                    "import.malcontent-has-a-limit",
                    "Left out: a malcontent limit of a type that this version does not support (\(type, "type"))."
                )
            )
        }
        let blocked = (filter["AppFilter"] ?? "").split(separator: "'").count / 2
        if blocked > 0 {
            findings.remarks.append(
                Speech.say(
                    "import.malcontents-filter-of-apps",
                    """
                    Left out: malcontent's app filter (entries: \(blocked, "blocked")). malcontent itself \
                    continues to enforce it.
                    """
                )
            )
        }
    }

    /// Returns values from AccountsService, which lets each account read its own.
    private static func accountProperties(
        _ user: String,
        interface: String,
        names: [String],
        invocation: Invocation
    )
        async throws -> [String: String]
    {
        guard let program = ProgramRun.path(of: "busctl", environment: invocation.environment),
            let entry = getpwnam(user)
        else { return [:] }
        let object = "/org/freedesktop/Accounts/User\(entry.pointee.pw_uid)"
        let environment = invocation.environment
        let run = try await OwnThread.run("accounts") {
            try ProgramRun.run(
                program,
                ["--system", "--timeout=3", "get-property", "org.freedesktop.Accounts", object, interface]
                    + names,
                environment: environment,
                timeout: timeout
            )
        }
        guard run.status.isSuccess else { return [:] }
        // Each value is one line: `u 1` or `(uu) 28800 68400`.
        let lines = run.output.split(separator: "\n").map(String.init)
        return Dictionary(zip(names, lines)) { first, _ in first }
    }

    /// Returns the separate numbers in `uint32 1`, `(28800, 68400)` or `(uu) 28800 68400`.
    private static func numbers(_ text: String?) -> [Int] {
        (text ?? "").split { !$0.isLetter && !$0.isNumber }.compactMap { Int($0) }
    }
}
