import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

extension DeviceActivityData {
    /// What a filter matches, for an app with permission to read it.
    ///
    /// - Throws: A `DeviceActivityData.Error`, when an iteration meets it; the log has the reason.
    public static func activityData(
        filteredBy filter: DeviceActivityFilter = .init(),
        using policy: Policy = .cached
    ) -> some AsyncSequence<DeviceActivityData, any Swift.Error> {
        activityData(filteredBy: filter, link: .current)
    }

    static func activityData(
        filteredBy filter: DeviceActivityFilter,
        link: ClientLink
    ) -> ThrowingActivityData {
        let filter = filter.wire
        let request = ReportData.Request(
            app: link.identity.app,
            member: link.identity.member,
            filter: filter
        )
        return ThrowingActivityData(filter: filter) { next in
            var request = request
            request.next = next
            return try await link.call(ReportData.self, to: .report, request)
        }
    }
}
