/// A scenario to start from, as `screentime simulate --example` prints it.
package enum ScenarioExample {
    package static let text = """
        {
          "name": "An evening limit",
          "about": "Half an hour of chess a day, with a word five minutes before.",
          "zone": "Europe/Berlin",
          "start": "2026-10-23 16:00",
          "rules": [
            { "limit": ["org.example.chess"], "of": "30m", "name": "chess", "warn": "5m", "say": "Enough for today." }
          ],
          "steps": [
            { "at": "17:00", "use": "org.example.chess", "for": "20m" },
            { "use": "firefox", "site": "news.example", "for": "10m" },
            { "use": "org.example.chess", "for": "15m" },
            { "lock": "1h" },
            { "sleep": "8h" }
          ],
          "expect": [
            { "callback": "eventWillReachThresholdWarning", "activity": "chess", "at": "2026-10-23 17:35" },
            { "callback": "eventDidReachThreshold", "activity": "chess", "at": "2026-10-23 17:40" },
            { "notification": "Enough for today.", "at": "2026-10-23 17:40" },
            { "ledger": "35m", "app": "org.example.chess" }
          ]
        }

        """
}
