/// Rules, categories, requests, shields and stores. A line of English, and its Korean below it.
enum KoreanRules {
    static let text = #"""
        apps and sites that stay open then, with commas between; 0 for none
        그때 쓸 수 있는 앱과 사이트를 쉼표로 나누어. 0이면 없음
        how time on two machines at once counts; on each of them by default
        여러 컴퓨터를 함께 쓴 시간을 세는 법. 보통은 컴퓨터마다 셉니다
        There is no rule “{1}”{2}
        “{1}” 규칙은 없습니다{2}
        There is no category {1}. {2}Categories: {3}.
        {1} 카테고리는 없습니다. {2}카테고리: {3}.
        There is no list “{1}”{2}
        “{1}” 목록은 없습니다{2}
        There is no category “{1}”{2}
        “{1}” 카테고리는 없습니다{2}
        . There are: {1}.
        . 있는 카테고리: {1}.
        a whole number from {1} to {2}
        {1}부터 {2}까지의 정수
        , and {1} more
        , 그 밖에 {1}개
        These apps are shielded: a shield covers their windows where the desktop allows it.
        이 앱들을 제한합니다. 데스크톱이 허용하면 차단 화면이 창을 가립니다.
        The apps of these categories are shielded: a shield covers their windows where the desktop allows it.
        이 카테고리의 앱을 제한합니다. 데스크톱이 허용하면 차단 화면이 창을 가립니다.
        These sites are shielded in browsers that report their sites. `screentime browser list` lists these browsers.
        사이트를 알리는 브라우저에서 이 사이트들을 제한합니다. 어떤 브라우저인지는 `screentime browser list`가 보여 줍니다.
        Sites of these categories are shielded in browsers that report their sites. `screentime browser list` lists these browsers.
        사이트를 알리는 브라우저에서 이 카테고리의 사이트를 제한합니다. 어떤 브라우저인지는 `screentime browser list`가 보여 줍니다.
        These apps are shielded like others; they are not hidden from the menu.
        이 앱들을 다른 앱처럼 제한합니다. 메뉴에서 숨기지는 않습니다.
        These sites are shielded in browsers that report their sites. With `auto` only the named sites count, because there is no list of adult sites here.
        사이트를 알리는 브라우저에서 이 사이트들을 제한합니다. 여기에는 성인 사이트의 목록이 없어서 `auto`에서는 쓴 사이트만 봅니다.
        What a rule says on its shields: its name, the person's words and when it opens again.
        규칙이 차단 화면에 쓰는 말: 이름, 내 말, 다시 열리는 때.
        The package manager installs apps; nothing stops it yet.
        앱은 패키지 관리자가 설치하고, 아직 막는 것이 없습니다.
        The package manager removes apps; nothing stops it yet. Removing one from Screen Time always asks.
        앱은 패키지 관리자가 없애고, 아직 막는 것이 없습니다. 스크린 타임에서 없앨 때는 언제나 묻습니다.
        The machine's owner can set the clock, but Screen Time counts by one that cannot be set.
        컴퓨터의 주인은 시계를 바꿀 수 있지만, 스크린 타임은 바꿀 수 없는 시계로 셉니다.
        A login password is changed with the system's tools; nothing stops it yet.
        로그인 암호는 시스템의 도구로 바꾸고, 아직 막는 것이 없습니다.
        Accounts are added with the system's tools; nothing stops it yet.
        계정은 시스템의 도구로 추가하고, 아직 막는 것이 없습니다.
        Browsers have policies for cookies, but nothing here writes them yet.
        브라우저에는 쿠키 정책이 있지만, 아직 여기서 정하지 않습니다.
        Browsers have a policy for this, but nothing here writes it yet.
        브라우저에는 이 정책이 있지만, 아직 여기서 정하지 않습니다.
        No app store on Linux sells anything inside apps.
        리눅스에는 앱 안에서 무언가를 파는 앱 장터가 없습니다.
        Screen Time does not read the age ratings of Linux apps (OARS).
        스크린 타임은 리눅스 앱의 나이 등급(OARS)을 읽지 않습니다.
        A Linux computer does not control mobile data app by app.
        리눅스 컴퓨터는 앱별로 모바일 데이터를 다루지 않습니다.
        A Linux computer has no mobile plan to change.
        리눅스 컴퓨터에는 바꿀 요금제가 없습니다.
        A Linux computer has no eSIM to change.
        리눅스 컴퓨터에는 바꿀 eSIM이 없습니다.
        There is no Game Center on Linux.
        리눅스에는 Game Center가 없습니다.
        There is no Apple Books on Linux.
        리눅스에는 Apple Books가 없습니다.
        Players on Linux do not know what is explicit.
        리눅스의 플레이어는 무엇이 노골적인지 모릅니다.
        There is no Apple Music on Linux; shield the app instead.
        리눅스에는 Apple Music이 없습니다. 대신 앱을 제한하세요.
        Players on Linux do not know how a film is rated.
        리눅스의 플레이어는 영화의 등급을 모릅니다.
        Players on Linux do not know how a programme is rated.
        리눅스의 플레이어는 방송의 등급을 모릅니다.
        Makes rules what files say: `anna.rules`, and `@class-5b.rules` for a group of accounts
        규칙을 파일대로 맞춥니다: `anna.rules`, 계정 그룹은 `@class-5b.rules`
        with a line for each rule, such as games: limit category:games 1h
        규칙마다 한 줄, 예: games: limit category:games 1h
        removes all other rules of these people
        이 사람들의 다른 규칙은 모두 없앱니다
        a file with a guardian's passcode, where a child has rules
        아이에게 규칙이 있을 때 쓸, 보호자의 암호가 든 파일
        There is no Siri on Linux.
        리눅스에는 Siri가 없습니다.
        """#
}
