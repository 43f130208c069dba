import STDomain
import STPlatform
import Testing

@Suite("Names of sites")
struct DomainNameTests {
    @Test(
        "A site's name is stored as browsers report it",
        arguments: [
            ("example.com", "example.com"), ("WWW.Example.COM.", "www.example.com"),
            ("münchen.de", "xn--mnchen-3ya.de"), ("MÜNCHEN.de", "xn--mnchen-3ya.de"),
            ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"), ("한국.kr", "xn--3e0b707e.kr"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("a-b.c1.org", "a-b.c1.org"),
        ]
    )
    func kept(text: String, name: String) throws {
        #expect(try DomainName.checked(text, field: "/d") == name)
        #expect(DomainName.canonical(text) == name)
    }

    @Test(
        "An invalid site name is refused with a hint about what to write",
        arguments: [
            ("*.example.com", "star"), ("https://example.com", "path"), ("example.com/watch", "path"),
            ("example.com:8080", "port"), ("me@example.com", "e-mail"), ("com", "whole name"),
            ("", "whole name"),
            (".example.com", "letters"), ("a..b.com", "letters"), ("-a.com", "letters"),
            ("a-.com", "letters"),
            ("exa mple.com", "letters"), ("a_b.com", "letters"), ("192.168.0.1", "address"),
            ("xn--a.com", "letters"), ("xn--mnchen-3yb9999999999.de", "letters"),
            ("mu\u{308}nchen.de", "letters"), ("a\u{202e}b.com", "letters"),
            (String(repeating: "a", count: 64) + ".com", "letters"),
            (Array(repeating: "abcdefghij", count: 26).joined(separator: "."), "253"),
            (String(repeating: "ü", count: 10_000) + ".com", "253"),
        ]
    )
    func refused(text: String, word: String) {
        #expect(DomainName.canonical(text) == nil)
        do {
            _ = try DomainName.checked(text, field: "/settings/x/3")
            Issue.record("\(text) was taken")
        } catch let problem as Problem {
            #expect(problem.code == "domain.invalid")
            #expect(problem.field == "/settings/x/3")
            #expect(problem.message.contains(word), "\(problem.message)")
            #expect(problem.message.utf8.count < 400)
        } catch { Issue.record(error) }
    }
}
