package import STContracts
import STPlatform
import STServiceKit

/// Calls extensions at a person's wish: within a time, and with a step in the trace.
package struct ExtensionCaller<State: Sendable>: Sendable {
    package let asking: ServiceAsking<State>
    package let extensions: ExtensionHost

    package init(_ asking: ServiceAsking<State>, _ extensions: ExtensionHost) {
        self.asking = asking
        self.extensions = extensions
    }

    /// Another language needs another process: a program reads it from its environment, once.
    package func spec(
        _ app: String,
        _ member: String,
        _ point: ExtensionPoint,
        _ executable: String,
        bundle: String?,
        language: String?
    ) -> ExtensionSpec {
        var environment: [String: String] = [:]
        environment[ExtensionEnvironment.bundle] = bundle
        if let language, !language.isEmpty {
            for name in ["LANG", "LC_ALL"] { environment[name] = "\(language).UTF-8" }
        }
        let surroundings = asking.surroundings
        // The zone of a virtual clock is nowhere else to be seen.
        if surroundings.time is VirtualTimeSource { environment["TZ"] = surroundings.time.zone() }
        return ExtensionSpec(
            app: app,
            member: member,
            point: point,
            executable: executable,
            environment: environment
        )
    }

    /// A virtual clock stands still until the extension is done with it, also when nobody waits for it any more.
    package func call(_ spec: ExtensionSpec, _ job: ExtensionJob) async -> ExtensionOutcome {
        await asking.surroundings.pulse.during {
            let startUs = Stopwatch.bootMicroseconds()
            var next = job
            next.trace = job.trace.next()
            let outcome = await extensions.call(spec, next)
            asking.noteCall(
                "\(spec.app) \(job.call.method)",
                id: job.call.id,
                cause: job.cause,
                job.trace,
                parent: nil,
                startUs: startUs,
                outcome: outcome.problem?.code ?? "ok"
            )
            return outcome
        }
    }
}
