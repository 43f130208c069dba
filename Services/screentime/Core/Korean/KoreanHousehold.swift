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
        The interval {1} overlaps an earlier one of this machine. It is rejected.
        {1} 기록이 이 컴퓨터의 앞선 기록과 겹칩니다. 그 기록은 뺍니다.
        The machine sends more intervals than it can have recorded. The rest is rejected.
        컴퓨터가 있을 수 있는 것보다 많은 기록을 보냅니다. 나머지는 뺍니다.
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
        --share is all, apps or time.
        --share는 all, apps, time 가운데 하나입니다.
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
        Say with --class or --for who is taught, and with --hours when.
        누구를 가르치는지 --class나 --for로, 언제인지 --hours로 적으세요.
        The household knows no person of the group {1} yet. Let their machines join, with these accounts' names.
        집이 아는 사람 가운데 그룹 {1}의 사람이 아직 없습니다. 그 사람들의 컴퓨터를 이 계정 이름으로 들이세요.
        Lessons are at hours of one day, such as 08:00-13:00.
        수업은 하루 안의 시간입니다. 08:00-13:00처럼 적으세요.
        This class has its lessons from {1} to {2}, on the days that were agreed. Nothing was changed.
        이 반의 수업은 정한 날의 {1}부터 {2}까지입니다. 아무것도 바꾸지 않았습니다.
        A lesson ends later than now, and by {1}.
        수업은 지금보다 뒤에, 늦어도 {1}에 끝납니다.
        A lesson leaves at most {1} apps and sites open.
        수업에서 열어 두는 앱과 사이트는 {1}개까지입니다.
        This is a guardian's phone. It has no class.
        이 휴대폰은 보호자의 것이고 반이 없습니다.
        This is a teacher's page: it begins and ends lessons, and nothing else.
        이것은 교사의 페이지입니다. 수업을 시작하고 끝낼 뿐입니다.
        Makes new keys for this machine, such as after a copy of its disk was lost; the old ones are refused then
        디스크의 사본을 잃었을 때처럼 이 컴퓨터의 열쇠를 새로 만듭니다. 그러면 옛 열쇠는 거절됩니다
        This machine is just taking new keys. Try again in a moment.
        이 컴퓨터가 지금 새 열쇠를 받고 있습니다. 잠시 뒤에 다시 해 보세요.
        The household knows no pupil of this class yet. Let their machines join.
        집이 이 반의 학생을 아직 모릅니다. 학생들의 컴퓨터를 들이세요.
        A teacher's lesson is not paused; it ends at its time.
        교사의 수업은 멈출 수 없습니다. 제시간에 끝납니다.
        Another machine has this key.
        다른 컴퓨터가 이 열쇠를 가지고 있습니다.
        Who of this machine is who in the household was agreed as it joined. Join again to change that.
        이 컴퓨터의 누가 집에서 누구인지는 들어올 때 정했습니다. 바꾸려면 다시 들어오세요.
        An identity is {1} hexadecimal digits.
        신원은 16진수 {1}자리입니다.
        An identity has {1} to {2} bytes and no control characters, and is another one on each machine.
        신원은 제어 문자 없이 {1}~{2}바이트이며, 컴퓨터마다 달라야 합니다.
        what stays the same of a machine without a disk, such as its serial number: it comes back as the machine that it was
        디스크가 없는 컴퓨터에서 바뀌지 않는 것, 예를 들어 일련번호: 켤 때마다 같은 컴퓨터로 돌아옵니다
        Makes a new key of the household itself, such as after a copy of this machine's disk was lost; its machines hear of it first
        집 자체의 열쇠를 새로 만듭니다. 예를 들어 이 컴퓨터 디스크의 사본을 잃어버렸을 때 씁니다. 컴퓨터들이 먼저 새 열쇠를 듣습니다
        takes the key that was made before without waiting for machines that are away: they have to join again
        먼저 만든 열쇠를 꺼져 있는 컴퓨터를 기다리지 않고 씁니다. 그 컴퓨터는 다시 들어와야 합니다
        Takes this machine out of its household; what is used elsewhere from now on counts here no more
        이 컴퓨터를 집에서 뺍니다. 앞으로 다른 곳에서 쓰는 시간은 여기서 세지 않습니다
        At most {1} rows and {2} open stretches come at once.
        한 번에 행 {1}개와 열린 구간 {2}개까지 받습니다.
        Use elsewhere names its machine.
        다른 곳의 사용에는 그 컴퓨터가 적혀 있어야 합니다.
        This computer is protected, so only its administrator can set up the household.
        이 컴퓨터는 보호되어 있어 관리자만 집을 설정할 수 있습니다.
        No household was started on this machine.
        이 컴퓨터에서 시작한 집이 없습니다.
        {1} invitations are open, which is the limit. They last ten minutes; wait a little.
        초대가 {1}개 열려 있으며, 그것이 한도입니다. 10분이면 끝나니 잠시 기다리세요.
        Another machine has used this code. Ask for a new one, and find out which machine that was.
        다른 컴퓨터가 이 코드를 썼습니다. 새 코드를 받고, 어느 컴퓨터였는지 알아보세요.
        A key is 64 hexadecimal digits.
        열쇠는 16진수 64자리입니다.
        Each person stands once among the accounts, and there are at most {1}.
        계정에는 한 사람이 한 번만 나오며, 많아야 {1}명입니다.
        No machine waits with the number {1}. If that is what the other machine shows, another machine used its code: make a new one.
        숫자 {1}을(를) 가지고 기다리는 컴퓨터가 없습니다. 다른 컴퓨터가 그 숫자를 보인다면 또 다른 컴퓨터가 코드를 쓴 것이니 새로 만드세요.
        The household has {1} machines, which is the limit.
        집에 컴퓨터가 {1}대 있으며, 그것이 한도입니다.
        The household has no machine called {1}.{2}
        집에 {1}(이)라는 컴퓨터가 없습니다.{2}
        This machine does not belong to the household. Join it again with a new code.
        이 컴퓨터는 집에 속하지 않습니다. 새 코드로 다시 들어가세요.
        This invitation is over: it lasts ten minutes. Ask for a new code.
        초대가 끝났습니다. 10분 동안만 쓸 수 있습니다. 새 코드를 받으세요.
        A request has at most {1} rows and {2} open stretches.
        요청 하나에 행은 {1}개, 열린 구간은 {2}개까지입니다.
        The household and this machine have not come to the same rules. It is tried again.
        집과 이 컴퓨터의 규칙이 아직 같지 않습니다. 다시 시도합니다.
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
        Say {1} with a whole number.
        {1}에 정수를 적으세요.
        The household at {1} has not let this machine in yet. Look again: screentime household show
        {1}의 집이 아직 이 컴퓨터를 들이지 않았습니다. 다시 보기: screentime household show
        A token is for 1 to {1} machines and 1 to {2} days.
        토큰은 컴퓨터 1~{1}대, 1~{2}일 동안 쓸 수 있습니다.
        This token was for {1} machines, which have joined. Make another one.
        이 토큰은 컴퓨터 {1}대용이며 모두 들어왔습니다. 새로 만드세요.
        A person has put this machine out of the household. Only a person lets it in again.
        사람이 이 컴퓨터를 집에서 뺐습니다. 사람만 다시 들일 수 있습니다.
        what the phone is called
        휴대폰의 이름
        whom it looks after; several are separated by commas, and by default the children
        휴대폰이 돌보는 사람. 여럿은 쉼표로 나누며, 정하지 않으면 아이들
        how the phone reaches this machine; by default as other machines do, at port {1}
        휴대폰이 이 컴퓨터에 닿는 주소. 정하지 않으면 다른 컴퓨터와 같은 주소의 포트 {1}
        The certificate for phones could not be made or read: {1}. Try again.
        휴대폰용 인증서를 만들거나 읽지 못했습니다({1}). 다시 해 보세요.
        The household knows no person yet. Let the first machine join it.
        집에 아직 아는 사람이 없습니다. 첫 컴퓨터를 들이세요.
        The household knows no person called {1}. It knows: {2}.
        집에 {1}(이)라는 사람이 없습니다. 있는 사람: {2}.
        household-service is still starting. Try again in a moment.
        household-service가 아직 시작하는 중입니다. 잠시 뒤 다시 해 보세요.
        This phone is not let in. On the household's machine: screentime household phone NAME
        이 휴대폰은 들어와 있지 않습니다. 집의 컴퓨터에서: screentime household phone NAME
        This time is over, or was taken back already.
        이 시간은 끝났거나 이미 거두었습니다.
        The household's service is ending. Try again in a moment.
        집의 서비스가 끝나는 중입니다. 잠시 뒤 다시 해 보세요.
        This request does not wait for an answer any more.
        이 요청은 더는 답을 기다리지 않습니다.
        The program {1} did not do its work within {2} s. It is tried again; look at the log of household-service for what it says.
        프로그램 {1}이(가) {2}초 안에 일을 마치지 못했습니다. 다시 시도합니다. 무엇을 말했는지는 household-service의 기록에 있습니다.
        This phone does not look after {1}: it shows what is used, and a guardian let it in for others or gave no passcode.
        이 휴대폰은 {1} 님을 돌보지 않습니다. 사용을 보여 줄 뿐이며, 보호자가 다른 사람을 위해 들였거나 암호를 대지 않았습니다.
        There is no page {1}.
        {1}(이)라는 페이지가 없습니다.
        Changes go to /do.
        변경은 /do로 보냅니다.
        This link was used, or is older than ten minutes. Make a new one on the household's machine: screentime household phone NAME
        이 링크는 이미 썼거나 10분이 지났습니다. 집의 컴퓨터에서 새로 만드세요: screentime household phone NAME
        A change says what it is: approve, deny, give, back, stop, resume, lesson or over.
        변경에는 approve, deny, give, back, stop, resume, lesson, over 가운데 하나를 적습니다.
        A machine has at most {1} open requests.
        컴퓨터 하나에 열린 요청은 {1}개까지입니다.
        The request {1} is none that a person of this machine can have made. It is left out.
        요청 {1}은(는) 이 컴퓨터의 사람이 했을 수 없는 것이라 뺐습니다.
        The household and this machine have not come to the same requests. It is tried again.
        집과 이 컴퓨터의 요청이 아직 같지 않습니다. 다시 시도합니다.
        At most {1} requests come at once.
        요청은 한 번에 {1}개까지 옵니다.
        {1} is answered to {2} only.
        {1}에는 {2}에게만 답합니다.
        {1} serves a household, and this machine belongs to none.
        {1}은(는) 가정을 위한 요청인데, 이 기기는 어느 가정에도 속해 있지 않습니다.
        A request has at most {1} changes of rules.
        요청 하나에 규칙 변경은 {1}개까지입니다.
        This machine does not share the person {1}.
        이 컴퓨터는 {1}을(를) 함께 쓰지 않습니다.
        A category is of an app, a site or a list of sites, and a rule for requests of a person.
        분류는 앱, 사이트, 사이트 목록의 것이고, 요청 규칙은 사람의 것입니다.
        There is no such category in this household.
        이 집에는 그런 분류가 없습니다.
        A category counts for all children of the household. Move apps and sites on a machine where all of them have their guardian.
        분류는 집의 모든 아이에게 적용됩니다. 모든 아이에게 보호자가 있는 컴퓨터에서 앱과 사이트를 옮기세요.
        A rule has an id of at most {1} bytes and {2} KiB, and changes wait for at most a week.
        규칙의 식별자는 {1}바이트, 크기는 {2} KiB까지이고, 변경은 일주일까지 기다립니다.
        A session stays on its machine.
        세션은 그 컴퓨터에만 적용됩니다.
        The household has had {1} rules of {2}, which is the limit.
        집에 {2}의 규칙이 {1}개 있었습니다. 더는 둘 수 없습니다.
        A rule of this kind does not go from machine to machine.
        이 종류의 규칙은 다른 컴퓨터로 가지 않습니다.
        There are too many rules in one request.
        규칙이 한 번에 너무 많이 왔습니다.
        At most {1} rows come at once.
        한 번에 행 {1}개까지 받습니다.
        A link needs a row of at least 1 and {1} hexadecimal digits; at most {2} come at once.
        고리는 1 이상의 줄에 대한 16진수 {1}자리이며 한 번에 최대 {2}개입니다.
        A request says how far it reaches.
        요청은 어디까지인지 말해야 합니다.
        The stretch {1} has no length that time can have, or is of another machine.
        구간 {1}의 길이가 있을 수 없는 것이거나, 다른 컴퓨터의 것입니다.
        A stretch reaches more than a day into the future: the clock of its machine was wrong. It is left out.
        구간이 하루 넘게 미래에 닿습니다. 그 컴퓨터의 시계가 틀렸습니다. 이 구간은 뺍니다.
        The clock of the machine is no time.
        컴퓨터의 시계가 시각이 아닙니다.
        This machine belongs to no household.
        이 컴퓨터는 어느 집에도 속하지 않습니다.
        This machine belongs to the household at {1}. Leave it before joining another.
        이 컴퓨터는 {1}의 집에 속합니다. 다른 집에 들어가기 전에 나오세요.
        link-service is still starting. Try again in a moment.
        link-service가 아직 시작하는 중입니다. 잠시 뒤 다시 해 보세요.
        Say who of this machine is who in the household. Here: {1}. There: {2}.
        이 컴퓨터의 누가 집의 누구인지 말해 주세요. 여기: {1}. 거기: {2}.
        The household does not let this machine in: it was put out, or its invitation is over. Join with a new code.
        집이 이 컴퓨터를 받지 않습니다. 빠졌거나 초대가 끝났습니다. 새 코드로 들어가세요.
        The household's machine does not answer. See that it is on and in the same network, and that its firewall lets the port through.
        집의 컴퓨터가 답하지 않습니다. 켜져 있고 같은 네트워크에 있는지, 방화벽이 포트를 막지 않는지 보세요.
        The household and this machine do not agree how far it has come. It is tried again.
        집과 이 컴퓨터가 어디까지 왔는지 서로 다르게 압니다. 다시 해 봅니다.
        --as says who of this machine is who in the household, such as kid=anna.
        --as는 이 컴퓨터의 누가 집의 누구인지 말합니다. 예: kid=anna
        This machine has no address that others could reach. Connect it to the network, or name one with --address.
        이 컴퓨터에는 다른 컴퓨터가 닿을 주소가 없습니다. 네트워크에 연결하거나 --address로 알려 주세요.
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
        --by takes {1}, separated by commas, and not {2}.{3}
        --by에는 {1}을(를) 쉼표로 나누어 씁니다. {2}은(는) 없습니다.{3}
        --by group and --group belong together: --group names the groups.
        --by group과 --group은 함께 씁니다. --group에 모임을 적습니다.
        --days is a number of days from 1 to {1}.
        --days는 1부터 {1}까지의 날수입니다.
        The days are two dates, such as 2026-11-01, the first before the last, at most ten years apart.
        날은 2026-11-01 같은 두 날짜이며, 앞의 것이 먼저이고 10년 안이어야 합니다.
        Sums are made by {1}, each at most once.
        합계는 {1}별로 내며, 각각 한 번만 씁니다.
        A question for sums has at most {1} names.
        합계를 묻는 데 이름은 {1}개까지입니다.
        PostgreSQL does not let household-service change its database ({1}). Make its account the owner of the database.
        PostgreSQL이 household-service가 데이터베이스를 바꾸게 두지 않습니다({1}). 그 계정을 데이터베이스의 주인으로 만드세요.
        Sums by group need the names of groups; other sums take none.
        모임별 합계에는 모임을 적고, 다른 합계에는 적지 않습니다.
        This computer knows no group {1}. `getent group` lists those that it knows.
        이 컴퓨터에 {1}(이)라는 모임이 없습니다. 아는 모임은 `getent group`이 보여 줍니다.
        The household is in PostgreSQL, which has not answered yet. Try again in a moment.
        집은 PostgreSQL에 있는데 아직 답하지 않습니다. 잠시 뒤 다시 해 보세요.
        PostgreSQL does not answer ({1}). Nothing is lost: machines keep what they have, and try again.
        PostgreSQL이 답하지 않습니다({1}). 잃은 것은 없습니다. 컴퓨터들이 가지고 있다가 다시 보냅니다.
        PostgreSQL does not let household-service in ({1}). See the address in store, and the password in .pgpass.
        PostgreSQL이 household-service를 받지 않습니다({1}). store의 주소와 .pgpass의 비밀번호를 보세요.
        PostgreSQL on another machine is only used over TLS. Switch it on there, and write sslmode=verify-full behind the address.
        다른 컴퓨터의 PostgreSQL은 TLS로만 씁니다. 거기서 켜고 주소 뒤에 sslmode=verify-full을 적으세요.
        Another process changes the same in PostgreSQL ({1}). Try again.
        다른 프로그램이 PostgreSQL에서 같은 것을 바꾸고 있습니다({1}). 다시 해 보세요.
        PostgreSQL has no room ({1}). Free some; machines keep what they have until then.
        PostgreSQL에 자리가 없습니다({1}). 자리를 내세요. 그때까지 컴퓨터들이 가지고 있습니다.
        PostgreSQL refused a statement ({1}: {2}). Please report this.
        PostgreSQL이 문장을 거절했습니다({1}: {2}). 알려 주세요.
        The database answered with nothing in column {1}.
        데이터베이스가 열 {1}에 아무것도 답하지 않았습니다.
        The PostgreSQL that the setting store names was brought up to date by a newer version of Screen Time. Update this machine, too.
        store의 PostgreSQL은 더 새로운 Screen Time이 바꾸어 놓았습니다. 이 컴퓨터도 새 버전으로 올리세요.
        The PostgreSQL that the setting store names has another household already. Name an empty database.
        store의 PostgreSQL에 이미 다른 집이 있습니다. 주소에 빈 데이터베이스를 적으세요.
        Another service of the household has changed the same. Try again.
        집의 다른 서비스가 같은 것을 바꾸었습니다. 다시 해 보세요.
        It is empty (a file of its own) or the address of a PostgreSQL without a password, such as postgresql://NAME@HOST/DATABASE; the password belongs into ~/.pgpass, or into a file that the address names: ?passfile=/PATH.
        비우거나(자기 파일) 비밀번호 없는 PostgreSQL 주소를 적습니다. 예: postgresql://NAME@HOST/DATABASE. 비밀번호는 ~/.pgpass나 주소가 가리키는 파일(?passfile=/PATH)에 둡니다.
        A key has {1} bytes; this one has {2}.
        열쇠는 {1}바이트입니다. 이것은 {2}바이트입니다.
        That is not a code of a household. Copy all of what `screentime household invite` shows.
        집의 코드가 아닙니다. `screentime household invite`가 보인 것을 모두 옮기세요.
        An address is the name or number of a machine and a port, such as laptop.local:7415.
        주소는 컴퓨터의 이름이나 번호와 포트입니다. 예: laptop.local:7415
        {1} is not answered to this machine. Ask it on the machine where {2} runs.
        이 컴퓨터에는 {1}에 답하지 않습니다. {2}가 도는 컴퓨터에서 물어보세요.
        asks that machine of the household, by your passcode there; mum@laptop says who you are
        거기서 쓰는 암호로 집의 그 컴퓨터에 묻습니다. mum@laptop은 누구인지 말합니다
        The household has no such machine any more.
        집에 이제 그런 컴퓨터가 없습니다.
        A letter has an id of at most {1} bytes and {2} KiB.
        편지의 이름은 {1}바이트까지, 편지는 {2}KiB까지입니다.
        {1} has not read its last {2} letters. Try again in two minutes.
        {1}: 마지막 편지 {2}통을 아직 읽지 않았습니다. 2분 뒤에 다시 해 보세요.
        {1} does not answer: it is off, asleep or away from the household. Last heard of: {2}.
        {1}: 답이 없습니다. 꺼져 있거나 자고 있거나 집과 떨어져 있습니다. 마지막 소식: {2}.
        The household gave a key that is none for this machine.
        집이 이 컴퓨터의 것으로 준 열쇠는 열쇠가 아닙니다.
        That can only be done on the machine itself.
        그것은 그 컴퓨터에서만 할 수 있습니다.
        A letter of another machine cannot be read.
        다른 컴퓨터의 편지를 읽을 수 없습니다.
        {1} has not answered, so it is not known whether this was done. Look before you ask again. Last heard of: {2}.
        {1}: 답이 없어서 되었는지 알 수 없습니다. 다시 묻기 전에 살펴보세요. 마지막 소식: {2}.
        The clocks of the two machines are more than ten minutes apart. Set them right, then ask again.
        두 컴퓨터의 시계가 10분 넘게 다릅니다. 시계를 맞춘 뒤 다시 물으세요.
        This was asked before, or too long ago, and is not done now. Look whether it was done, then ask again.
        전에 물었거나 너무 오래되어 지금 하지 않습니다. 되었는지 살펴본 뒤 다시 물으세요.
        {1} does not run on that machine.
        {1}: 그 컴퓨터에서 실행되고 있지 않습니다.
        Say who of that machine asks, such as mum@laptop. There: {1}.
        그 컴퓨터의 누가 묻는지 mum@laptop처럼 적으세요. 거기 있는 사람: {1}.
        {1} has no passcode on that machine, and so cannot ask from another one.
        {1}: 그 컴퓨터에 암호가 없어서 다른 컴퓨터에서 물을 수 없습니다.
        --machine has the name of a machine, and the person who asks before it where it has several: laptop or mum@laptop.
        --machine에는 컴퓨터의 이름을 적고, 사람이 여럿이면 그 앞에 묻는 사람을 적습니다: laptop 또는 mum@laptop.
        """#
}
