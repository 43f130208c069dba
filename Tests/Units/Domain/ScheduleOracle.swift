import Foundation
import STDomain

/// A simulated clock that finds intervals by reading its face minute by minute.
struct ScheduleOracle {
    /// A minute that the clock shows or skips, in the order of the clock's face.
    struct Face {
        /// The local minutes since 1970.
        var minute: Int64
        var atMs: Int64
        /// The length in minutes of the gap to which this minute belongs. 0 if the clock shows the minute.
        var jump: Int64
        var ofDay: Int
        /// The weekday from 1, Sunday, to 7.
        var weekday: Int

        init(minute: Int64, atMs: Int64, jump: Int64) {
            self.minute = minute
            self.atMs = atMs
            self.jump = jump
            ofDay = Int((minute % 1440 + 1440) % 1440)
            // 22 November 2026 is a Sunday and day 20,779 since the epoch.
            let sundays = (minute - Int64(ofDay)) / 1440 - 20_779
            weekday = Int((sundays % 7 + 7) % 7) + 1
        }
    }

    /// The start or end of a schedule. Without an hour it repeats every hour, without a weekday every day.
    struct End {
        var weekday: Int?
        var hour: Int?
        var minute: Int
        var second: Int

        var fields: DateFields {
            DateFields(hour: hour, minute: minute, second: second, weekday: weekday)
        }

        func matches(_ face: Face) -> Bool {
            face.ofDay % 60 == minute && (hour == nil || face.ofDay / 60 == hour)
                && (weekday == nil || face.weekday == weekday)
        }
    }

    let zone: String
    let faces: [Face]
    /// The moment of the first clock change.
    let changeMs: Int64?

    init?(zone name: String, fromMs: Int64, minutes: Int) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = name
        var faces: [Face] = []
        var latest: Int64?
        for step in 0..<Int64(minutes) {
            let atMs = fromMs + step * 60_000
            let moment = Date(timeIntervalSince1970: Double(atMs) / 1000)
            let shown = (atMs / 1000 + Int64(zone.secondsFromGMT(for: moment))) / 60
            let before = latest ?? shown - 1
            // After the clock is set back, it shows minutes again that are already listed.
            guard shown > before else { continue }
            for minute in (before + 1)...shown {
                let jump = shown - before - 1
                let later = minute < shown ? minute - before - 1 : 0
                faces.append(
                    Face(minute: minute, atMs: atMs + later * 60_000, jump: minute < shown ? jump : 0)
                )
            }
            latest = shown
        }
        self.faces = faces
        changeMs = zip(faces, faces.dropFirst()).first { $1.jump > 0 || $1.atMs != $0.atMs + 60_000 }?.1.atMs
    }

    /// The intervals around a moment. The first and the last few may be incomplete at the edges of the simulated days.
    func intervals(start: End, end: End, days: Set<Int>, around ms: Int64, weeks: Int) -> [Interval] {
        // `faces` contains every minute once.
        let middle = Int((ms - faces[0].atMs) / 60_000)
        let week = 7 * 1440
        let watched = faces[max(0, middle - week - 1440)..<min(faces.count, middle + weeks * week + 1440)]
        var found: [(startMs: Int64, endMs: Int64?)] = []
        var isOpen = false
        for face in watched {
            let isLeftOut = start.hour == nil && face.jump > 0
            let begins =
                start.matches(face) && !isLeftOut && face.jump < 1440
                && (days.isEmpty || days.contains(face.weekday))
            let ends = end.matches(face) && !isLeftOut
            func close() {
                guard isOpen else { return }
                found[found.count - 1].endMs = face.atMs + Int64(end.second) * 1000
                isOpen = false
            }
            if ends, end.second <= start.second || !begins { close() }
            if begins {
                found.append((face.atMs + Int64(start.second) * 1000, nil))
                isOpen = true
                if ends, end.second > start.second { close() }
            }
        }
        return found.indices.compactMap { index in
            let startMs = found[index].startMs
            let next = index + 1 < found.count ? found[index + 1].startMs : Int64.max
            let endMs = min(found[index].endMs ?? .max, next)
            return startMs < endMs ? Interval(startMs: startMs, endMs: endMs, zone: zone) : nil
        }
    }
}
