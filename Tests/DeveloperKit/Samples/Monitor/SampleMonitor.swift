import DeviceActivity
import FamilyControls
import Foundation
import ManagedSettings
import os

/// A monitor that selects its action by the name of the activity, with code like that of real apps.
final class SampleMonitor: DeviceActivityMonitor {
    private let logger = Logger(subsystem: "sample", category: "monitor")

    override init() {
        super.init()
        // Runs as long as the process. No callback waits for it.
        Task { for await _ in AsyncStream<Int>.makeStream().stream {} }
    }

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        switch activity.rawValue {
        case "print": print("started \(activity.rawValue)")
        case "log": logger.error("for \("the child") \(7)")
        case "nothing": break
        case let name where name.hasPrefix("task"): beginTasks(name)
        case "endless": Task { while true { try await Task.sleep(for: .seconds(60)) } }
        default: useFrameworks(activity)
        }
    }

    override func intervalDidEnd(for activity: DeviceActivityName) { print("ended \(activity.rawValue)") }

    override func intervalWillStartWarning(for activity: DeviceActivityName) { print("will start") }

    override func intervalWillEndWarning(for activity: DeviceActivityName) { print("will end") }

    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        print("\(event.rawValue) of \(activity.rawValue) reached")
    }

    override func eventWillReachThresholdWarning(
        _ event: DeviceActivityEvent.Name,
        activity: DeviceActivityName
    ) {
        print("\(event.rawValue) of \(activity.rawValue) soon")
    }

    private func beginTasks(_ name: String) {
        switch name {
        case "task.sleep":
            Task {
                try? await Task.sleep(for: .milliseconds(100))
                print("slept")
            }
        case "task.waits":
            // Suspended until something outside of any task resumes it.
            Task.detached {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { continuation.resume() }
                }
                print("resumed")
            }
        case "task.chain":
            Task { @MainActor in
                let text = await Task { await Chain().text() }.value
                Task(priority: .low) {
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<3 { group.addTask { await Task.yield() } }
                    }
                    print("chain \(text.value)")
                }
            }
        case "task.fails":
            struct Failure: Error {}
            Task<Int, any Error> {
                await Task.yield()
                throw Failure()
            }
            Task { print("after") }
        case "task.main": DispatchQueue.main.async { print("on main \(Thread.isMainThread)") }
        case "task.blocks":
            // Blocks the callback until the main thread has done the work, so the callback must not run there.
            let done = DispatchSemaphore(value: 0)
            Task { @MainActor in done.signal() }
            done.wait()
            print("unblocked")
        case "task.many":
            for number in 0..<1_000 { Task { if number == 999 { print("many") } } }
        default: print("?")
        }
    }

    private func useFrameworks(_ activity: DeviceActivityName) {
        switch activity.rawValue {
        case "attempt": print("\(ExtensionMain.deliveryID ?? "none") \(ExtensionMain.attempt)")
        case "rearm":
            // Like an app that caches a value in its process.
            if ExtensionMain.attempt == 1 { _ = DeviceActivityCenter().activities }
            let schedule = DeviceActivitySchedule(
                intervalStart: DateComponents(hour: 8),
                intervalEnd: DateComponents(hour: 9),
                repeats: true
            )
            do {
                try DeviceActivityCenter().startMonitoring(DeviceActivityName("again"), during: schedule)
                print("armed")
            } catch { print("refused \(error)") }
            DeviceActivityCenter().stopMonitoring([activity])
        case "rearm.async": Task { print("watched \(DeviceActivityCenter().activities.count)") }
        case "status": print("status \(AuthorizationCenter.shared.authorizationStatus)")
        case "ask":
            Task {
                do { try await AuthorizationCenter.shared.requestAuthorization(for: .individual) } catch {
                    print("error \(error)")
                }
            }
        case "defaults":
            let defaults = UserDefaults(suiteName: "group.sample")
            let count = (defaults?.integer(forKey: "count") ?? 0) + 1
            defaults?.set(count, forKey: "count")
            print("count \(count)")
        case "shield": ManagedSettingsStore(named: .init("gaming")).shield.applicationCategories = .all()
        case "use": print("interval \(wholeDay.nextInterval != nil)")
        default: print("unknown")
        }
    }
}

private let wholeDay = DeviceActivitySchedule(
    intervalStart: DateComponents(hour: 0, minute: 0, second: 0),
    intervalEnd: DateComponents(hour: 23, minute: 59, second: 59),
    repeats: true
)

private actor Chain {
    struct Answer: Sendable {
        var value = "done"
        var padding = (1, 2, 3, 4, 5)
    }

    func text() -> Answer { Answer() }
}
