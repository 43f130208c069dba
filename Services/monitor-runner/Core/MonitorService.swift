import STContracts
package import STEngine

/// The process for callbacks to extensions.
///
/// It keeps its database and answers what every service answers; its own routes come with the features they
/// serve.
package enum MonitorService {
    package static func definition() -> ServiceDefinition<MonitorState> {
        ServiceDefinition(name: .monitor, load: { _ in MonitorState() })
    }
}
