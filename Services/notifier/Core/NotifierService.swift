import STContracts
package import STEngine

/// The process for notifications.
///
/// It keeps its database and answers what every service answers; its own routes come with the features they
/// serve.
package enum NotifierService {
    package static func definition() -> ServiceDefinition<NotifierState> {
        ServiceDefinition(name: .notifier, load: { _ in NotifierState() })
    }
}
