/// What the extensions of reports may use.
extension ConfigurationKey {
    /// In one call; a phone gives 100 MB.
    package static let reportMemoryKiB = number(
        "report-service",
        "memory_kib",
        fallback: 100 * 1024,
        1_024...4_194_304
    )

    /// How long an app may take to make a report.
    package static let reportMs = number("report-service", "report_ms", fallback: 10_000, 50...60_000)

    package static let reportOutputKiB = number("report-service", "output_kib", fallback: 256, 1...65_536)

    /// Who looks at a report that is live asks for it every few seconds.
    package static let reportKeepWarmMs = number(
        "report-service",
        "keep_warm_ms",
        fallback: 10_000,
        0...3_600_000
    )

    /// How long what a call began may go on once it has returned.
    package static let reportWorkMs = number("report-service", "work_ms", fallback: 3_600_000, 0...3_600_000)

    /// 1: extensions run also where the kernel cannot keep the network from them.
    package static let reportMayHaveNetwork = number("report-service", "may_have_network", fallback: 0, 0...1)

    static let report = [
        reportMemoryKiB, reportMs, reportOutputKiB, reportKeepWarmMs, reportWorkMs, reportMayHaveNetwork,
    ]
}
