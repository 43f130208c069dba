import STContracts

/// A report on an app's page, made by the app's report extension.
public struct DeviceActivityReport: View, PrimitiveView {
    /// It does not consist of other views.
    public typealias Body = Never

    private let context: Context
    private let filter: DeviceActivityFilter

    /// The report of that name, of what the filter matches.
    public init(_ context: Context, filter: DeviceActivityFilter = DeviceActivityFilter()) {
        self.context = context
        self.filter = filter
    }

    package func write(_ page: PageWriter) throws {
        let report = PageReport(context: context.rawValue, filter: filter.wire)
        try page.add(PageNode(kind: .report, report: report))
    }
}

extension DeviceActivityReport {
    /// The name of a report.
    public struct Context: RawRepresentable, Hashable, Sendable {
        /// The name as text.
        public var rawValue: String

        /// The report of that name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The report of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
