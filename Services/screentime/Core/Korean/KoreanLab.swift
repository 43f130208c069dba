/// The lab: projects of Xcode and what is wrong with them. A line of English, and its Korean below it.
enum KoreanLab {
    static let text = #"""
        replaces external packages, such as Firebase, with stubs that compile and do nothing
        Firebase 같은 외부 패키지용. 컴파일은 되지만 아무 일도 하지 않는 것으로 대신합니다
        Writes the defaults that the app itself would have written to its groups, before its extensions run
        확장이 실행되기 전에, 앱이 남겼을 값을 그룹의 기본값에 넣습니다
        an installed app
        설치된 앱
        a week.json, or {"group.app": {"minutes": 30}}; by default the week.json beside the app's bundle
        week.json, 또는 {"group.app": {"minutes": 30}}. 정하지 않으면 앱 번들 옆의 week.json
        replaces the defaults that a group already has
        그룹에 이미 있는 것을 대신합니다
        Does nothing here, and says so in the log: {1}.
        여기서는 아무 일도 하지 않고, 로그에 그렇게 적습니다: {1}.
        behaves like a phone with these faults, such as missed-start,changed-tokens
        missed-start,changed-tokens 같은 결함이 있는 전화기처럼 움직입니다
        Makes a Swift package that builds the Screen Time extensions of a project, without changing the project
        프로젝트의 스크린 타임 확장을 빌드하는 Swift 패키지를 만듭니다. 프로젝트는 바꾸지 않습니다
        Plays a week of an app in virtual time: callbacks, logs, notifications, shields and reports
        앱의 한 주를 가상 시간으로 재생합니다. 콜백, 로그, 알림, 차단 화면, 보고서를 보여 줍니다
        an installed app, a folder that `app new` made, or a bundle such as ./Promise
        설치된 앱, 또는 `app new`가 만든 폴더나 ./Promise 같은 번들
        writes the week as one HTML page with pictures; - for standard output
        그림이 있는 한 페이지로 모두. 표준 출력은 -
        an earlier timeline that this command printed; a line that differs is an error
        이 명령이 출력한 흐름. 지금 다르면 오류입니다
        writes the results as JUnit XML, for programs that run tests
        맞은 것과 맞지 않은 것. 테스트를 돌리는 프로그램용
        builds and plays again when a file of the project changes
        프로젝트의 파일이 바뀌면 다시 빌드하고 다시 실행합니다
        folder of the project: Xcode, XcodeGen, Tuist, Expo or a Swift package
        프로젝트 폴더. Xcode, XcodeGen, Tuist, Expo, Swift 패키지
        folder of the new package; by default beside the project
        패키지를 둘 곳. 정하지 않으면 프로젝트 옆
        Not there, and left out: {1}.
        없어서 뺐습니다: {1}.
        name of a new project to create in the current folder
        새 프로젝트의 이름. 먼저 여기에 만듭니다
        adds a monitor to a new project; without --monitor, --shield and --report it gets all of them
        새 프로젝트에 모니터를 둡니다. 아무 말도 없으면 모두 둡니다
        adds a shield and its buttons to a new project
        새 프로젝트에 가림막과 버튼을 둡니다
        adds a report to a new project
        새 프로젝트에 보고서를 둡니다
        {1} has no Screen Time extension that can be built. {2}
        {1}에 빌드할 수 있는 스크린 타임 확장이 없습니다. {2}
        an unknown one
        알 수 없는 것
        {1}, line {2}: it {3}.
        {1}의 {2}번째 줄을 읽을 수 없습니다: {3}.
        Only Swift is compiled here; left out: {1}.
        여기서는 Swift만 컴파일합니다. 뺀 것: {1}.
        Empty here, so that an import alone compiles: {1}.
        여기서는 비어 있습니다. import만 할 때를 위한 것입니다: {1}.
        Its Info.plist says {1}, but its class is that of {2}; the class counts.
        Info.plist에는 {1}이라고 되어 있지만 클래스는 {2}의 것입니다. 클래스를 따릅니다.
        """#
}
