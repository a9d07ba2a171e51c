/** Related words of what runs: back ends, databases, operations, security, devices. Form: developer-vocabulary.ts. */
export const WORDS_OF_MACHINES = `
# Back end
backend server service api
python py django flask fastapi pip
django orm model migration
rails ruby gem bundler rspec
php laravel composer symfony
java spring maven gradle jvm
golang goroutine
rust cargo crate clippy
csharp dotnet nuget
cpp cmake clang gcc
node nodejs runtime
express fastify koa nestjs
elixir phoenix erlang
python venv virtualenv conda uv poetry
npm pnpm yarn bun package
npx npm bunx
ruff black flake8 pylint mypy lint
mypy pyright typing type
jvm gc heap
compiler compile toolchain llvm
linker link symbol library
makefile make cmake build
monorepo workspace turborepo nx lerna package
microservice service monolith
monolith modular module
controller handler route endpoint
handler callback listener hook
middleware interceptor filter
webhook callback event stripe
event pubsub bus
kafka rabbitmq sqs nats queue broker
consumer producer subscriber publisher topic
idempotent idempotency retry duplicate
retry backoff attempt timeout
rate limit throttle quota 429
pagination cursor offset limit
openapi swagger spec contract
grpc protobuf proto rpc
graphql resolver apollo mutation
rest http api json
serialization serializer pydantic zod schema
zod schema validation parse
validate sanitize check schema input
session cookie login token
orm prisma drizzle sequelize sqlalchemy typeorm
dto model entity schema
singleton global state static
async await promise concurrency asynchronous
thread concurrency lock mutex deadlock
race lock concurrency mutex
deadlock lock hang stuck
lock mutex semaphore
parallel concurrent multiprocessing worker
daemon service systemd background
exception throw catch raise error
error handling exception result catch
swallow silent catch ignore
stacktrace traceback stack exception
null undefined nil none optional
enum union literal variant
generic template typevar parameter
interface abstract protocol trait
inheritance composition subclass extends
pattern factory singleton observer
dependency injection di container
import module require esm commonjs
esm cjs commonjs module
circular cycle import
namespace package module
regex regexp pattern match
parser parse grammar lexer tokenizer ast
json jsonl ndjson
yaml yml indent
xml xslt soap
env dotenv environment variable
config configuration settings preference
default fallback preset
feature flag toggle experiment launchdarkly
plugin extension addon
sdk client library wrapper
cli command argument flag terminal
tui terminal ncurses console
regex grep ripgrep search
unused dead unreachable cruft
duplicate dry repeated
complexity complex overengineered simple
simple simplify minimal minimalist
abstraction layer wrapper indirection
boundary layer architecture dependency
utility helper util common shared
hash checksum digest sha256
uuid id identifier ulid
# Databases
postgres postgresql supabase neon psql
mysql mariadb innodb
sqlite libsql turso duckdb
mongo mongodb document collection nosql
dynamodb nosql table partition
redis memcached valkey cache
elasticsearch opensearch lucene search index
snowflake bigquery redshift warehouse
warehouse dbt etl olap
transaction commit rollback isolation atomic
index btree scan
foreign primary constraint
constraint unique foreign check
join aggregate group query
materialized view
trigger procedure stored
schema ddl migration table column
migration alembic flyway liquibase prisma knex
seed fixture sample data
replica replication primary failover
shard partition
pool connection pgbouncer
connection pool socket
backup restore pitr snapshot recovery
truncate wipe drop delete
row record entry tuple
soft delete archive tombstone
archive retention history
retention ttl expire expiry purge
anonymize pseudonymize mask redact pii
import importer ingest load csv
export dump csv download
csv tsv delimiter spreadsheet
n1 eager lazy query
# Operations
infra infrastructure terraform pulumi cloud
terraform tf hcl opentofu iac
ansible playbook provision chef puppet
kubernetes kubectl k8s helm pod ingress
helm chart values
argocd gitops flux
docker dockerfile compose container image
dockerfile image layer registry
registry artifact image ecr ghcr
aws ec2 lambda s3 iam
lambda serverless function faas
s3 bucket r2 object blob storage
gcp google cloudrun bigquery
azure microsoft entra
cloudflare worker cdn pages
vercel netlify heroku render fly hosting
hosting provider server
hetzner digitalocean linode vps server
cdn edge cache cloudfront
loadbalancer nginx haproxy traefik proxy ingress
nginx apache caddy proxy
proxy tunnel vpn gateway
vpn wireguard tailscale network
ssh scp sftp remote login
sudo root privilege admin
linux ubuntu debian fedora distro
windows powershell wsl
macos mac darwin homebrew
apt brew dnf package
systemd service unit journalctl
cron crontab schedule nightly periodic
nightly daily cron overnight
staging preproduction qa preview
canary bluegreen rollout gradual
rollout rollback canary phased
downtime maintenance outage window
outage incident down downtime
incident postmortem outage rootcause severity sev
postmortem retro incident lessons
oncall pager pagerduty opsgenie rotation
alert alarm pager pagerduty
alert threshold noise
runbook playbook procedure
slo sla uptime availability
uptime availability healthcheck downtime
healthcheck health liveness readiness probe
grafana prometheus dashboard metric
datadog newrelic apm observability
sentry error crash exception
loki kibana splunk log elk
log logger structured winston
opentelemetry otel span trace
trace span correlation
debug verbose loglevel log
scale autoscale capacity
capacity load traffic throughput
load stress k6 locust
bottleneck slow hotspot profile
profile profiler flamegraph performance
latency p95 p99 response
memory leak heap gc
cpu core processor
disk full space quota
cost bill spend expensive budget
budget cost limit spend
expensive costly price
cheap cheaper inexpensive cost
rebuild reindex regenerate
artifact output build dist
pipeline workflow github gitlab action
gitlab github bitbucket forgejo gitea
github gh
runner ci selfhosted
# Security
security vulnerability cve exploit secure
vulnerability cve advisory patch
pentest audit security
injection xss csrf sqli
xss escape sanitize html
csrf token cookie
encrypt decrypt aes cipher
hash bcrypt argon2 password salt
password passphrase credential login
secret vault env dotenv keychain
apikey key token secret
leak exposed credential
rotate key credential
jwt token bearer claim
oauth oidc sso saml login
sso okta saml auth0 login
2fa mfa totp otp
rbac role permission acl
admin administrator superuser root
tenant tenancy multitenant organization
signup register registration account
login signin logout auth
logout signout session
firewall port iptables rule
certificate letsencrypt acme renewal expire
sandbox isolation jail untrusted
captcha bot spam abuse
spam junk abuse
audit log trail compliance
redact mask scrub sensitive
sensitive confidential private secret
private public visibility internal
# Devices
firmware embedded microcontroller mcu flash
esp32 esp8266 arduino microcontroller
arduino esp32 platformio firmware
stm32 hal mcu firmware
raspberry pi gpio
gpio pin
i2c spi uart bus serial
serial uart tty usb port
sensor temperature humidity reading
motor servo stepper actuator
pcb schematic kicad board
rtos freertos zephyr
interrupt isr irq
bootloader flash ota firmware
flash burn upload
solder wiring wire connector
voltage volt supply
battery charge charger lithium
robot ros robotics arm
drone quadcopter ardupilot
cad openscad freecad stl
printer 3d filament slicer gcode
gpu cuda nvidia vram
gpu card rtx graphics
nas synology raid disk
router wifi network lan
bluetooth ble pairing
keyboard qmk firmware layout
# The house
homeassistant automation smarthome
homeassistant hass automation dashboard
zigbee zwave mqtt
mqtt broker topic mosquitto
light lamp bulb hue
thermostat heating temperature climate
solar inverter photovoltaic battery
camera frigate doorbell
shutter curtain blind
vacuum roomba robot
alarm motion sensor
`;
