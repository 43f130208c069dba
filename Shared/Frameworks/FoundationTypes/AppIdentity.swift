import STPlatform

/// Who this process is to the services: the app's id, and the member it works for.
package struct AppIdentity: Sendable, Equatable {
    package static let current = AppIdentity(
        environment: ProcessEnvironment.current(),
        executable: CommandLine.arguments.first ?? ""
    )

    package let app: String
    /// Nil is the owner of the computer.
    package let member: String?

    /// `SCREENTIME_APP`, else the name of the program's file.
    package init(environment: [String: String], executable: String) {
        let named = environment["SCREENTIME_APP"].flatMap { $0.isEmpty ? nil : $0 }
        let file = executable.split(separator: "/").last.map(String.init) ?? ""
        app = named ?? (file.isEmpty ? "app" : file)
        member = environment["SCREENTIME_MEMBER"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
