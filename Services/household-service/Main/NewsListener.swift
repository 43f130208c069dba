import STPlatform
import STPostgres

/// Receives, on its own thread, notifications of other services that have changed the household in PostgreSQL.
final class NewsListener: @unchecked Sendable {
    // @unchecked: `connection` and `watched` are used on the thread only.
    private static let retryDelay = Duration.seconds(1)
    private let thread: LoopThread
    private let connection: PostgresConnection
    private let onNews: @Sendable () -> Void
    private var watched: Int32?

    init(_ address: String, onNews: @escaping @Sendable () -> Void) throws {
        thread = try LoopThread(name: "news")
        connection = PostgresConnection(address) { try $0.execute("LISTEN household") }
        self.onNews = onNews
        thread.post { self.listen() }
    }

    private func listen() {
        do {
            // This connects if there is no connection.
            _ = try connection.receiveNotifications()
            guard let descriptor = connection.descriptor else { return }
            watched = descriptor
            thread.currentWaiter.watch(descriptor: descriptor) { [weak self] in self?.readNotifications() }
            // Report changes from before this connection.
            onNews()
        } catch {
            thread.after(milliseconds: Self.retryDelay.ms) { [weak self] in self?.listen() }
        }
    }

    private func readNotifications() {
        do {
            if try !connection.receiveNotifications().isEmpty { onNews() }
        } catch {
            if let watched { thread.currentWaiter.unwatch(descriptor: watched) }
            watched = nil
            listen()
        }
    }
}
