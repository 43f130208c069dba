/// A household of many machines. A line of English, and its Korean below it.
enum KoreanHousehold {
    static let text = #"""
        Makes this machine the meeting place of a household of many machines
        이 컴퓨터를 여러 컴퓨터로 이루어진 집의 만나는 곳으로 만듭니다
        how other machines reach this one; by default its address and port {1}
        다른 컴퓨터가 이 컴퓨터에 닿는 주소. 정하지 않으면 이 컴퓨터의 주소와 포트 {1}
        Shows a code with which one other machine can join, for ten minutes
        다른 컴퓨터 한 대가 들어올 수 있는 코드를 보입니다. 10분 동안 씁니다
        Asks the household of a code to let this machine in; limits then count over all its machines
        코드의 집에 이 컴퓨터를 넣어 달라고 합니다. 그러면 제한을 모든 컴퓨터에 걸쳐 셉니다
        what `household invite` shows on the other machine
        다른 컴퓨터에서 `household invite`가 보인 것
        who of this machine is who in the household; several are separated by commas
        이 컴퓨터의 누가 집의 누구인지. 여럿이면 쉼표로 나눕니다
        Trusts a machine: guardians can loosen children's rules there for all machines
        이 컴퓨터에서 보호자가 늦춘 아이의 규칙을 모든 컴퓨터에 적용합니다
        ends the trust; rules loosened there stay in force on other machines
        신뢰를 끝냅니다. 거기서 늦춘 것은 다른 곳에서 더는 통하지 않습니다
        Lets the machine in that shows this number
        이 숫자를 보인 컴퓨터를 넣습니다
        six digits, as the other machine shows them
        다른 컴퓨터가 보인 여섯 자리 숫자
        The machines of the household, and whether this one is connected
        집의 컴퓨터들과, 이 컴퓨터가 연결되어 있는지
        lists what leaves this machine
        이 컴퓨터 밖으로 나가는 것을 보입니다
        Puts a machine out of the household, at once; what it told before stays in reports
        컴퓨터를 집에서 곧바로 뺍니다. 전에 알린 것은 보고서에 남습니다
        what of each stretch of use leaves this machine: `all`, `apps` without sites, or `time` without names
        이 컴퓨터 밖으로 나가는 것: 모두(`all`), 사이트 없이 앱만(`apps`), 이름 없이 시간만(`time`)
        its name; `household show` lists them
        컴퓨터의 이름. `household show`가 보여 줍니다
        Lets a teacher's phone or computer in: its browser leaves only some apps open for a class, for a while
        교사의 휴대폰이나 컴퓨터를 들입니다. 그 브라우저에서 잠시 한 반에 몇 가지 앱만 열어 둡니다
        what it is called, such as the teacher's name
        부를 이름. 교사의 이름처럼
        the pupils: a group of this computer's accounts, also of a directory service
        학생들: 이 컴퓨터 계정의 그룹. 디렉터리 서비스의 그룹도 됩니다
        the pupils by name, separated by commas
        학생들의 이름을 쉼표로 나누어
        when the teacher's word counts, such as 08:00-13:00
        교사의 말이 통하는 시간. 08:00-13:00처럼
        Makes new keys for this machine, such as after a copy of its disk was lost; the old ones are refused then
        디스크의 사본을 잃었을 때처럼 이 컴퓨터의 열쇠를 새로 만듭니다. 그러면 옛 열쇠는 거절됩니다
        what stays the same of a machine without a disk, such as its serial number: it comes back as the machine that it was
        디스크가 없는 컴퓨터에서 바뀌지 않는 것, 예를 들어 일련번호: 켤 때마다 같은 컴퓨터로 돌아옵니다
        Makes a new key of the household itself, such as after a copy of this machine's disk was lost; its machines hear of it first
        집 자체의 열쇠를 새로 만듭니다. 예를 들어 이 컴퓨터 디스크의 사본을 잃어버렸을 때 씁니다. 컴퓨터들이 먼저 새 열쇠를 듣습니다
        takes the key that was made before without waiting for machines that are away: they have to join again
        먼저 만든 열쇠를 꺼져 있는 컴퓨터를 기다리지 않고 씁니다. 그 컴퓨터는 다시 들어와야 합니다
        Takes this machine out of its household; what is used elsewhere from now on counts here no more
        이 컴퓨터를 집에서 뺍니다. 앞으로 다른 곳에서 쓰는 시간은 여기서 세지 않습니다
        The household has no machine called {1}.{2}
        집에 {1}(이)라는 컴퓨터가 없습니다.{2}
        Lets a guardian's phone in: its browser shows today, answers requests, gives time and stops computers
        보호자의 휴대폰을 들입니다. 휴대폰 브라우저에서 오늘을 보고, 요청에 답하고, 시간을 주고, 컴퓨터를 멈춥니다
        Makes a file with which many machines join without a person, such as those of a school
        학교처럼 여러 컴퓨터가 사람 없이 들어올 수 있는 파일을 만듭니다
        where it is written; who has it can let a machine in
        파일을 쓸 곳. 이 파일이 있으면 컴퓨터를 들일 수 있습니다
        how many machines it lets in
        들일 컴퓨터의 수
        for how many days
        며칠 동안
        ends all tokens instead; machines that have joined stay
        토큰을 모두 끝냅니다. 들어온 컴퓨터는 남습니다
        Joins the household of a token with all people of this machine under their own names; doing it again changes nothing
        토큰의 집에 이 컴퓨터의 모든 사람을 제 이름으로 들입니다. 다시 해도 바뀌지 않습니다
        what `household token` wrote
        `household token`이 쓴 파일
        who is who, where names differ; the others are left out
        이름이 다를 때 누가 누구인지. 나머지는 빠집니다
        of a guardian, where children live and no one is there to type it
        아이가 쓰는 컴퓨터에서 입력할 사람이 없을 때, 보호자의 암호가 든 파일
        what the phone is called
        휴대폰의 이름
        whom it looks after; several are separated by commas, and by default the children
        휴대폰이 돌보는 사람. 여럿은 쉼표로 나누며, 정하지 않으면 아이들
        how the phone reaches this machine; by default as other machines do, at port {1}
        휴대폰이 이 컴퓨터에 닿는 주소. 정하지 않으면 다른 컴퓨터와 같은 주소의 포트 {1}
        How long the people of the household used what, on all machines together; asked where the household meets
        집의 사람들이 모든 컴퓨터에서 무엇을 얼마나 썼는지. 집이 만나는 컴퓨터에서 묻습니다
        only this person, as the household calls them; several are separated by commas
        이 사람만, 집에서 부르는 이름으로. 여럿이면 쉼표로 나눕니다
        so many days up to today; by default {1}
        오늘까지 며칠. 정하지 않으면 {1}일
        added up by {1}; by default member,app
        무엇별로 더할지: {1}. 정하지 않으면 member,app
        groups of this computer's accounts, such as classes, for --by group
        이 컴퓨터 계정의 모임, 예를 들어 반. --by group에 씁니다
        It is empty (a file of its own) or the address of a PostgreSQL without a password, such as postgresql://NAME@HOST/DATABASE; the password belongs into ~/.pgpass, or into a file that the address names: ?passfile=/PATH.
        비우거나(자기 파일) 비밀번호 없는 PostgreSQL 주소를 적습니다. 예: postgresql://NAME@HOST/DATABASE. 비밀번호는 ~/.pgpass나 주소가 가리키는 파일(?passfile=/PATH)에 둡니다.
        asks that machine of the household, by your passcode there; mum@laptop says who you are
        거기서 쓰는 암호로 집의 그 컴퓨터에 묻습니다. mum@laptop은 누구인지 말합니다
        """#
}
