import Glibc
import STPlatform
import STTestKit
import STTestSupport

/// The reply of a server on this computer to one request.
struct HTTPAnswer {
    var status: Int
    /// The headers by lower-case names.
    var headers: [String: String]
    var body: String
}

/// A connection to 127.0.0.1 for any bytes, so that a test can send requests that no browser sends.
struct HTTPConnection {
    private let descriptor: OwnedDescriptor

    init(port: UInt16) throws { descriptor = try RawConnection(port: port).descriptor }

    @discardableResult
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Returns the data until `isEnough`, the end or the deadline.
    func receive(withinMs: Int64, until isEnough: (String) -> Bool = { _ in false }) -> String {
        let deadlineMs = Stopwatch.milliseconds() + withinMs
        var seen: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while Readiness.wait(descriptor.number, withinMs: deadlineMs - Stopwatch.milliseconds()) {
            let count = recv(descriptor.number, &part, part.count, 0)
            guard count > 0 else { break }
            seen += part[..<count]
            if isEnough(String(decoding: seen, as: UTF8.self)) { break }
        }
        return String(decoding: seen, as: UTF8.self)
    }

    /// Returns `nil` if there is no reply.
    func call(
        _ method: String,
        path: String,
        headers: KeyValuePairs<String, String>,
        body: String = "",
        withinMs: Int64 = 60_000
    ) -> HTTPAnswer? {
        var text = "\(method) \(path) HTTP/1.1\r\nConnection: close\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        send(text + "\r\n" + body)
        let answer = receive(withinMs: withinMs) { Self.parsed($0, isWhole: true) != nil }
        return Self.parsed(answer, isWhole: false)
    }

    private static func parsed(_ text: String, isWhole: Bool) -> HTTPAnswer? {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            return nil
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.last.map { String($0.drop { $0 == " " }) }
        }
        let body = String(text[end.upperBound...])
        if isWhole, body.utf8.count < headers["content-length"].flatMap({ Int($0) }) ?? .max { return nil }
        return HTTPAnswer(status: status, headers: headers, body: body)
    }
}
