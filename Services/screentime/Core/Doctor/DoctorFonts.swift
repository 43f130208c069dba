import Glibc
import STContracts
import STPlatform

/// Whether shields can be read: without a font for its script, text is a row of boxes.
enum DoctorFonts {
    private static let deadlineMs: Int64 = 5_000
    private static let program = "/usr/bin/fc-list"

    /// Nil when there is a font for the language of this session, and where nobody can say.
    static func missing(_ environment: [String: String]) -> DoctorFinding? {
        guard let language = language(environment), access(program, X_OK) == 0,
            let run = try? ProgramRun.run(
                program,
                [":lang=\(language)", "family"],
                environment: environment,
                deadlineMs: deadlineMs
            ), run.status.isSuccess, !run.output.contains(where: \.isLetter)
        else { return nil }
        let package = ["ko", "ja", "zh"].contains(language) ? "fonts-noto-cjk" : "fonts-noto-core"
        return DoctorFinding(
            topic: .shields,
            state: .limited,
            text:
                "No font has the letters of this session's language (\(language)): shields show boxes instead.",
            mend: "sudo apt-get install \(package)"
        )
    }

    /// Such as `ko` of `ko_KR.UTF-8`.
    private static func language(_ environment: [String: String]) -> String? {
        let code = (SessionLanguage.tag(environment) ?? "").prefix { $0.isASCII && $0.isLowercase }
        return (2...3).contains(code.count) ? String(code) : nil
    }
}
