/// What only the process around a service knows.
package struct ServiceVitals: Sendable {
    package var pid: Int64
    package var uptimeMs: Int64
    package var pssKib: Int64
    package var databaseBytes: Int64
    package var counters: [String: Int64]

    package init(pid: Int64, uptimeMs: Int64, pssKib: Int64, databaseBytes: Int64, counters: [String: Int64])
    {
        self.pid = pid
        self.uptimeMs = uptimeMs
        self.pssKib = pssKib
        self.databaseBytes = databaseBytes
        self.counters = counters
    }
}
