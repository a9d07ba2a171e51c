/** What is being done, and what notes then say. Form and meaning: situations.ts. */
export const SITUATION_LINES = `
# Version control
commit -> message subject convention conventional signoff coauthor attribution trailer hook squash author amend | branch signed ticket emoji push atomic
push -> force branch main protected hook upstream | remote ci review fork
branch checkout -> naming prefix convention trunk main worktree base | ticket develop protected
merge -> squash rebase fastforward approval freeze | conflict green review history linear
rebase -> force history linear shared | merge squash
pr prs pull+request -> title description template reviewer draft small squash label bundled | issue screenshot checklist approval
review lgtm -> nit reviewer checklist blocking approval style | tone praise severity security owner
diff patch changeset -> small minimal scope unrelated bundled | review
tag -> version semver signed release | changelog
conflict -> rebase merge lockfile | regenerate
stash reset discard revert -> uncommitted lost destructive worktree ask | backup force
worktree -> branch parallel path checkout | cleanup
issue ticket bug+report -> tracker linear jira label template triage project board | priority assignee duplicate
# Releasing
release ship launch publish -> freeze cut changelog version semver tag checklist announcement approval | date deadline thursday friday registry signing migration rollback staging
deploy rollout -> freeze friday staging approval canary rollback window migration | production runbook order healthcheck announce oncall secret
rollback revert+deploy -> runbook migration backward incident | snapshot
changelog release+notes -> audience tone format entry user keepachangelog | version breaking
version bump -> semver breaking changelog pinned tag | lockfile prerelease
publish+package npm+publish -> registry token otp scope tag provenance | access version
hotfix -> freeze branch incident backport approval | postmortem cherry
beta preview prerelease -> tester testflight channel feedback | flag
prod production live -> approval confirm ask readonly destructive freeze backup incident | oncall runbook staging credential customer
staging preview+environment -> data seed credential url parity | reset shared
# Tests
test -> mock real database integration fixture flaky coverage vitest pytest jest testcontainers | factory snapshot naming tdd slow seed regression runner e2e
write+test add+test -> mock database real integration fixture behaviour tdd convention naming | coverage factory redundant
run+test -> command slow subset flaky parallel watch nice full | container database env
mock stub -> real database integration incident diverged divergence prefer | boundary
e2e playwright cypress -> flaky selector testid seed browser headless | screenshot retry staging
snapshot -> review update golden | serializer
coverage -> threshold target meaningful gate | excluded
flaky flake intermittent -> retry quarantine race seed timeout root sleep | skip ci rerun order
failing+test fix+test -> weaken skip assertion root cause deleting | flaky snapshot
ci pipeline workflow -> runner cache secret minutes flaky required gate local | self hosted matrix timeout cost
ci+fail ci+red build+fail -> flaky runner cache lockfile main rerun | known upstream secret
fixture testdata -> anonymized factory synthetic personal | size golden
benchmark -> baseline warmup noise machine median reproducible | contamination regression
load+test stress -> staging limit quota production | traffic cost
# Code
bug fix debug error broken crash -> root cause regression reproduce reproduction workaround known incident failing | sentry log test tracker minimal
refactor restructure cleanup tidy -> scope unrelated behaviour bundled small separate rewrite legacy | deadline freeze frozen migration compliance abstraction
rewrite redesign -> legal compliance deadline approved scope decision | parity legacy freeze
rename naming name+variable -> convention abbreviation prefix suffix snake camel kebab singular | alias backward terminology glossary
dependency package library install npm pip cargo -> license approval pinned lockfile pnpm uv yarn vendored size ask standard | bundle audit stdlib registry vulnerability version
upgrade bump+version update+dependency -> pinned breaking lockfile incompatible stay changelog | lts codemod node
import importer ingest -> encoding idempotent duplicate batch transaction validation mapping | csv timezone dry mock database
endpoint route -> auth authorization pagination versioning naming validation openapi error limit | middleware contract breaking idempotency backward
api -> contract versioning pagination breaking backward limit key | openapi auth error idempotency
schema column table alter -> migration nullable backfill lock downtime naming expand rollback | approval snake index dba
migration -> downtime lock rollback backfill reversible order expand snapshot approval | freeze mock production diverged cutover
query sql -> index readonly replica parameterized injection tenant explain | timeout slow limit
transaction locking -> isolation deadlock retry advisory | idempotent
config setting option flag -> default environment documented validation override backward | schema secret naming toggle
toggle flag -> default cleanup rollout owner launchdarkly posthog | stale experiment
log logger -> structured level pii redact secret json console | sampling cost correlation
error+handling exception catch throw -> swallow silent result union message retry wrap boundary | log user fallback
type typescript typing -> strict cast assertion interface unknown | generic zod
lint format style -> prettier eslint biome ruff indent tabs spaces quotes semicolon line | autofix precommit ci
comment docstring -> redundant sparse english | todo style
class function module write+code implement new+file -> convention naming functional composition small simple abstraction pattern | file length existing reuse helper export
helper utility util -> reuse existing duplicate shared forbidden | folder naming
generated codegen -> hand edit regenerate template | commit ignored
delete remove drop purge wipe -> confirm ask backup soft irreversible archive retention | restore production audit legal dead
async concurrency parallel thread -> race lock limit pool deadlock | timeout
cache -> invalidation ttl stale key redis | consistency purge
performance slow optimize optimise speed latency -> profile measure baseline budget p95 dashboard bottleneck | regression cache index target benchmark
memory+leak oom -> limit heap profile | restart
retry timeout -> idempotent backoff limit | queue duplicate
cron job queue worker -> timezone idempotent overlap retry lock | alert utc dead
script -> idempotent dry shell bash python node | location commit cleanup
regex parser parse -> edge encoding library unicode | fuzz
date time timezone timestamp calendar -> utc iso local format dst | week absolute
money price amount currency -> cents integer decimal rounding | tax
id identifier uuid -> ulid prefix format opaque | sequential
upload -> size limit virus bucket type | presigned
encoding unicode -> utf8 bom normalization locale | windows
windows macos linux -> path separator line ending shell | ci supported
monorepo workspace -> boundary package pnpm turbo shared | version
# Interface and design
ui component page screen layout frontend styling -> design system token tailwind accessibility responsive dark figma spacing | mobile breakpoint storybook brand screenshot
css tailwind -> inline utility token variable dark important | module breakpoint
color theme dark+mode -> palette contrast brand token accessibility dark | purple gradient
button form dialog modal -> accessible keyboard focus label validation component | design copy confirm
design redesign look prettier beautiful -> taste brand minimal gradient generic figma reference | font whitespace density
icon logo image+asset -> svg brand license set | emoji lucide
animation transition -> subtle reduced motion performance | duration
table+view list+view grid -> pagination sort empty virtual | density
copy wording text headline label -> tone voice brand casing glossary british spelling banned | length exclamation translation
landing homepage marketing -> claim brand tone audience seo | testimonial legal analytics
accessibility a11y -> wcag contrast keyboard aria legal screenreader | audit deadline
translate i18n locale -> glossary formal tone key german french plural native | reviewer machine
screenshot browser -> viewport headless playwright chrome dark verify | login port
mobile ios android -> minimum version device offline store | tablet permission
store+submit app+store testflight -> review metadata provisioning signing account | privacy screenshot
game level sprite -> balance framerate asset style | difficulty license
# Words and documents
docs documentation readme document guide -> audience tone structure example short english location template | screenshot outdated diataxis badge
write+readme update+readme -> tone short figure overclaim marketing badge | english example
blog article post essay newsletter -> tone voice audience first person dash length banned | date approval cliche
email mail -> tone signature greeting recipient draft send approval formal | language subject
send -> confirm draft approval recipient ask test | production list
tweet linkedin social -> tone hashtag emoji approval length | account
report summary summarize summarise recap -> short length bullet audience format headline language | figure overclaim trailing honest
presentation slides deck -> template brand audience length font | speaker
plot chart graph figure -> colorblind palette label axis unit font style size | legend dpi pdf caption
diagram -> mermaid ascii style tool | png
image picture illustration -> style cost model size alt license budget | resolution brand prompt
video clip render -> resolution codec fps subtitle length | thumbnail brand
audio transcript -> language speaker whisper format | confidential
latex paper manuscript -> venue template page deadline anonymous citation notation coauthor | british bibliography supervisor
citation cite bibliography references -> verify fabricated style doi bibtex | source
thesis chapter -> supervisor notation tense formatting deadline | template
translate+document -> formal glossary native | layout
pdf print -> paper a4 font margin | embed
spreadsheet excel csv -> delimiter locale encoding decimal | header
notebook jupyter -> output clear kernel commit | reproducible
# Answers of the agent
explain explanation understand -> background analogy experience beginner expert knows familiar depth | short level role new
answer reply respond tell -> short concise language terse direct preamble | bullet emoji format
question ask clarify -> assume interrupt batch decide | options
plan design approach proposal -> approval first written options tradeoff scope deadline small | milestone decision adr format
idea brainstorm options -> recommendation pros constraint | budget
research investigate compare evaluate -> source primary verify link date | license cost budget
recommend choose decide -> preference constraint rejected license cost | existing
todo tasks -> tracker backlog priority owner | file
finish complete -> verify proof test evidence overclaim check | summary
check verify validate -> evidence command real manual screenshot | assume
estimate -> deadline buffer padded unit | velocity
summary+change -> short trailing diff skip | bullet
emoji emojis -> forbidden plain avoid | tone
french german spanish english translate+answer -> language answer native | formal
autonomous overnight unattended alone -> ask stop budget limit checkpoint report | permission
continue resume -> handoff state status next unfinished blocked | branch notes
remember memory note -> save forget file private | index
# Agents, shell and browser
agent subagent delegate parallel -> limit cost budget context model brief verify worktree | concurrency forbidden report
prompt -> wording eval version example tone regression | injection language
llm model claude gpt openai anthropic -> cost budget key limit cache eval provider | temperature privacy token
api+key api+call paid+api -> budget cost spend limit cap approval | cache quota
eval judge -> holdout leakage contamination seed baseline rubric | cost human
command shell terminal -> sudo destructive background timeout alias ask | fish zsh powershell
start+server dev+server run+app localhost -> port running already restart background env | docker login
kill stop+process restart -> pid port shared others service | systemd ask
docker container compose -> port volume orbstack podman prune base | memory platform
browser scrape crawl -> robots limit headless captcha terms polite | login cache
download fetch+data dataset -> size disk license cache checksum | bandwidth
search grep find -> ripgrep ignore generated vendored | index
install+tool brew apt sudo -> permission version ask mise | proxy
windows+terminal powershell -> path quoting encoding | wsl
mcp tool+call -> permission token allowlist | cost
# Data and learning machines
train finetune -> seed checkpoint gpu budget split wandb leakage baseline overnight | slurm precision resume hyperparameter
gpu cuda vram slurm -> shared booked queue partition quota memory | hours nice reserved
experiment ablation sweep -> seed baseline logged config budget repeat preregistered | wandb naming
evaluate metric accuracy -> holdout baseline confidence interval leakage split | significance seed
dataset data labels annotation -> license split leakage anonymized version schema deduplicated | missing consent
clean+data preprocess -> missing outlier raw overwrite immutable | unit
statistics significance -> correction preregistered interval effect | sample
pandas dataframe numpy -> polars memory dtype index | parquet
embedding rag retrieval -> chunk model dimension reindex | eval
long+run long+job overnight+run background+job -> checkpoint nohup tmux log resume notify budget | gpu sleep disk
simulation solver numerical -> tolerance unit seed validation convergence | resolution
patient medical clinical survey -> anonymized ethics consent pseudonymized irb identifiable | cohort
backtest strategy trade -> fees slippage lookahead paper live risk limit | survivorship timezone
order+place buy sell -> paper live confirm limit risk | broker hours
# Running systems
incident outage down alert paged -> runbook dashboard oncall postmortem rollback status channel | grafana severity customer escalation
oncall pager -> rotation runbook dashboard escalation handover | watch latency
monitor dashboard metrics -> grafana datadog slo alert threshold link watch | oncall latency
logs -> retention loki kibana query | pii
terraform infra infrastructure cloud -> state plan apply approval drift cost module | region account
kubernetes k8s helm cluster -> namespace context production limit gitops | rollout
aws gcp azure -> account region profile cost tag budget | sso iam
ssh server machine vps -> host jump user key production | backup readonly
backup restore -> tested retention encrypted offsite schedule | drill
database db postgres mysql -> production readonly replica backup migration pool naming | tenant shared extension
secret password credential token key env dotenv -> vault commit rotate leaked redact 1password | scope expiry gitignore
security vulnerability auth login session -> compliance legal audit token encryption threat review | disclosure pentest mfa storage
permission role access -> least tenant admin rbac audit | policy
encrypt hash crypto -> algorithm library key rotation | custom
dns domain certificate ssl -> registrar expiry renewal cloudflare | owner
cost bill expensive spend -> budget cap approval alert limit | reserved idle
disk storage space -> retention cleanup quota | artifacts
firmware flash board esp32 arduino -> pin voltage revision brick backup serial | bootloader toolchain
sensor gpio motor -> pin voltage calibration wiring | pullup
homeassistant automation light thermostat -> entity naming schedule bedroom mqtt | guest yaml
bot discord telegram -> token channel limit permission test | tone
# People, money, law
payment billing stripe checkout refund invoice -> test live webhook idempotency cents tax key currency | pci approval vat
subscription plan pricing -> grandfathered trial tier proration decided | announce
user+data personal+data export+user gdpr privacy -> consent retention anonymized legal delete region dpa | audit pii
analytics tracking -> consent naming posthog privacy plan | pii
customer client demo -> date confidential name contract expectation | staging data
license licence legal copyright -> gpl approved lawyer attribution | notice
contract agreement nda -> confidential signed lawyer | template
hire hiring interview candidate -> rubric confidential bias stage | salary
onboard new+hire newcomer -> guide access buddy junior | setup
meeting agenda standup -> time notes timezone attendee decision | recording weekly
deadline due schedule milestone -> freeze release launch thursday friday moved agreed date | vacation holiday review
status progress -> format channel audience weekly blocker | link
roadmap priority prioritize next+work backlog -> goal quarter okr deadline decided paused blocked | customer stakeholder
vacation holiday away -> cover handover approver back | freeze
feedback criticism -> direct honest tone | praise
contribute fork upstream -> cla signoff template maintainer issue | changelog
map location geocode -> tiles license projection quota key | attribution
`;
