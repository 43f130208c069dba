import STPlatform

/// Replies by principal and key, so that a request sent twice takes effect once.
package struct IdempotencyTable {
    package static let migration = Migration(
        name: "idempotency",
        sql: """
            CREATE TABLE idempotency(
                principal TEXT NOT NULL,
                key TEXT NOT NULL,
                route TEXT NOT NULL,
                request_digest INTEGER NOT NULL,
                body BLOB NOT NULL,
                expires_ms INTEGER NOT NULL,
                PRIMARY KEY(principal, key)
            ) STRICT;
            CREATE INDEX idempotency_by_expiry ON idempotency(expires_ms);
            """
    )

    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// The stored reply to an earlier request, unless it has expired.
    package func lookup(principal: String, key: String, nowMs: Int64) throws -> IdempotentReply? {
        try database.first(
            """
            SELECT route, request_digest, body, expires_ms FROM idempotency
            WHERE principal = ? AND key = ? AND expires_ms > ?
            """,
            [.text(principal), .text(key), .integer(nowMs)]
        ) { row in
            IdempotentReply(
                route: try row.text(0),
                requestDigest: try row.int(1),
                body: try row.blob(2),
                expiresMs: try row.int(3)
            )
        }
    }

    /// Deletes the replies of a route, for all accounts.
    package func forget(route: String) throws {
        try database.requireTransaction()
        // Rows: all of a day, when a person deletes their past.
        try database.run("DELETE FROM idempotency WHERE route = ?", [.text(route)])
    }

    /// Stores a reply, inside the transaction that makes the change it reports. It replaces only an expired reply.
    package func store(principal: String, key: String, _ reply: IdempotentReply, nowMs: Int64) throws {
        try database.requireTransaction()
        let changed = try database.run(
            """
            INSERT INTO idempotency(principal, key, route, request_digest, body, expires_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT(principal, key) DO UPDATE SET route = excluded.route,
                request_digest = excluded.request_digest, body = excluded.body, expires_ms = excluded.expires_ms
            WHERE expires_ms <= ?7
            """,
            [
                .text(principal), .text(key), .text(reply.route), .integer(reply.requestDigest),
                .blob(reply.body),
                .integer(reply.expiresMs), .integer(nowMs),
            ]
        )
        guard changed == 1 else {
            throw Problem(
                "store.constraint",
                "A reply to the idempotency key \(key, "key") is already stored. Send a new request with a new key.",
                details: ["key": key]
            )
        }
    }

    /// Deletes at most `limit` expired replies. Returns the number deleted.
    @discardableResult
    package func purge(nowMs: Int64, limit: Int) throws -> Int {
        try database.run(
            // Rows: those that have expired, a page.
            """
            DELETE FROM idempotency WHERE rowid IN (
                SELECT rowid FROM idempotency WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ?
            )
            """,
            [.integer(nowMs), SQLValue(limit)]
        )
    }
}

/// The stored reply to a request, for its retries.
package struct IdempotentReply: Sendable, Equatable {
    package var route: String
    /// A hash of the request, computed by the caller. The same key with another request is an error of the client.
    package var requestDigest: Int64
    package var body: [UInt8]
    package var expiresMs: Int64

    package init(route: String, requestDigest: Int64, body: [UInt8], expiresMs: Int64) {
        self.route = route
        self.requestDigest = requestDigest
        self.body = body
        self.expiresMs = expiresMs
    }
}
