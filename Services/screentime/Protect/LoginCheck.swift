import Glibc
import STCommandCore
import STContracts
import STDomain
import STPlatform

/// `screentime protect refuses`: PAM runs it at the login of a child.
///
/// Only the exit code for a refusal refuses the login. An error, a crash or a silent service allows it, so that a faulty Screen
/// Time locks no account.
enum LoginCheck {
    static func perform(_ invocation: Invocation) async throws -> ExitCode {
        let said = readLanguage(invocation.environment)
        return try await Speech.$language.withValue(said ?? Speech.language) { try await run(invocation) }
    }

    /// The group for whose accounts PAM starts the program. PAM does not start it for others.
    static let group = "_screentime-child"
    /// Longer than all its requests take.
    private static let deadlineSeconds: UInt32 = 10
    private static let timeout: Duration = .seconds(2)
    /// An app that no rule names. It is shielded only by rules that shield everything.
    private static let anything = ShieldSubject(app: "dev.screentime.Anything")

    /// The names of PAM services: greeters, which also unlock an existing session, and other logins.
    private static let greeters: Set = [
        "gdm-autologin", "gdm-fingerprint", "gdm-password", "gdm-smartcard", "greetd", "lemurs", "lightdm",
        "lightdm-autologin", "lxdm", "ly", "nodm", "sddm", "sddm-autologin", "slim", "wdm", "xdm",
    ]
    private static let others: Set = ["cockpit", "login", "remote", "sshd", "xrdp-sesman"]

    static func isLogin(_ service: String) -> Bool { greeters.contains(service) || others.contains(service) }

    struct LoginDecision: Equatable {
        var isRefused: Bool
        var lines: [String]
    }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let protection = Protection(invocation.environment)
        try protection.require()
        // The process ends at this alarm, which does not refuse the login.
        alarm(deadlineSeconds)
        let environment = invocation.environment
        let account = try account(invocation, or: "sudo screentime protect refuses ben")
        if let service = environment["PAM_SERVICE"] {
            guard isLogin(service) else { return .no }
            // A person who cannot unlock the screen cannot save their work. The apps are shielded anyway.
            if greeters.contains(service), hasScreen(account, protection) { return .no }
        }
        let answer = try await ServiceClients.with(Directories.protected) { clients in
            try await decide(account, clients: clients, invocation: invocation)
        }
        if !answer.lines.isEmpty {
            // PAM shows each line as a separate message, but a greeter shows only the last one.
            let isGreeter = environment["PAM_SERVICE"].map(greeters.contains) ?? false
            invocation.terminal.write(answer.lines.joined(separator: isGreeter ? " " : "\n"))
        }
        return answer.isRefused ? .done : .no
    }

    /// Returns the account that logs in, from the command line or from PAM.
    static func account(_ invocation: Invocation, or help: String) throws(Problem) -> String {
        guard let account = invocation.subjects.first ?? invocation.environment["PAM_USER"] else {
            throw Problem(
                "usage.subject_missing",
                "ACCOUNT is missing. Name the account that logs in.",
                help: help
            )
        }
        return account
    }

    private static func decide(_ account: String, clients: ServiceClients, invocation: Invocation)
        async throws -> LoginDecision
    {
        let list = try await clients.call(MemberList.self, Empty(), timeout: timeout)
        guard let member = list.members.first(where: { $0.account == account }), member.role == .child else {
            return LoginDecision(isRefused: false, lines: [])
        }
        let rules = try await RuleListCommand.all(clients, member: member.name, timeout: timeout)
        guard rules.contains(where: { blocksEverything($0.rule) }) else {
            return LoginDecision(isRefused: false, lines: [])
        }
        let decision = try await clients.call(
            ShieldDecide.self,
            .init(member: member.name, subject: anything),
            timeout: timeout
        )
        let allowed = try await clients.call(
            ShieldAllowed.self,
            .init(member: member.name),
            timeout: timeout
        )
        let progress = await RuleProgress.all(clients, member: member.name)
        return answer(
            rules,
            progress: progress,
            isAllShielded: decision.decision.isShielded,
            allows: allowed.items.contains { $0.kind != .domain },
            moments: invocation.moments
        )
    }

    /// Returns true for a downtime or a limit of everything. Temporary rules such as focus sessions do not refuse logins.
    private static func blocksEverything(_ rule: RuleSpec) -> Bool {
        rule.then == .shield && (rule.kind == .downtime || rule.kind == .limit && rule.targets.isEmpty)
    }

    /// Returns the answer. With `allows`, some app is always allowed, and the account must log in to use it.
    static func answer(
        _ rules: [RuleView],
        progress: [String: RuleProgress],
        isAllShielded: Bool,
        allows: Bool,
        moments: MomentFormatter
    ) -> LoginDecision {
        let closing = rules.filter { blocksEverything($0.rule) }
        let shut = closing.filter { $0.isShielding == true }
        if isAllShielded, !allows, let last = shut.max(by: { end($0) < end($1) }) {
            let what = DisplayNames.capitalised(RuleSentence.summary(last.rule))
            let until = last.interval.map { moments.text($0.endWallMs) }
            let closed = until.map {
                Speech.say(
                    "protect.this-account-is-closed",
                    "You cannot log in to this account until \($0, "time")."
                )
            }
            let words = last.rule.say.map { DisplayWidth.sanitized($0) }
            return LoginDecision(
                isRefused: true,
                lines: [
                    closed
                        ?? Speech.say(
                            "protect.this-account-is-closed-now",
                            "You cannot log in to this account now."
                        ),
                    words ?? what + ".",
                ]
            )
        }
        let left = closing.filter { $0.rule.kind == .limit }.compactMap { progress[$0.id]?.left }.min()
        guard let left, left > .zero else { return LoginDecision(isRefused: false, lines: []) }
        let time = Speech.duration(left)
        return LoginDecision(
            isRefused: false,
            lines: [Speech.say("protect.screen-time-left-today", "Screen Time: \(time, "time") left today.")]
        )
    }

    private static func end(_ rule: RuleView) -> WallTime {
        rule.interval.map { WallTime(ms: $0.endWallMs) } ?? .distantFuture
    }

    /// Returns true if the account has a graphical session, which a greeter may be about to unlock.
    private static func hasScreen(_ account: String, _ protection: Protection) -> Bool {
        func ask(_ words: [String]) -> String {
            let run = try? protection.attempt("loginctl", words + ["--value"])
            return run.map { $0.output.split(separator: "\n").first.map(String.init) ?? "" } ?? ""
        }
        let session = ask(["show-user", account, "--property=Display"])
        guard !session.isEmpty else { return false }
        return ["x11", "wayland", "mir"].contains(ask(["show-session", session, "--property=Type"]))
    }

    /// Returns the computer's language, because PAM passes none.
    private static func readLanguage(_ environment: [String: String]) -> DisplayLanguage? {
        guard environment["PAM_TYPE"] != nil, environment["LANG"] == nil,
            let bytes = try? AtomicFile.read("/etc/default/locale", limitBytes: 4_096)
        else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first {
            $0.hasPrefix("LANG=")
        }
        return line.map { DisplayLanguage(of: $0.dropFirst("LANG=".count).filter { $0 != "\"" }) }
    }
}
