import Glibc
import STCPostgreSQL
import STPlatform

/// One connection to PostgreSQL. Not thread safe: only the thread that created it may use it.
package final class PostgresConnection {
    /// The time limits of one statement and of connecting.
    private static let statementTimeout = Duration.seconds(10)
    private static let connectTimeout = Duration.seconds(5)
    /// The minimum time before another attempt after connecting has failed.
    private static let retryDelay = Duration.seconds(1)

    /// The code of a server that does not answer. The same request can be tried again.
    package static let unreachable = "store.away"
    /// The code of a conflict with another process that has changed the same data.
    package static let busy = "store.busy"

    private static var now: BootTime { BootTime(ms: Stopwatch.bootMilliseconds()) }

    private let url: String
    private var connection: OpaquePointer?
    private var prepared: [String: String] = [:]
    private var failure: (problem: Problem, until: BootTime)?
    /// Increases with each connection, because the server loses the state of the previous one.
    package private(set) var generation = 0
    private let onConnect: (PostgresConnection) throws -> Void

    /// Prepares a connection that opens with the first statement. `onConnect` runs statements before all others.
    package init(_ url: String, onConnect: @escaping (PostgresConnection) throws -> Void = { _ in }) {
        self.url = url
        self.onConnect = onConnect
    }

    deinit { close() }

    package func close() {
        if let connection { PQfinish(connection) }
        connection = nil
        prepared = [:]
    }

    /// The socket to watch for the server's notifications. `nil` while there is no connection.
    package var descriptor: Int32? { connection.map { PQsocket($0) } }

    // MARK: - Statements

    /// Runs several statements without values or results, such as a migration.
    package func execute(_ script: String) throws {
        let connection = try open()
        guard PQsendQuery(connection, script) == 1 else { throw connectionLostProblem() }
        _ = try finish(connection, Self.now + Self.statementTimeout)
    }

    @discardableResult
    package func run(_ sql: String, _ values: [PostgresValue] = []) throws -> PostgresRows {
        let connection = try open()
        let deadline = Self.now + Self.statementTimeout
        let name = try prepare(sql, values: values, connection: connection, deadline: deadline)
        let formats = [Int32](repeating: 1, count: values.count)
        let isSent = Self.withPointers(values) { pointers, lengths in
            PQsendQueryPrepared(connection, name, Int32(values.count), pointers, lengths, formats, 1)
        }
        guard isSent == 1 else { throw connectionLostProblem() }
        return try finish(connection, deadline)
    }

    /// Runs the closure in one transaction: all of its changes are made, or none.
    package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try execute("BEGIN")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // A connection that was closed has rolled back by itself.
            if connection != nil { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func prepare(
        _ sql: String,
        values: [PostgresValue],
        connection: OpaquePointer,
        deadline: BootTime
    ) throws -> String {
        if let known = prepared[sql] { return known }
        let name = "s\(prepared.count)"
        guard PQsendPrepare(connection, name, sql, Int32(values.count), values.map(\.type)) == 1 else {
            throw connectionLostProblem()
        }
        _ = try finish(connection, deadline)
        prepared[sql] = name
        return name
    }

    private static func withPointers<Value>(
        _ values: [PostgresValue],
        _ body: ([UnsafePointer<CChar>?], [Int32]) -> Value
    ) -> Value {
        // One block for all values, because each must keep its address until libpq has copied it.
        var block: [UInt8] = []
        var starts: [Int] = []
        var lengths: [Int32] = []
        for value in values {
            starts.append(block.count)
            value.append(to: &block)
            lengths.append(Int32(block.count - starts[starts.count - 1]))
            block.append(0)
        }
        return block.withUnsafeBytes { bytes in
            let first = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(
                zip(values, starts).map { value, start in value.isNull ? nil : first?.advanced(by: start) },
                lengths
            )
        }
    }

    // MARK: - Results

    private func finish(_ connection: OpaquePointer, _ deadline: BootTime) throws -> PostgresRows {
        try flush(connection, deadline)
        var last: PostgresRows?
        var problem: Problem?
        while true {
            while PQisBusy(connection) == 1 {
                try wait(connection, events: POLLIN, deadline: deadline)
                guard PQconsumeInput(connection) == 1 else { throw connectionLostProblem() }
            }
            guard let result = PQgetResult(connection) else { break }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: last = PostgresRows(result)
            default:
                problem = problem ?? Self.problem(of: result)
                PQclear(result)
                if PQstatus(connection) != CONNECTION_OK { throw connectionLostProblem() }
            }
        }
        if let problem {
            // Another server may take over.
            if problem.code == Self.unreachable { close() }
            throw problem
        }
        guard let last else { throw connectionLostProblem() }
        return last
    }

    private func flush(_ connection: OpaquePointer, _ deadline: BootTime) throws {
        while true {
            switch PQflush(connection) {
            case 0: return
            case 1:
                try wait(connection, events: POLLIN | POLLOUT, deadline: deadline)
                guard PQconsumeInput(connection) == 1 else { throw connectionLostProblem() }
            default: throw connectionLostProblem()
            }
        }
    }

    private func wait(_ connection: OpaquePointer, events: Int32, deadline: BootTime) throws {
        var entry = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        while true {
            let left = deadline - Self.now
            guard left > .zero else {
                throw connectionLostProblem(Self.timeoutReason(Self.statementTimeout))
            }
            let count = poll(&entry, 1, Int32(clamping: left.ms))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw connectionLostProblem() }
        }
    }

    // MARK: - Connecting

    private func open() throws -> OpaquePointer {
        if let connection { return connection }
        if let failure, Self.now < failure.until { throw failure.problem }
        do {
            let made = try connect()
            connection = made
            generation += 1
            failure = nil
            try onConnect(self)
            return made
        } catch {
            close()
            let problem = Problem(error)
            failure = (problem, Self.now + Self.retryDelay)
            throw problem
        }
    }

    private func connect() throws -> OpaquePointer {
        // Options in the address come after these and override them. A remote machine is authenticated by its certificate.
        let options = [
            ("application_name", "screentime"), ("client_encoding", "UTF8"),
            ("sslmode", Self.isLocal(address: url) ? "prefer" : "verify-full"),
            // Of several machines, the one that accepts writes.
            ("target_session_attrs", "read-write"),
            ("tcp_user_timeout", "2000"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"),
            ("dbname", url),
        ]
        let (names, values) = (options.map(\.0), options.map(\.1))
        guard let connection = Self.start(names, values) else {
            throw Self.unreachableProblem(
                .message(Message("store.there-is-no-memory", "there is not enough memory"))
            )
        }
        let deadline = Self.now + Self.connectTimeout
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard PQstatus(connection) != CONNECTION_BAD, state != PGRES_POLLING_FAILED else {
                defer { PQfinish(connection) }
                throw Self.connectionProblem(connection)
            }
            var entry = pollfd(
                fd: PQsocket(connection),
                events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT),
                revents: 0
            )
            let left = deadline - Self.now
            guard left > .zero, poll(&entry, 1, Int32(clamping: left.ms)) >= 0 || errno == EINTR else {
                PQfinish(connection)
                throw Self.unreachableProblem(Self.timeoutReason(Self.connectTimeout))
            }
            state = PQconnectPoll(connection)
        }
        // The data says who used what and when, so it must not cross the network in plain text.
        guard PQsslInUse(connection) == 1 || Self.isLocal(connection) else {
            PQfinish(connection)
            throw Problem(
                "store.open_channel",
                """
                Screen Time connects to PostgreSQL on another machine only over TLS. Enable TLS on that \
                machine, and append sslmode=verify-full to the address.
                """
            )
        }
        PQsetnonblocking(connection, 1)
        return connection
    }

    private static func start(_ names: [String], _ values: [String]) -> OpaquePointer? {
        withPointers(names.map { .text($0) }) { names, _ in
            withPointers(values.map { .text($0) }) { values, _ in
                PQconnectStartParams(names + [nil], values + [nil], 1)
            }
        }
    }

    /// True if all machines named in an address are this one.
    private static func isLocal(address: String) -> Bool {
        guard let options = PQconninfoParse(address, nil) else { return false }
        defer { PQconninfoFree(options) }
        var hosts: [Substring] = []
        var option = options
        while let word = option.pointee.keyword {
            if let value = option.pointee.val, ["host", "hostaddr"].contains(String(cString: word)) {
                hosts += String(cString: value).split(separator: ",")
            }
            option += 1
        }
        return hosts.allSatisfy {
            $0.hasPrefix("/") || $0.hasPrefix("127.") || ["localhost", "::1"].contains($0)
        }
    }

    private static func isLocal(_ connection: OpaquePointer) -> Bool {
        let host = PQhostaddr(connection).map { String(cString: $0) } ?? ""
        return host.isEmpty || host.hasPrefix("127.") || host == "::1"
    }

    // MARK: - Problems

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        let text = pointer.map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }

    private static func reason(_ text: String) -> MessageValue {
        text.isEmpty
            ? .message(Message("store.it-said-nothing", "it gave no reason"))
            : .text(TextFormat.truncated(text, bytes: 300))
    }

    private static func timeoutReason(_ timeout: Duration) -> MessageValue {
        .message(
            Message(
                "store.it-did-not-answer",
                "it did not answer within \(timeout.ms / 1_000, "seconds") seconds"
            )
        )
    }

    private static func unreachableProblem(_ why: MessageValue) -> Problem {
        Problem(
            unreachable,
            "PostgreSQL does not answer (\(why, "why")). Nothing is lost: machines keep their data and try again.",
            key: "store.away",
            retryable: true
        )
    }

    private static func connectionProblem(_ connection: OpaquePointer) -> Problem {
        let why = text(PQerrorMessage(connection))
        guard
            PQconnectionNeedsPassword(connection) == 1 || why.contains("authentication failed")
                || why.contains("certificate")
        else { return unreachableProblem(reason(why)) }
        return Problem(
            "store.refused",
            """
            household-service cannot log in to PostgreSQL (\(reason(why), "why")). Check the address in the \
            setting store and the password in .pgpass.
            """,
            retryable: true
        )
    }

    private func connectionLostProblem(_ why: MessageValue? = nil) -> Problem {
        let told = Self.text(connection.flatMap { PQerrorMessage($0) })
        let problem = Self.unreachableProblem(why ?? Self.reason(told))
        close()
        return problem
    }

    private static func problem(of result: OpaquePointer) -> Problem {
        let state = PQresultErrorField(result, 67).map { String(cString: $0) } ?? ""
        let why = reason(text(PQresultErrorField(result, 77)))
        if state == "42501" {
            return Problem(
                "store.refused",
                """
                PostgreSQL does not permit household-service to change its database (\(why, "why")). Make \
                the account of household-service the owner of the database.
                """,
                key: "store.refused.postgresql-does-not"
            )
        }
        // A read-only server is a replica of the one that accepts writes.
        if ["08", "25", "57"].contains(state.prefix(2)) { return unreachableProblem(why) }
        if state == "23505" || ["40", "55"].contains(state.prefix(2)) {
            return Problem(
                busy,
                "Another process is changing the same data in PostgreSQL (\(why, "why")). Try again.",
                key: "store.busy.another-process-changes",
                retryable: true
            )
        }
        switch state.prefix(2) {
        case "53":
            return Problem(
                "store.disk_full",
                """
                PostgreSQL has no disk space, memory or connections left (\(why, "why")). Machines keep \
                their data until this is corrected.
                """,
                key: "store.disk_full.postgresql-has-no",
                retryable: true
            )
        default:
            return Problem(
                "store.statement",
                """
                PostgreSQL refused a statement (\(state, "state"): \(why, "why")). Please report this.
                """
            )
        }
    }

    // MARK: - Notifications

    /// The channels on which the server has sent notifications.
    package func receiveNotifications() throws -> [String] {
        let connection = try open()
        guard PQconsumeInput(connection) == 1 else { throw connectionLostProblem() }
        var names: [String] = []
        while let note = PQnotifies(connection) {
            names.append(String(cString: note.pointee.relname))
            PQfreemem(note)
        }
        return names
    }
}
