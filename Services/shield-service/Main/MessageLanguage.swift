/// The language in which this account reads messages, by its environment.
enum MessageLanguage {
    static func current(_ environment: [String: String]) -> String {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let name = names.first { !$0.isEmpty } ?? ""
        // `ko_KR.UTF-8` without its encoding; C and POSIX are no language.
        let language = name.prefix { $0 != "." && $0 != "@" }
        return language.isEmpty || language == "C" || language == "POSIX" ? "en" : String(language)
    }
}
