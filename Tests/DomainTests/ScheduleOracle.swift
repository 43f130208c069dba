import Foundation
import STDomain

/// A clock on the wall that somebody watched, minute by minute: what intervals are, told without any calculus.
struct ScheduleOracle {
    /// A minute of the clock's face, in the order of the face. One that was jumped over is there too.
    struct Face {
        /// Since 1970 on the clock.
        var minute: Int64
        var atMs: Int64
        /// How many minutes were jumped over together with this one.
        var jump: Int64
    }

    /// One end of a schedule. Without an hour it comes every hour, without a weekday every day.
    struct End {
        var weekday: Int?
        var hour: Int?
        var minute: Int
        var second: Int

        var fields: DateFields {
            DateFields(hour: hour, minute: minute, second: second, weekday: weekday)
        }

        func matches(_ face: Int64) -> Bool {
            let day = (face - face.quotient(1440).rest) / 1440
            let ofDay = face.quotient(1440).rest
            return Int(ofDay % 60) == minute && (hour == nil || Int(ofDay / 60) == hour)
                && (weekday == nil || ScheduleOracle.weekday(day) == weekday)
        }
    }

    let zone: String
    let faces: [Face]

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
            // What was shown before the clock was set back is not new.
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
    }

    /// 22 November 2026 is a Sunday and day 20,779 since the epoch.
    static func weekday(_ day: Int64) -> Int { Int((day - 20_779).quotient(7).rest) + 1 }

    /// All intervals, the first and the last few of which may lack what lies outside of the time watched.
    func intervals(start: End, end: End, days: Set<Int>) -> [Interval] {
        var found: [(startMs: Int64, endMs: Int64?)] = []
        var isOpen = false
        for face in faces {
            let isLeftOut = start.hour == nil && face.jump > 0
            let begins =
                start.matches(face.minute) && !isLeftOut && face.jump < 1440
                && (days.isEmpty
                    || days.contains(Self.weekday((face.minute - face.minute.quotient(1440).rest) / 1440)))
            let ends = end.matches(face.minute) && !isLeftOut
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

extension Int64 {
    /// The rest is never negative.
    fileprivate func quotient(_ by: Int64) -> (value: Int64, rest: Int64) {
        let rest = ((self % by) + by) % by
        return ((self - rest) / by, rest)
    }
}
