/** Related words of working together: asking, reviewing, releasing, selling, writing to people, law. Form: developer-vocabulary.ts. */
export const WORDS_OF_PEOPLE = `
# What people ask for
implement implementation code
code coding program
develop developer
fix bugfix hotfix
broken break
breaking incompatible backward migration
bug defect issue regression
regression broke broken worked
crash segfault panic die
freeze frozen hang stuck unresponsive
slow sluggish laggy lag
speed faster fast quick
investigate dig research explore
research investigate survey compare
explore browse
understand explain learn
explain describe walk clarify
describe description summary
review audit inspect feedback
audit review check inventory
improve enhance polish refine
polish finish refine
finish complete finalize
verified finished complete
extend expand enlarge
shrink reduce smaller trim
reduce decrease lower minimize
increase raise grow bump
bump upgrade increase
upgrade update migrate bump
downgrade rollback pin
pin exact lock
replace swap substitute switch
switch migrate change move
replace rewrite scratch
rewrite scratch greenfield
split separate extract divide
merge combine join consolidate unify
integrate connect hook
connect integration link
enable activate
disable deactivate
hide hidden invisible collapse
show display visible reveal
expose public
support compatibility
allow permit accept
forbid forbidden prohibit ban never
avoid prevent
must require mandatory
prefer preference favourite
hate dislike annoying
choose pick select decide
decide decision choice chosen
decision adr decided agreed
suggest recommend propose
recommend suggestion advice
propose proposal suggest rfc
rfc proposal design adr
brainstorm idea
estimate effort
effort size points
commit signoff signed gpg
squash rebase fixup amend
amend force push history
rebase squash linear history
cherry pick backport
backport lts branch
stash uncommitted dirty worktree
conflict merge resolve
main master trunk default
trunk main branch
fork upstream origin
gitignore ignored untracked
hook precommit husky lefthook
submodule vendor subtree
blame history author
author committer attribution coauthor
coauthor attribution trailer
diff patch change
issue ticket bug jira
ticket jira linear issue story
linear ticket project
backlog ticket triage priority
triage priority severity
priority urgent important p0
urgent asap priority emergency
board kanban trello
epic story ticket
# Tests
suite spec
e2e integration playwright cypress
integration container
testcontainers integration docker database
mock stub fake spy
fake stub mock double
snapshot golden approval
golden expected snapshot
fixture factory seed data
property hypothesis fastcheck fuzz
fuzz fuzzer
mutation mutant stryker
coverage covered untested threshold
regression reproduce
reproduce reproduction repro steps
tdd red failing
flaky retry quarantine unstable
skip disable xfail
assert expect
manual qa
qa tester quality
smoke sanity check
acceptance criteria
axe a11y
# Releases
release cut ship
launch ga golive release
golive launch cutover
cutover migration switchover
freeze codefreeze hold
beta alpha preview early
rc candidate prerelease
prerelease beta rc next
publish npm registry release
publish pypi crate registry
registry npm pypi
semver major minor patch
major breaking version
announce blog changelog
announcement launch post
rollout percent gradual
sign notarize certificate
notarize codesign macos
installer msi dmg setup
download install
setup bootstrap install configure
bootstrap scaffold setup init
# Product
product feature roadmap
roadmap quarter goal plan
okr goal target objective
goal objective target aim
target goal kpi
kpi metric goal
quarter q1 q2 q3 q4
analytics tracking event posthog amplitude mixpanel
tracking pixel consent analytics
funnel conversion drop
conversion signup checkout funnel
retention churn engagement
churn cancel retention
experiment ab variant abtest
segment cohort audience
feedback complaint request user
complaint angry customer support
support helpdesk zendesk ticket
client customer contract
enterprise customer contract sla
pilot customer trial
trial free plan
plan tier pricing
freemium free paid
competitor alternative rival
market audience
marketing campaign newsletter ads
ads advertising campaign
campaign email marketing
growth acquisition referral
stakeholder sponsor management
ceo founder executive
manager lead boss
investor fundraising pitch
pitch deck investor
pitch demo presentation
scope mvp cut
mvp prototype minimum
prototype poc spike experiment
spike timebox investigation
spec specification requirement prd
prd spec brief
brief spec assignment
# Payments
payment pay paid charge
payment stripe paypal adyen braintree
stripe payment webhook subscription
checkout cart payment
cart basket checkout order
order purchase checkout
invoice bill receipt
billing invoice subscription stripe
subscription plan renewal recurring
refund chargeback dispute
card credit pci
pci card compliance
vat tax invoice
discount coupon promo
cents amount money decimal
money amount currency cents
payout transfer settlement
payroll salary wage
salary compensation pay
ecommerce shop store
shop store shopify
inventory stock warehouse
shipping delivery order
# Mail
email mail inbox message
mail smtp imap sendgrid mailgun postmark ses
send deliver dispatch
deliver delivery send
deliverability spf dkim dmarc bounce
newsletter mailing subscriber list
unsubscribe optout subscriber
subscriber subscribe newsletter
bounce undelivered complaint
gmail outlook mail
mjml mail
reply respond answer
recipient sender address
attachment file mail
greeting signature salutation tone
signature signoff
contact address crm
crm hubspot salesforce contact
salesforce crm lead
notification notify alert message
notify inform ping
reminder remind notification
calendar event appointment schedule
appointment booking calendar
booking reservation
# Law
legal lawyer law counsel
legal compliance regulation
gdpr privacy dsgvo data
privacy gdpr personal pii
personal pii private
consent cookie gdpr banner
compliance soc2 iso27001 hipaa audit
hipaa phi medical
license licence gpl agpl
gpl agpl copyleft license
copyright license trademark
trademark brand name
terms conditions tos policy
contract agreement nda
nda confidential agreement
residency region europe eu
eu europe european
sanction embargo
# People
hire hiring recruit candidate
candidate interview applicant resume
interview candidate question
resume cv application
job position vacancy career
onboard newcomer joiner
newcomer junior beginner
junior senior level
senior experienced expert
expert beginner level knowledge
intern student trainee
contractor freelancer agency
freelancer client invoice
team squad
owner maintainer responsible
owner codeowners responsible
responsible accountable owner
maintainer contributor opensource
contributor contributing pr
contributing guideline
opensource oss public community
community discord forum
colleague coworker teammate
vacation holiday leave pto away
away absent vacation ooo
holiday vacation weekend
role title responsibility
skill experience expertise
learn course
workshop training course
course lesson student
teach explain mentor
mentor coach
feedback criticism review
# Meetings and dates
meeting agenda minutes
minutes notes meeting
standup daily sync
retro retrospective
kickoff meeting
sprint iteration planning
meeting zoom call
workshop meeting
deadline cutoff due
delay postpone slip late
postpone delay reschedule
reschedule move postpone
late overdue delay
today tomorrow
week monday
friday weekend
year annual
milestone phase stage
timeline schedule roadmap gantt
blocker blocked waiting
blocked blocker unblock
waiting pending blocked
progress status percent
report status weekly
todo task checklist
checklist steps
task todo item
# Answers
answer reply response
question ask clarify
clarify ambiguous question
assumption assume guess
guess assume unverified speculation
verify verified check proof
proof evidence verify
evidence source proof
source reference link
quote citation source
short concise length
honest honesty truthful overclaim
honest caveat limitation
limitation caveat known
apology sorry mistake
mistake error wrong
warn caution
dangerous destructive risky irreversible
risky risk dangerous
careful caution dangerous
approval signoff approve
rule instruction policy
habit routine workflow
workflow process procedure
convention style standard
standard norm convention
consistent consistency uniform
`;
