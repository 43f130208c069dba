import Glibc
import STContracts
import STPlatform

/// `screentime data …`.
enum DataCommands {
    static let commands: [Command] = [
        Command(
            ["data", "backup"],
            "Copies every database into a directory, while all goes on",
            subjects: [.init("DIR", "where the copies go; made when it is not there")],
            options: [.json],
            example: "screentime data backup ~/screentime-backup"
        ) { try await backup($0) },
        DataVerify.command,
        DataForget.command,
        DataExport.command,
        DataImport.command,
        DataRebuild.command,
    ]

    /// A large ledger on a slow disk.
    private static let timeoutMs: Int64 = BusLimits.timeoutMsMax

    private struct Copy: Sendable {
        var service: ServiceName
        var result: Result<DataBackup.Reply, Problem>
    }

    private static func backup(_ invocation: Invocation) async throws -> ExitCode {
        let directory = try AppCommands.absolute(invocation.subjects[0])
        let copies = try await ServiceClients.with(invocation.directories) { clients in
            let running = await clients.askAll(HealthPing.self, Empty(), timeoutMs: SystemView.deadlineMs)
                .compactMap { service, answer in (try? answer.get()) == nil ? nil : service }
            guard !running.isEmpty else { throw StatusCommand.nothingRuns }
            let services = ServiceName.all.filter { running.contains($0) }
            try refuseExisting(directory, services)
            try Directories.prepare(directory)
            var copies: [Copy] = []
            for service in services {
                let copy = await copy(service, directory, clients)
                if !invocation.wantsJSON { invocation.terminal.write(line(copy)) }
                copies.append(copy)
            }
            return copies
        }
        let failed = copies.filter { (try? $0.result.get()) == nil }
        if invocation.wantsJSON { invocation.terminal.write(JSONOutput.pretty(try json(copies, directory))) }
        let missing = ServiceName.all.filter { service in !copies.contains { $0.service == service } }
        if !missing.isEmpty {
            let names = missing.map(\.rawValue).joined(separator: ", ")
            invocation.terminal.note("Not copied, because they do not answer: \(names).")
        }
        return failed.isEmpty && missing.isEmpty ? .done : .no
    }

    private static func copy(_ service: ServiceName, _ directory: String, _ clients: ServiceClients) async
        -> Copy
    {
        do {
            let request = DataBackup.Request(path: path(service, directory))
            let reply = try await clients.call(DataBackup.self, to: service, request, timeoutMs: timeoutMs)
            return Copy(service: service, result: .success(reply))
        } catch {
            return Copy(service: service, result: .failure(ProblemText.problem(error)))
        }
    }

    private static func line(_ copy: Copy) -> String {
        switch copy.result {
        case .success(let reply): "\(reply.path)  \(TextFormat.bytes(reply.bytes))"
        case .failure(let problem): "\(copy.service) was not copied: \(problem.message)"
        }
    }

    private static func json(_ copies: [Copy], _ directory: String) throws -> JSONValue {
        let rows = try copies.map { copy -> JSONValue in
            switch copy.result {
            case .success(let reply):
                [
                    "service": .string(copy.service.rawValue), "path": .string(reply.path),
                    "bytes": .integer(reply.bytes),
                ]
            case .failure(let problem):
                ["service": .string(copy.service.rawValue), "problem": try JSONOutput.value(of: problem)]
            }
        }
        return ["directory": .string(directory), "copies": .array(rows)]
    }

    private static func path(_ service: ServiceName, _ directory: String) -> String {
        "\(directory)/\(service.rawValue).sqlite"
    }

    /// Looked at before anything is written, so that a refusal leaves no half of a backup.
    private static func refuseExisting(_ directory: String, _ services: [ServiceName]) throws(Problem) {
        for service in services {
            let path = path(service, directory)
            var about = stat()
            guard lstat(path, &about) != 0 else {
                throw Problem(
                    "backup.exists",
                    "\(path) is there already, and a backup never replaces one.",
                    help: "screentime data backup \(directory)-2"
                )
            }
        }
    }
}
