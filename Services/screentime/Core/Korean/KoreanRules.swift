/// Rules, categories, requests, shields and stores. A line of English, and its Korean below it.
enum KoreanRules {
    static let text = #"""
        A change can be made to wait for at most {1}; 0 is no wait.
        변경은 {1}까지 기다리게 할 수 있고, 0이면 기다리지 않습니다.
        A rule of the kind {1} has no {2}.
        {1*} 규칙에는 {2}이(가) 없습니다.
        A break is at most {1}.
        휴식은 {1}까지입니다.
        A session shields all else; leave `then` out.
        집중하는 동안은 나머지를 모두 제한합니다. `then`을 빼세요.
        Apps and sites can stay open, no categories. Name the apps.
        열어 두는 것은 앱과 사이트이고, 카테고리는 아닙니다. 앱을 쓰세요.
        Name at least one app, category or site.
        앱, 카테고리, 사이트 가운데 하나 이상 쓰세요.
        apps and sites that stay open then, with commas between; 0 for none
        그때 쓸 수 있는 앱과 사이트를 쉼표로 나누어. 0이면 없음
        how time on two machines at once counts; on each of them by default
        여러 컴퓨터를 함께 쓴 시간을 세는 법. 보통은 컴퓨터마다 셉니다
        Another amount at weekends is for a rule that holds on some of Monday to Friday and on Saturday or Sunday.
        주말의 다른 시간은 월–금 가운데 하루와 토요일이나 일요일에 모두 지키는 규칙에만 둘 수 있습니다.
        The time is from 1 s to 24 h, in whole seconds.
        시간은 1초부터 24시간까지, 초 단위로 씁니다.
        A warning comes at least 1s before, in whole seconds, and less than {1}, which is the whole time.
        미리 알리는 것은 1초 전부터, 초 단위로, 전체 시간 {1}보다 짧게 씁니다.
        Give two different times of the day, such as 21:30 to 07:00.
        21:30부터 07:00까지처럼 서로 다른 두 시각을 쓰세요.
        A rule's name has 1 to {1} bytes, no slash, no control characters, no blank at its ends and no dash in front.
        규칙의 이름은 1–{1}바이트이고, 빗금과 제어 문자, 양 끝의 빈칸, 앞의 줄표는 쓸 수 없습니다.
        Days are numbers from 1, Sunday, to 7, Saturday.
        요일은 1(일요일)부터 7(토요일)까지의 숫자입니다.
        Days of exception are at most {1} dates such as 2026-12-25.
        예외인 날은 2026-12-25처럼 {1}개까지 씁니다.
        Your words have at most {1} bytes, and no control characters but line ends.
        내 말은 {1}바이트까지이고, 줄바꿈이 아닌 제어 문자는 쓸 수 없습니다.
        {1} is not a placeholder for a rule of the kind {2}. Placeholders: {3}.
        {1}은(는) {2*} 규칙의 자리표시가 아닙니다. 쓸 수 있는 것: {3}.
        A rule names at most {1} apps, categories and sites.
        규칙 하나에 앱, 카테고리, 사이트를 {1}개까지 쓸 수 있습니다.
        There are {1} rules already, which is the limit.
        규칙이 이미 {1}개 있고, 더 만들 수 없습니다.
        A session cannot be changed. Remove {1} and begin another one.
        집중은 바꿀 수 없습니다. {1}을(를) 없애고 새로 시작하세요.
        A pause is at most {1} long, and 0 ends it. For longer, remove the rule.
        규칙은 {1}까지 쉬게 할 수 있고, 0이면 끝냅니다. 더 길게는 규칙을 없애세요.
        There is no rule “{1}”{2}
        “{1}” 규칙은 없습니다{2}
        The always-allowed list of {1} would be larger than {2}. Remove items, or allow a category.
        {1} 님의 항상 허용 목록이 {2}보다 커집니다. 항목을 없애거나 카테고리를 허용하세요.
        {1} would have {2} things that are always allowed, and {3} are the limit. A category stands for many.
        {1} 님에게 항상 허용된 것이 {2}개가 되는데, {3}개까지 됩니다. 카테고리 하나로 여럿을 묶을 수 있습니다.
        The rule {1} already covers the same. Change that one, or remove it first.
        {1} 규칙이 이미 같은 것을 다룹니다. 그 규칙을 바꾸거나, 먼저 없애세요.
        There is already a rule called {1} ({2}). Choose another name.
        {1} 규칙이 이미 있습니다({2}). 다른 이름을 고르세요.
        All rules together would need {1} activities to watch, and {2} are the limit. Remove one, or put several apps into one rule.
        모든 규칙을 지키려면 활동 {1}개를 지켜봐야 하는데, {2}개까지 됩니다. 하나를 없애거나, 여러 앱을 규칙 하나에 넣으세요.
        {1} watches {2} activities already, which is the limit for an app and its extensions. Stop one of them, or raise activities_max in [activity-center].
        {1}이(가) 이미 활동 {2}개를 지켜보고 있고, 앱과 확장 하나에 더는 안 됩니다. 하나를 멈추거나, [activity-center]의 activities_max를 늘리세요.
        All apps together watch {1} activities already. Stop some of them.
        모든 앱이 함께 이미 활동 {1}개를 지켜보고 있습니다. 몇 개를 멈추세요.
        There is no category {1}. {2}Categories: {3}.
        {1} 카테고리는 없습니다. {2}카테고리: {3}.
        auth-service did not say what this token stands for.
        auth-service가 이 토큰이 무엇을 뜻하는지 알려 주지 않았습니다.
        {1} has not allowed {2} to watch. Ask first.
        {1} 님이 {2}에 지켜보는 것을 허용하지 않았습니다. 먼저 물으세요.
        {1} apps or sites were moved already, which is the limit.
        이미 옮긴 앱과 사이트가 {1}개이고, 더 옮길 수 없습니다.
        Ask about at most {1} at once.
        한 번에 {1}개까지 물을 수 있습니다.
        {1} is a list of {2}; a list has only one category.
        {1}은(는) {2} 카테고리의 목록입니다. 목록 하나는 카테고리 하나에만 속합니다.
        There are {1} lists already, which is the limit. Remove one first.
        목록이 이미 {1}개 있고, 더 만들 수 없습니다. 먼저 하나를 없애세요.
        All lists together hold at most {1} sites; {2} are in the others.
        모든 목록에 사이트를 {1}개까지 둘 수 있는데, 다른 목록에 이미 {2}개 있습니다.
        All lists together hold at most {1} sites, and there are at most {2} lists.
        모든 목록에 사이트를 {1}개까지 둘 수 있고, 목록은 {2}개까지입니다.
        “{1}” is no part of a list.
        “{1}”은(는) 목록의 한 부분이 아닙니다.
        A list's name has 1 to {1} bytes, no slash, colon or control character, and no blank at its ends.
        목록의 이름은 1–{1}바이트이고, 빗금, 쌍점, 제어 문자, 양 끝의 빈칸은 쓸 수 없습니다.
        “{1}” is not a site; write the name of a host such as reddit.com.
        “{1}”은(는) 사이트가 아닙니다. reddit.com 같은 이름을 쓰세요.
        There is no list “{1}”{2}
        “{1}” 목록은 없습니다{2}
        Name an app, or a site.
        앱이나 사이트를 쓰세요.
        At most {1} apps, categories and sites; a category stands for many.
        앱, 카테고리, 사이트는 {1}개까지입니다. 카테고리 하나로 여럿을 묶을 수 있습니다.
        A code has {1} digits.
        코드는 숫자 {1}개입니다.
        A code cannot grant everything at once. Ask for an app, a category or a site, or let a guardian answer {1}.
        코드로 모든 것을 한꺼번에 승인할 수는 없습니다. 앱, 카테고리, 사이트를 요청하거나, 보호자가 {1}에 답하게 하세요.
        No phone makes codes for {1} yet. A guardian has to set that up first.
        아직 {1} 님의 코드를 만드는 전화기가 없습니다. 보호자가 먼저 설정해야 합니다.
        Codes for {1} were wrong too often. Try again in {2}.
        {1} 님의 코드를 여러 번 잘못 입력했습니다. {2} 뒤에 다시 시도하세요.
        Codes are for a child, whose guardian has them on a phone; {1} is not a child.
        코드는 보호자의 전화기에 있고 아이를 위한 것인데, {1} 님은 아이가 아닙니다.
        {1} already asks for the same. Take it back first to ask again.
        {1}에서 이미 같은 것을 요청했습니다. 다시 요청하려면 먼저 거두세요.
        {1} has {2} requests waiting, which is the limit. Take one back first.
        {1} 님의 요청이 이미 {2}개 기다리고 있고, 더 요청할 수 없습니다. 먼저 하나를 거두세요.
        No rule grants more time by itself here.
        여기서는 시간을 저절로 더 주는 규칙이 없습니다.
        Your own rule grants at most {1} at a time.
        내 규칙으로는 한 번에 {1}까지 승인됩니다.
        Your own rule grants more time {1} a day, and that is used up. There is more tomorrow.
        내 규칙으로는 하루 {1} 더 쓸 수 있고, 오늘은 다 썼습니다. 내일 다시 쓸 수 있습니다.
        A request names at most {1} apps, categories and sites; with none it is for everything.
        요청 하나에 앱, 카테고리, 사이트를 {1}개까지 쓸 수 있고, 쓰지 않으면 모든 것입니다.
        The name of a shield has 1 to {1} bytes and no control characters.
        차단 화면의 이름은 1–{1}바이트이고, 제어 문자는 쓸 수 없습니다.
        More time is from 1 s to 24 h.
        더 쓸 시간은 1초부터 24시간까지입니다.
        A reason has at most {1} bytes and no control characters.
        까닭은 {1}바이트까지이고, 제어 문자는 쓸 수 없습니다.
        {1} asks for {2}. Grant that or less.
        {1}에서 요청한 시간은 {2}입니다. 그만큼이나 그보다 적게 승인하세요.
        {1} no longer waits for an answer: it is {2}.
        {1}은(는) 이제 답을 기다리지 않습니다. 상태: {2*}.
        The wait before a grant is at most 24h; 0 grants at once.
        승인 전에 기다리는 시간은 24h까지이고, 0이면 바로 승인합니다.
        Each further grant of a day waits 0 to {1} percent longer than the one before.
        그날의 다음 승인은 앞의 것보다 0–{1}% 더 기다리게 할 수 있습니다.
        The longest grant is from 1s to 24h.
        가장 긴 승인은 1s부터 24h까지입니다.
        A guardian has 1m to 7d to answer.
        보호자가 답할 시간은 1m부터 7d까지입니다.
        There are 0 to {1} grants a day; with 0 only a guardian answers.
        승인은 하루 0–{1}번이고, 0이면 보호자만 답합니다.
        {1} is {2}; {3} is not.
        {1}의 값은 {2}이어야 합니다. {3}은(는) 안 됩니다.
        {1} takes at most {2} in one list, and these are {3}. Shield a category, or use another store for the rest.
        {1}의 목록 하나에 {2}개까지 되는데, {3}개가 있습니다. 카테고리를 제한하거나, 나머지는 다른 저장소에 두세요.
        There is no setting {1}.{2}
        {1} 설정은 없습니다.{2}
        auth-service has not said what this token stands for.
        auth-service가 이 토큰이 무엇을 뜻하는지 알려 주지 않았습니다.
        {1} has not allowed {2} to change settings. Ask first.
        {1} 님이 {2}에 설정을 바꾸는 것을 허용하지 않았습니다. 먼저 물으세요.
        {1} has {2} stores for {3} already, which is the limit. Use one of them, or delete one.
        {1}에는 {3} 님을 위한 저장소가 이미 {2}개 있고, 더 만들 수 없습니다. 그중 하나를 쓰거나, 하나를 지우세요.
        There are {1} stores of all apps already, which is the limit.
        모든 앱의 저장소가 이미 {1}개 있고, 더 만들 수 없습니다.
        This store would be larger than {1}. Name less in it, or use a second store.
        이 저장소가 {1}보다 커집니다. 적게 넣거나, 두 번째 저장소를 쓰세요.
        All stores of all apps hold {1} already, which is the limit. Delete stores that are not needed.
        모든 앱의 저장소에 이미 {1}이(가) 들어 있고, 더 넣을 수 없습니다. 쓰지 않는 저장소를 지우세요.
        The rules of the earlier version could not be read: {1} Restore the database of monitor-runner from a backup, and restart Screen Time.
        이전 버전의 규칙을 읽지 못했습니다: {1} monitor-runner의 데이터베이스를 백업에서 되돌리고 Screen Time을 다시 시작하세요.
        The activities of {1} belong to rules. Add, change or remove the rule instead.
        {1}의 활동은 규칙의 것입니다. 대신 규칙을 더하거나 바꾸거나 없애세요.
        The stores of {1} belong to rules. Pause or remove the rule instead.
        {1}의 저장소는 규칙의 것입니다. 대신 규칙을 쉬게 하거나 없애세요.
        A stored row of settings is not an object; restore a backup.
        저장된 설정 한 줄이 객체가 아닙니다. 백업을 되돌리세요.
        Not all of the shield is as the app wants it: {1}{2}.
        차단 화면이 모두 앱이 원하는 모양은 아닙니다: {1}{2}.
        {1} has no shield-configuration extension, so its shields have the system's own look.
        {1}: 차단 화면의 모양을 정하는 확장이 없어서 시스템의 모양으로 보입니다.
        The app could not be asked, so this is the system's own look.
        앱에 물을 수 없어서 시스템의 모양으로 보입니다.
        What shields this changed while the app was asked, so this is the system's own look.
        앱에 묻는 동안 제한하는 것이 바뀌어서 시스템의 모양으로 보입니다.
        Press {1} of this shield was answered already. Count on from {2}.
        이 차단 화면의 누름 {1}에는 이미 답했습니다. {2}부터 이어서 세세요.
        The answer to that press is no longer kept. Count on from {1}.
        그 누름에 대한 답은 이제 남아 있지 않습니다. {1}부터 이어서 세세요.
        That shield shows no such button. It shows: {1}.
        그 차단 화면에는 그런 버튼이 없습니다. 있는 버튼: {1}.
        There is no such shield, or it is so old that it is not kept any more.
        그런 차단 화면은 없거나, 오래되어 남아 있지 않습니다.
        Name an app, a site, or both.
        앱이나 사이트, 또는 둘 다 쓰세요.
        {1} has no shield-action extension, so its button does nothing.
        {1}: 버튼을 다루는 확장이 없어서 버튼을 눌러도 아무 일도 없습니다.
        The app that put this shield up cannot be asked at this moment; press again.
        이 차단 화면을 띄운 앱에 지금은 물을 수 없습니다. 다시 누르세요.
        More time cannot be asked for here at this moment; try `screentime request add` instead.
        지금은 여기서 시간을 더 요청할 수 없습니다. 대신 `screentime request add`를 써 보세요.
        {1} did not answer within {2} ms, so the system answered in its place.
        {1}이(가) {2}밀리초 안에 답하지 않아서 시스템이 대신 답했습니다.
        An app's name has 1 to {1} bytes and no control characters.
        앱의 이름은 1–{1}바이트이고, 제어 문자는 쓸 수 없습니다.
        There is no category “{1}”{2}
        “{1}” 카테고리는 없습니다{2}
        . There are: {1}.
        . 있는 카테고리: {1}.
        A site is the name of a host such as reddit.com, without https:// and without what follows a slash.
        사이트는 https://와 빗금 뒤를 뺀, reddit.com 같은 이름입니다.
        {1} has to be {2}.
        {1}의 값은 {2}이어야 합니다.
        {1} with the policy {2} has no `{3}`; leave it out, or choose another policy.
        정책이 {2}인 {1}에는 `{3}`이(가) 없습니다. 빼거나 다른 정책을 고르세요.
        A policy over categories cannot except the category {1}: leave it out of `categories` instead. `except` takes single apps or sites.
        카테고리에 대한 정책은 {1} 카테고리를 예외로 할 수 없습니다. 대신 `categories`에서 빼세요. `except`에는 앱이나 사이트를 하나씩 씁니다.
        This stands for {1}, and {2} belongs here.
        이것은 {1}인데, 여기에는 {2}이(가) 필요합니다.
        The filter names {1} and excepts {2}, so it would never act. Take one of them out.
        필터가 {1}을(를) 쓰고 {2}을(를) 예외로 해서 아무것도 막지 않게 됩니다. 하나를 빼세요.
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
        {1} has no file such as anna.rules or @class-5b.rules.
        {1}에 anna.rules나 @class-5b.rules 같은 파일이 없습니다.
        {1}, line {2}: {3} Write it like “{4}”.
        {1} {2}번째 줄: {3} “{4}”처럼 쓰세요.
        It begins with a name and a colon.
        이름과 쌍점으로 시작해야 합니다.
        {1} stands twice in this file.
        {1}이(가) 이 파일에 두 번 있습니다.
        There is no rule in it.
        규칙이 없습니다.
        A quote is not closed.
        따옴표를 닫지 않았습니다.
        {1} is none of {2}.
        {1}은(는) {2} 가운데 하나가 아닙니다.
        The file says whose rule it is, and the line its name.
        누구의 규칙인지는 파일이, 이름은 줄이 정합니다.
        There is no Siri on Linux.
        리눅스에는 Siri가 없습니다.
        """#
}
