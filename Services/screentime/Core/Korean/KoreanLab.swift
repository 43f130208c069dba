/// The lab: projects of Xcode and what is wrong with them. A line of English, and its Korean below it.
enum KoreanLab {
    static let text = #"""
        replaces external packages, such as Firebase, with stubs that compile and do nothing
        Firebase 같은 외부 패키지용. 컴파일은 되지만 아무 일도 하지 않는 것으로 대신합니다
        Writes the defaults that the app itself would have written to its groups, before its extensions run
        확장이 실행되기 전에, 앱이 남겼을 값을 그룹의 기본값에 넣습니다
        This command needs the program {1}. It is in the Debian package screentime-developer.
        이 명령에는 {1} 프로그램이 필요합니다. 데비안 패키지 screentime-developer에 들어 있습니다.
        {1} wrote more than 32 MiB. Save its output in a file instead.
        {1}의 출력이 32 MiB를 넘었습니다. 출력을 파일에 저장하세요.
        an installed app
        설치된 앱
        a week.json, or {"group.app": {"minutes": 30}}; by default the week.json beside the app's bundle
        week.json, 또는 {"group.app": {"minutes": 30}}. 정하지 않으면 앱 번들 옆의 week.json
        replaces the defaults that a group already has
        그룹에 이미 있는 것을 대신합니다
        {1} is not there, or is no JSON. Write down what the app would have left, and name the file.
        {1}이(가) 없거나 JSON이 아닙니다. 앱이 남겼을 값을 적고 그 파일을 알려 주세요.
        {1} has no defaults: the code reads none from a group. Write down what it needs, and name the file.
        {1}에 기본값이 없습니다. 코드가 그룹에서 읽는 것이 없습니다. 필요한 값을 적고 그 파일을 알려 주세요.
        {1} is no group of this app. It has: {2}.
        {1}은(는) 이 앱의 그룹이 아닙니다. 앱의 그룹: {2}.
        {1} has defaults already. With --replace they are lost.
        {1}에 이미 기본값이 있습니다. --replace를 쓰면 없어집니다.
        Does nothing here, and says so in the log: {1}.
        여기서는 아무 일도 하지 않고, 로그에 그렇게 적습니다: {1}.
        It uses {1} of {2}, a package from elsewhere, which is not fetched. With --stub {3} something that does nothing takes its place.
        {2}의 {1}을(를) 씁니다. 외부 패키지라서 받지 않습니다. --stub {3}을(를) 쓰면 아무 일도 하지 않는 것이 대신합니다.
        Faults of phones are played to your own apps, which run as separate processes. Leave --in-process out.
        전화기의 결함은 별도 프로세스로 도는 여러분의 앱에 재생됩니다. --in-process를 빼 주세요.
        behaves like a phone with these faults, such as missed-start,changed-tokens
        missed-start,changed-tokens 같은 결함이 있는 전화기처럼 움직입니다
        --fault does not know “{1}”. It knows: {2}.
        --fault가 모르는 이름입니다: “{1}”. 아는 이름: {2}.
        {1} makes no {2}(…) that can be read.
        {1}에 읽을 수 있는 {2}(…)이(가) 없습니다.
        {1} ends too early.
        {1}이(가) 너무 일찍 끝납니다.
        {1} is nested too deeply.
        {1}이(가) 너무 깊습니다.
        {1} has no project: no folder that ends with .xcodeproj, and none of {2}.
        {1}에 프로젝트가 없습니다. .xcodeproj로 끝나는 폴더도, 다음 중 어느 것도 없습니다: {2}.
        No project in {1} has extensions.
        {1}의 어느 프로젝트에도 확장이 없습니다.
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
        {1} has neither {2} nor manifest.json. Name the folder that `app new` made, a bundle, or an installed app.
        {1}에 {2}도 manifest.json도 없습니다. `app new`가 만든 폴더나 번들, 또는 설치된 앱을 알려 주세요.
        builds and plays again when a file of the project changes
        프로젝트의 파일이 바뀌면 다시 빌드하고 다시 실행합니다
        {1} does not say which project it was made of. Name a folder that `app new` has made.
        {1}에는 어느 프로젝트로 만든 것인지 적혀 있지 않습니다. `app new`가 만든 폴더를 알려 주세요.
        folder of the project: Xcode, XcodeGen, Tuist, Expo or a Swift package
        프로젝트 폴더. Xcode, XcodeGen, Tuist, Expo, Swift 패키지
        This computer is protected, so the folders of apps belong to the services. Try the app in personal mode, or with app try.
        이 컴퓨터는 보호되고 있어서 앱의 폴더는 서비스의 것입니다. 개인 모드에서, 또는 app try로 해 보세요.
        folder of the new package; by default beside the project
        패키지를 둘 곳. 정하지 않으면 프로젝트 옆
        {1}: the setting {2} leads to itself.
        {1}: 설정 {2}이(가) 자기 자신을 가리킵니다.
        {1}: the setting {2} grows without end.
        {1}: 설정 {2}이(가) 끝없이 길어집니다.
        {1} includes itself, or more than {2} files.
        {1}이(가) 자기 자신을, 또는 파일을 {2}개 넘게 포함합니다.
        {1}, line {2}: “{3}” is no setting. Write NAME = VALUE.
        {1}, {2}번째 줄: “{3}”은(는) 설정이 아닙니다. NAME = VALUE처럼 쓰세요.
        Swift is not in PATH. Get Swift 6.3 from https://www.swift.org/install/linux/, and put its usr/bin into PATH.
        PATH에 Swift가 없습니다. https://www.swift.org/install/linux/ 에서 Swift 6.3을 받아 usr/bin을 PATH에 넣으세요.
        Name the folder of a project with --from, or a new project, which may have --monitor, --shield and --report.
        프로젝트 폴더를 --from으로 알려 주거나 새 이름을 지어 주세요. 새 프로젝트에는 --monitor, --shield, --report를 붙일 수 있습니다.
        Another `screentime app new` is building. Wait until it has ended.
        다른 `screentime app new`가 빌드하고 있습니다. 끝날 때까지 기다리세요.
        HOME is not set, so there is no folder to compile in. Set it, and try again.
        HOME이 없어서 컴파일할 폴더가 없습니다. 정하고 다시 해 보세요.
        Its sources are larger than {1}.
        소스가 {1}보다 큽니다.
        {1} includes other files, which are not read here. Run `xcodegen`, and name the project that it writes.
        {1}이(가) 여기서 읽지 않는 다른 파일을 포함합니다. `xcodegen`을 실행하고 그것이 만든 프로젝트를 알려 주세요.
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
        “{1}” cannot name an app: use at most {2} letters and digits, a letter first, and no name of Apple's.
        “{1}”은(는) 앱 이름이 될 수 없습니다. 글자와 숫자 {2}개까지, 글자로 시작하고 애플의 이름은 피하세요.
        {1} is there already, and nothing of it is overwritten. Choose another name, or build what is there.
        {1}이(가) 이미 있어서 아무것도 덮어쓰지 않습니다. 다른 이름을 고르거나 있는 것을 빌드하세요.
        An app has one extension of this kind, and {1} is it already.
        앱에는 이 종류의 확장이 하나만 있습니다. 이미 {1}이(가) 있습니다.
        {1} has no Screen Time extension that can be built. {2}
        {1}에 빌드할 수 있는 스크린 타임 확장이 없습니다. {2}
        The frameworks are not installed. They are in Debian's package screentime-developer.
        프레임워크가 설치되어 있지 않습니다. 데비안 패키지 screentime-developer에 있습니다.
        It has two files named {1}. Give one of them another name.
        이름이 {1}인 파일이 두 개 있습니다. 하나의 이름을 바꾸세요.
        It has no Swift files.
        Swift 파일이 없습니다.
        It is no extension of Screen Time but {1}.
        스크린 타임 확장이 아니라 {1}입니다.
        an unknown one
        알 수 없는 것
        None of its files has a class that inherits from {1}.
        {1}을(를) 상속하는 클래스가 어느 파일에도 없습니다.
        {1} is not marked with @main, so nothing starts it.
        {1}에 @main이 없어서 아무것도 시작하지 않습니다.
        {1} has more than {2} modules.
        {1}에 모듈이 {2}개보다 많습니다.
        {1}/Package.swift cannot be read: {2}
        {1}/Package.swift를 읽을 수 없습니다: {2}
        {1}/Package.swift has no target {2} that can be built here.
        {1}/Package.swift에 여기서 빌드할 수 있는 {2} 타깃이 없습니다.
        No package in {1} has the product {2}.
        {1}의 어느 패키지에도 {2} 제품이 없습니다.
        {1} already has other files, and nothing of them is overwritten. Choose a new folder.
        {1}에 다른 파일이 있어서 아무것도 덮어쓰지 않습니다. 새 폴더를 고르세요.
        {1} is no catalogue of strings: {2}
        {1}은(는) 문자열 카탈로그가 아닙니다: {2}
        {1} is not a folder that can be entered.
        {1}은(는) 들어갈 수 있는 폴더가 아닙니다.
        {1} leads outside of {2}. Name the folder that holds both, with --from.
        {1}은(는) {2} 밖을 가리킵니다. 둘 다 들어 있는 폴더를 --from으로 알려 주세요.
        {1} is nested too deeply for a project.
        {1}은(는) 프로젝트라고 하기에는 너무 깊습니다.
        {1} has more than {2} files. Name the folder of the project itself, with --from.
        {1}에 파일이 {2}개보다 많습니다. 프로젝트 폴더를 --from으로 알려 주세요.
        {1} is a binary property list. Convert it on the Mac.
        {1}은(는) 바이너리 속성 목록입니다. 맥에서 변환하세요.
        {1}, line {2}: it {3}.
        {1}의 {2}번째 줄을 읽을 수 없습니다: {3}.
        It is made of templates, which are not read here. Run `xcodegen`, and name the project that it writes.
        템플릿으로 되어 있어 여기서 읽지 않습니다. `xcodegen`을 실행하고 그것이 만든 프로젝트를 알려 주세요.
        {1} has no project: its rootObject is missing.
        {1}에 프로젝트가 없습니다. rootObject가 빠졌습니다.
        {1}: its groups are nested without end, at {2}.
        {1}: 그룹이 {2}에서 끝없이 이어집니다.
        Only Swift is compiled here; left out: {1}.
        여기서는 Swift만 컴파일합니다. 뺀 것: {1}.
        Empty here, so that an import alone compiles: {1}.
        여기서는 비어 있습니다. import만 할 때를 위한 것입니다: {1}.
        Its Info.plist says {1}, but its class is that of {2}; the class counts.
        Info.plist에는 {1}이라고 되어 있지만 클래스는 {2}의 것입니다. 클래스를 따릅니다.
        """#
}
